/// The key that a property is exported under, and its components: more than one where it is a path.
struct ExportKey {
  let text: String
  let path: [String]

  init(_ text: String) {
    self.text = text
    path = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }
}

extension SyncJSONObject {
  /// Sets a value at a path. Objects are merged, and a null never replaces an object.
  mutating func merge(_ json: SyncJSON, at path: ArraySlice<String>) {
    guard let key = path.first else { return }
    guard let present = self[key] else { return append(key, json.nested(at: path.dropFirst())) }
    guard case .object(var inner) = present else {
      self[key] = json.nested(at: path.dropFirst())
      return
    }
    if path.count > 1 {
      inner.merge(json, at: path.dropFirst())
    } else {
      guard case .object(let members) = json else { return }
      for (name, value) in members { inner.merge(value, at: [name]) }
    }
    self[key] = .object(inner)
  }
}

extension SyncJSON {
  /// The value inside of the objects of a path.
  fileprivate func nested(at path: ArraySlice<String>) -> SyncJSON {
    path.reversed().reduce(self) { .object(SyncJSONObject([($1, $0)])) }
  }
}
