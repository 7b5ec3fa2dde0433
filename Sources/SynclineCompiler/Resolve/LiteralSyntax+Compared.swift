extension LiteralSyntax {
  /// The value to compare with JSON; nil if it is not a string, a number in range or a boolean.
  var comparedValue: DefaultValue? {
    if case .null = value { return nil }
    return DefaultResolver(cases: [:]).value(self, .value(.scalar(.json)))
  }

  /// The reason why a value cannot be compared with a JSON value, as the end of a sentence, and a correction.
  var notCompared: (why: String, corrected: String?)? {
    guard comparedValue == nil else { return nil }
    switch value {
    case .number: return ("is out of range", nil)
    case .word(let word): return ("is not a value", SwiftText.literal(word))
    case .member(let name), .path(_, let name): return ("is not a value", SwiftText.literal(name.text))
    case .null: return ("marks no row, since null never does", nil)
    case .text, .bool, .list, .emptyMap, .keyPath, .call: return ("cannot be compared", nil)
    }
  }
}
