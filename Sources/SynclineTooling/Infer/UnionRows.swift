import Syncline
import SynclineCompiler
import SynclineNaming

/// The rows of a union of a schema: an endpoint for each of its models, and for each type of rows that the union lacks.
struct UnionRows {
  struct NewCase {
    let union: String
    let name: String
    /// The name of the endpoint of its rows.
    let model: String
    let tag: String
    /// The closing brace of the union.
    let end: SourceRange?
  }

  private(set) var endpoints: [SampleEndpoint] = []
  private(set) var newCases: [NewCase] = []

  init(_ endpoint: SampleEndpoint, of union: Union, in schema: Schema) throws(Mistake) {
    guard !union.isOfValues else {
      throw Mistake(
        "“\(union.name)” is a union of structs, which have no rows. Pass the payload of the model that contains them, with its name after “--as”."
      )
    }
    guard let steps = try? RemotePath(union.key.value).steps else { return }
    let names = steps.compactMap { step in if case .member(let name) = step { name } else { nil } }
    var rows: [(tag: String, rows: [SyncJSON])] = []
    for row in endpoint.rows.rows.map(\.value) {
      let found = names.reduce(Optional(row)) { (value: SyncJSON?, name: String) in value?[name] }
      guard let value = found, value.object == nil, value.array == nil, !value.isNull else { continue }
      let tag = value.string ?? value.description
      // The union determines the model of a row, so this key needs no property.
      let members = row.object?.filter { names.count > 1 || $0.key != names.first } ?? []
      let row = SyncJSON.object(SyncJSONObject(members.map { ($0.key, $0.value) }))
      if let known = rows.firstIndex(where: { $0.tag == tag }) {
        rows[known].rows.append(row)
      } else {
        rows.append((tag, [row]))
      }
    }
    guard !rows.isEmpty else {
      throw Mistake(
        "“\(union.name)” is a union on “\(union.key.value)”, which no row has. Pass the name of one of its models with “--as”."
      )
    }
    var taken = Set(union.cases.map(\.name))
    for (tag, values) in rows {
      if let known = union.cases.first(where: { $0.tag == tag }) {
        add(values, named: known.type)
        continue
      }
      var model = DraftName.type(tag)
      if schema.declares(model), schema.model(model) == nil { model += "Record" }
      let name = DraftName.free(DraftName.property(tag)) {
        taken.contains($0) || !NameRule.isUsable(unionCase: $0) || $0 == union.key.value
      }
      taken.insert(name)
      add(values, named: model)
      newCases.append(
        NewCase(
          union: union.name, name: name, model: model, tag: tag,
          end: ParsedFile(union.range.file).tree.unions.first { $0.name.text == union.name }?.end))
    }
  }

  private mutating func add(_ values: [SyncJSON], named name: String) {
    if let known = endpoints.firstIndex(where: { $0.name == name }) {
      endpoints[known].rows.add(values)
    } else {
      endpoints.append(SampleEndpoint(SampleRows(values), named: name))
    }
  }
}
