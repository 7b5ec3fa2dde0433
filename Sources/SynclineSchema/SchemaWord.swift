/// An attribute, an argument or a setting as a snapshot records it: `@DateFormat("yyyy")`, `deleteRule: .cascade`, `= 3`.
struct SchemaWord {
  /// The default of a property.
  static let defaultHead = "="

  /// The name: `@DateFormat`, `deleteRule`, `=`. For a property without a column it includes the property: `@Transient note`.
  let head: String
  /// The argument: `"yyyy"`, `.cascade`, `3`.
  let value: String

  init(_ text: String) {
    if text.hasPrefix("= ") {
      head = SchemaWord.defaultHead
      value = String(text.dropFirst(2))
      return
    }
    head = String(text.prefix { $0 != "(" && $0 != ":" })
    let rest = text.dropFirst(head.count)
    value = String(rest.hasPrefix("(") ? rest.dropFirst().dropLast() : rest.dropFirst(2))
  }

  /// The effect of a word on an area: a clause about a schema with the word, and a clause about a schema without it.
  struct Meaning {
    let area: SchemaEffect.Area
    /// The clause for a value of the word; nil for a schema without it.
    let clause: (String?) -> String

    init(_ area: SchemaEffect.Area, _ without: String, _ with: @escaping (String) -> String) {
      self.area = area
      clause = { $0.map(with) ?? without }
    }
  }

  /// The words that have different values in two lists, in the order of the lists.
  static func changes(
    from old: [SchemaWord], to new: [SchemaWord]
  ) -> [(head: String, old: String?, new: String?)] {
    let (before, today) = (old.first(by: \.head), new.first(by: \.head))
    let heads = new.map(\.head) + old.map(\.head).filter { today[$0] == nil }
    return heads.map { ($0, before[$0]?.value, today[$0]?.value) }.filter { $0.1 != $0.2 }
  }
}
