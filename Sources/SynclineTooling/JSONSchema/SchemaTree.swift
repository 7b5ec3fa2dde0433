import Syncline
import SynclineNaming

/// The JSON Schema of an object whose members are read by keys and paths.
final class SchemaTree {
  private var schemas: [SyncJSON] = []
  private var names: [String] = []
  private var members: [String: SchemaTree] = [:]
  private var required: Set<String> = []
  private var element: SchemaTree?
  private var value: SchemaTree?
  private var indices: [Int: SchemaTree] = [:]
  /// Groups of members, of which at least one must be present.
  private var alternatives: [[String]] = []

  /// Whether a value that is not a list is read as the only element.
  private var takesLoneValues = false

  /// Whether it is in the elements of a list of rows, and required in each.
  private var isElement = false

  /// Adds a schema at a path.
  ///
  /// - Parameters:
  ///   - takesLoneValues: whether a lone value where the path has `[]` is a list of one.
  ///   - isElement: whether the path selects a member of each element of a list of rows.
  func add(
    _ schema: SyncJSON, at path: [RemotePath.Step], isRequired: Bool, ofRows: Bool = false,
    takesLoneValues: Bool = false, isElement: Bool = false
  ) {
    self.isElement = self.isElement || isElement
    guard let step = path.first else { return schemas.append(schema) }
    let rest = Array(path.dropFirst())
    switch step {
    case .member(let name):
      if isRequired { required.insert(name) }
      member(name).add(
        schema, at: rest, isRequired: isRequired, ofRows: ofRows, takesLoneValues: takesLoneValues,
        isElement: isElement)
    case .each:
      let next = element ?? SchemaTree()
      element = next
      if takesLoneValues { self.takesLoneValues = true }
      next.add(
        schema, at: rest, isRequired: isRequired || ofRows, ofRows: ofRows, takesLoneValues: takesLoneValues,
        isElement: ofRows)
    case .members:
      let next = value ?? SchemaTree()
      value = next
      next.add(
        schema, at: rest, isRequired: isRequired || ofRows, ofRows: ofRows, takesLoneValues: takesLoneValues,
        isElement: ofRows)
    case .index(let index):
      let next = indices[index] ?? SchemaTree()
      indices[index] = next
      next.add(
        schema, at: rest, isRequired: isRequired || ofRows, ofRows: ofRows, takesLoneValues: takesLoneValues,
        isElement: ofRows)
    }
  }

  /// Requires at least one of the members.
  func require(anyOf names: [String]) { alternatives.append(names) }

  private func member(_ name: String) -> SchemaTree {
    if let known = members[name] { return known }
    let new = SchemaTree()
    members[name] = new
    names.append(name)
    return new
  }

  /// - Parameter isRow: whether it is the object of a row, which is never null.
  func schema(isRow: Bool = false) -> SyncJSON {
    var parts = schemas
    if !names.isEmpty || isRow {
      var object: [(String, SyncJSON)] = [
        ("type", isRow || isElement || !required.isEmpty ? "object" : ["object", "null"])
      ]
      object.append(
        ("properties", .object(SyncJSONObject(names.map { ($0, members[$0]?.schema() ?? true) }))))
      if !required.isEmpty { object.append(("required", .array(required.sorted().map { .string($0) }))) }
      let groups = alternatives.map { names -> SyncJSON in
        ["anyOf": .array(names.map { ["required": [.string($0)]] })]
      }
      if !groups.isEmpty { object.append(("allOf", .array(groups))) }
      parts.append(.object(SyncJSONObject(object)))
    }
    if let element {
      let item = element.schema()
      let list: SyncJSON = ["type": ["array", "null"], "items": item]
      parts.append(takesLoneValues ? ScalarSchemas.any(list, item) : list)
    }
    if let value { parts.append(["type": ["object", "null"], "additionalProperties": value.schema()]) }
    if let last = indices.keys.max() {
      let items = (0...min(last, 100)).map { indices[$0]?.schema() ?? true }
      parts.append(["type": ["array", "null"], "prefixItems": .array(items)])
    }
    if parts.count == 1 { return parts[0] }
    return parts.isEmpty ? true : ["allOf": .array(parts)]
  }
}
