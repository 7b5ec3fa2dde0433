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
  private var pairs: [Pair] = []
  /// A pair of a list of pairs: the keys of its name and value, and its name.
  private struct Pair {
    let name, value, pair: String
    let schema: SchemaTree
    let isRequired: Bool
  }

  /// Groups of members, of which at least one must be present.
  private var alternatives: [[String]] = []

  /// Whether a value that is not a list is read as a list of one.
  private var acceptsSingleValues = false

  /// Whether it describes a member of list elements that are rows, and is required in each.
  private var isElement = false

  /// Adds a schema at a path.
  ///
  /// - Parameters:
  ///   - acceptsSingleValues: whether a single value in the place of a list (`[]`) is read as a list of one.
  ///   - isElement: whether the path selects a member of each element of a list of rows.
  func add(
    _ schema: SyncJSON, at path: [RemotePath.Step], isRequired: Bool, ofRows: Bool = false,
    acceptsSingleValues: Bool = false, isElement: Bool = false
  ) {
    self.isElement = self.isElement || isElement
    guard let step = path.first else { return schemas.append(schema) }
    let rest = Array(path.dropFirst())
    let next: SchemaTree
    switch step {
    case .member(let name):
      if isRequired { required.insert(name) }
      return member(name).add(
        schema, at: rest, isRequired: isRequired, ofRows: ofRows, acceptsSingleValues: acceptsSingleValues,
        isElement: isElement)
    case .pairs(let name, let value):
      guard case .member(let pair)? = rest.first else { return }
      next = SchemaTree()
      pairs.append(Pair(name: name, value: value, pair: pair, schema: next, isRequired: isRequired))
      return next.add(schema, at: Array(rest.dropFirst()), isRequired: isRequired)
    case .each:
      next = element ?? SchemaTree()
      element = next
      if acceptsSingleValues { self.acceptsSingleValues = true }
    case .members:
      next = value ?? SchemaTree()
      value = next
    case .index(let index):
      next = indices[index] ?? SchemaTree()
      indices[index] = next
    }
    next.add(
      schema, at: rest, isRequired: isRequired || ofRows, ofRows: ofRows,
      acceptsSingleValues: acceptsSingleValues,
      isElement: ofRows)
  }

  /// Requires at least one of the members that paths begin with, in the innermost object that all paths lead through.
  func require(anyOf paths: [ArraySlice<RemotePath.Step>]) {
    let names = paths.compactMap { if case .member(let name)? = $0.first { name } else { nil } }
    guard let name = names.first, names.count == paths.count, names.allSatisfy({ $0 == name }),
      paths.allSatisfy({ $0.count > 1 })
    else { return alternatives.append(names) }
    required.insert(name)
    member(name).require(anyOf: paths.map { $0.dropFirst() })
  }

  private var listOfPairs: SyncJSON {
    func named(_ pair: Pair) -> SyncJSON { ["properties": [pair.name: ["const": .string(pair.pair)]]] }
    let items = pairs.map { pair -> SyncJSON in
      [
        "type": "object", "required": [.string(pair.name), .string(pair.value)], "if": named(pair),
        "then": ["properties": [pair.value: pair.schema.schema()]],
      ]
    }
    let required = pairs.filter(\.isRequired).map { ["contains": named($0)] as SyncJSON }
    let list: SyncJSON = ["items": ["allOf": .array(items)]]
    return required.isEmpty
      ? ["type": ["array", "null"], "allOf": [list]]
      : ["type": "array", "allOf": .array([list] + required)]
  }

  private func member(_ name: String) -> SchemaTree {
    if let known = members[name] { return known }
    let new = SchemaTree()
    members[name] = new
    names.append(name)
    return new
  }

  /// - Parameters:
  ///   - isRow: whether it is a row, which is never null.
  ///   - isList: whether the row is a list.
  func schema(isRow: Bool = false, isList: Bool = false) -> SyncJSON {
    var parts = schemas
    if !names.isEmpty || (isRow && !isList) {
      var object: [(String, SyncJSON)] = [
        (
          "type",
          isRow || isElement || !required.isEmpty || !alternatives.isEmpty ? "object" : ["object", "null"]
        )
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
      parts.append(acceptsSingleValues ? ScalarSchemas.any(list, item) : list)
    }
    if let value { parts.append(["type": ["object", "null"], "additionalProperties": value.schema()]) }
    if let last = indices.keys.max() {
      let items = (0...min(last, 100)).map { indices[$0]?.schema() ?? true }
      parts.append(["type": isList ? "array" : ["array", "null"], "prefixItems": .array(items)])
    }
    if !pairs.isEmpty { parts.append(listOfPairs) }
    if parts.count == 1 { return parts[0] }
    return parts.isEmpty ? true : ["allOf": .array(parts)]
  }
}
