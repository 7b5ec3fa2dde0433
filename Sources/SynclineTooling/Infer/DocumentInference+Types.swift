import Syncline
import SynclineCompiler

extension DocumentInference {
  /// The type for the values of a schema.
  mutating func type(of schema: SyncJSON, _ key: String, in index: Int, level: Int = 0)
    -> DescribedType
  {
    guard level < 24 else { return .json("It leads to itself.") }
    if let reference = schema["$ref"]?.string {
      var found = type(at: reference, key, in: index, level: level)
      found.isNullable = found.isNullable || schema.allowsNull
      return found
    }
    if let part = schema["allOf"]?.array, part.count == 1, schema["properties"] == nil {
      var found = type(of: part[0], key, in: index, level: level + 1)
      found.isNullable = found.isNullable || schema.allowsNull
      return found
    }
    if let variants = schema.variants { return type(ofOne: variants, schema, key, in: index, level: level) }
    var found = plainType(of: schema, key, in: index, level: level)
    found.isNullable = found.isNullable || schema.allowsNull
    return found
  }

  private mutating func type(at reference: String, _ key: String, in index: Int, level: Int) -> DescribedType
  {
    switch roles[reference] {
    case .model(let target):
      return draft.isModel(index) ? DescribedType(.declared(target)) : .json("A value leads to no rows.")
    case .structure(let target), .enumeration(let target): return DescribedType(.declared(target))
    case .envelope: return .json("It holds rows.")
    case .alias, nil: break
    }
    let known = reference + (draft.isModel(index) ? "" : " in a value")
    if let found = aliases[known] { return found }
    guard let schema = document.schema(at: reference) else {
      return .json("“\(reference)” is not in the document.")
    }
    guard open.insert(reference).inserted else { return .json("It leads to itself.") }
    defer { open.remove(reference) }
    let found = type(of: schema, key, in: index, level: level + 1)
    // The alias has this type wherever it is used. Uses in values are kept apart, since only a model can refer to rows.
    aliases[known] = found
    return found
  }

  private mutating func type(
    ofOne variants: [SyncJSON], _ schema: SyncJSON, _ key: String, in index: Int, level: Int
  ) -> DescribedType {
    let types = variants.map { type(of: $0, key, in: index, level: level + 1) }
    let isNullable = schema.hasNullVariant || schema.allowsNull || types.contains(where: \.isNullable)
    let distinct = Set(types.map(\.type))
    let scalars = Set(types.compactMap { if case .scalar(let name) = $0.type { name } else { nil } })
    var found: DescribedType
    if distinct.count == 1, let first = types.first {
      found = first
    } else if scalars.count == distinct.count, !scalars.isEmpty {
      found = DescribedType(.scalar(DescribedType.common(scalars)))
    } else {
      found = .json(variants.isEmpty ? "Nothing is said of it." : "One of several.")
    }
    found.isNullable = isNullable
    return found
  }

  private mutating func plainType(of schema: SyncJSON, _ key: String, in index: Int, level: Int)
    -> DescribedType
  {
    if let cases = DescribedType.cases(of: schema) {
      return DescribedType(.declared(enumeration(cases, key, schema, in: index)))
    }
    if let items = schema["items"], schema.namedTypes.isEmpty || schema.namedTypes.contains("array") {
      let element = type(of: items, key, in: index, level: level + 1)
      if element.isNullable { return .json("Null is among the elements.") }
      if element.type == .scalar("JSON") { return DescribedType(.scalar("JSON"), comments: element.comments) }
      return DescribedType(.list(element.type), comments: element.comments)
    }
    let members = document.members(of: schema)
    if !members.list.isEmpty { return object(schema, members, key, in: index, level: level) }
    if let others = members.others {
      let value = type(of: others, key, in: index, level: level + 1)
      let isRow = draft.isRelationship(.init(name: "", type: value.type))
      if value.isNullable || isRow || value.type == .scalar("JSON") {
        return .json(isRow ? "Rows by their keys: a list with the key “\(key){}”." : "An object by keys.")
      }
      return DescribedType(.map(value.type), comments: value.comments)
    }
    return DescribedType(of: schema, document)
  }

  private mutating func object(
    _ schema: SyncJSON, _ members: SchemaDocument.Members, _ key: String, in index: Int, level: Int
  ) -> DescribedType {
    let isModel = identity(of: members) != nil && draft.isModel(index)
    guard isModel || !holdsRows(schema) else { return .json("It holds rows.") }
    let own = schema["title"]?.string.map { DraftName.type($0) } ?? DraftName.type(key, isList: true)
    let isTaken = draft.declarations.contains { $0.name == own }
    let name = isTaken ? draft.declarations[index].name + own : own
    let declared = add(isModel ? .model : .structure, name, schema)
    if isModel { addIdentity(of: schema, to: declared) }
    addMembers(of: schema, to: declared)
    return DescribedType(.declared(declared))
  }

  private mutating func enumeration(_ values: [String], _ key: String, _ schema: SyncJSON, in index: Int)
    -> Int
  {
    let own = schema["title"]?.string.map { DraftName.type($0) } ?? DraftName.type(key, isList: true)
    if let same = draft.enumeration(own, of: values) { return same }
    let isTaken = draft.declarations.contains { $0.name == own }
    return add(values, isTaken ? draft.declarations[index].name + own : own, schema)
  }
}
