import Syncline

extension DocumentInference {
  func role(of reference: String) -> Role? { roles[document.canonical(reference)] }

  /// The model or struct that a schema has become.
  func object(_ role: Role?) -> Int? {
    guard case .declared(let index)? = role else { return nil }
    return switch draft.declarations[index].kind {
    case .model, .structure: index
    case .enumeration, .union: nil
    }
  }

  private struct RowSearch {
    var references: Set<String> = []
    /// The number of schemas that may still be visited. A member of `allOf` is visited in its part and among all members.
    var rest = 20_000
  }

  func holdsRows(_ schema: SyncJSON) -> Bool {
    var search = RowSearch()
    return holdsRows(schema, &search, level: 0)
  }

  private func holdsRows(_ schema: SyncJSON, _ search: inout RowSearch, level: Int) -> Bool {
    search.rest -= 1
    guard level < SchemaDocument.levelLimit, search.rest > 0 else { return false }
    if let reference = schema["$ref"]?.string {
      switch role(of: reference) {
      case .declared(let index)?: return draft.leadsToModel(.declared(index))
      case .envelope?: return true
      case .alias?, nil: break
      }
      guard search.references.insert(reference).inserted, let target = document.schema(at: reference) else {
        return false
      }
      return holdsRows(target, &search, level: level + 1)
    }
    if let items = schema["items"], holdsRows(items, &search, level: level + 1) { return true }
    let parts = (schema["allOf"]?.array ?? []) + (schema.variants ?? [])
    let members = document.members(of: schema)
    if level > 0, usualIdentity(of: members) != nil { return true }
    for part in parts + members.list.map(\.schema) where holdsRows(part, &search, level: level + 1) {
      return true
    }
    return false
  }
}
