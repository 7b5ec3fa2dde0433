extension PayloadObject {
  /// Why a value of a relationship names no row: which keys of an object were looked for, or what a scalar is.
  ///
  /// - Parameter value: nil where a path to it leads through what is no object.
  func missingIdentity(of value: SyncValue?, in table: SyncTable) -> String {
    guard let value else { return "no object on the path to the \(table.name)" }
    guard value.isObject else {
      return "\(value.summary) names no \(table.name)" + otherType(of: value, in: table)
    }
    let keys = table.keyTable(style)
    for candidate in keys.candidates[table.identity] {
      guard let member = value.member(keys.names[candidate.name]) else { continue }
      let found: String
      switch PayloadObject.follow(candidate.rest, from: member) {
      case .absent: continue
      case .null: found = "null"
      case .unreadable: found = "no object on the path"
      case .found(let value): found = value.summary
      }
      return "its “\(candidate.text)” is no identity of \(table.name): \(found)"
    }
    // A path is two candidates of one text.
    var texts: [String] = []
    for text in keys.candidates[table.identity].map(\.text) where !texts.contains(text) { texts.append(text) }
    return "the object has no identity of \(table.name), which is read from \(texts.quotedList)"
  }
}

extension PayloadObject {
  /// What is said of a key that names a row, but is of another JSON type than the identities.
  private func otherType(of value: SyncValue, in table: SyncTable) -> String {
    guard !readsKeysAsIdentities, table.identityKind.identity(in: value) != nil else { return "" }
    let type = if case .text = table.identityKind { "text" } else { "integers" }
    return ": its identities are \(type), and so are keys of it (see SyncConfiguration.foreignKeys)"
  }
}

extension [String] {
  /// The texts in quotes, the last two joined by “or”.
  var quotedList: String {
    let quoted = map { "“\($0)”" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }
}
