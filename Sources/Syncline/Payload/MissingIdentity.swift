extension PayloadObject {
  /// Why a value of a relationship names no row: which keys of an object were looked for, or what a scalar is.
  func missingIdentity(of value: SyncValue, in table: SyncTable) -> String {
    guard value.isObject else { return "\(value.summary) names no \(table.name)" }
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

extension [String] {
  /// The texts in quotes, the last two joined by “or”.
  var quotedList: String {
    let quoted = map { "“\($0)”" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }
}
