import Syncline

extension SchemaDocument {
  /// The members of an object, and the set of required ones, collected from all parts of its schema.
  struct Members {
    private(set) var list: [(key: String, schema: SyncJSON)] = []
    var required: Set<String> = []
    /// The schema of the values of additional keys.
    var others: SyncJSON?
    private var positions: [String: Int] = [:]

    subscript(key: String) -> SyncJSON? { positions[key].map { list[$0].schema } }

    /// A string that is equal for objects with the same members.
    var signature: String { list.map(\.key).sorted().joined(separator: "\n") }

    fileprivate mutating func add(_ key: String, _ schema: SyncJSON) {
      if let known = positions[key] {
        // A later part replaces the schema if it has a type.
        if ["type", "$ref", "const", "enum"].contains(where: { schema[$0] != nil }) {
          list[known].schema = schema
        }
      } else {
        positions[key] = list.count
        list.append((key, schema))
      }
    }
  }

  func members(of schema: SyncJSON) -> Members {
    var members = Members()
    var seen: Set<String> = []
    collect(schema, &members, &seen, level: 0)
    return members
  }

  private func collect(_ schema: SyncJSON, _ members: inout Members, _ seen: inout Set<String>, level: Int) {
    guard level < SchemaDocument.levelLimit else { return }
    if let reference = schema["$ref"]?.string, seen.insert(reference).inserted,
      let target = self.schema(at: reference)
    {
      collect(target, &members, &seen, level: level + 1)
    }
    for part in schema["allOf"]?.array ?? [] { collect(part, &members, &seen, level: level + 1) }
    for (key, value) in schema["properties"]?.object ?? SyncJSONObject() { members.add(key, value) }
    members.required.formUnion(schema["required"]?.array?.compactMap(\.string) ?? [])
    if let others = schema["additionalProperties"], others.object?.isEmpty == false {
      members.others = others
    }
  }
}
