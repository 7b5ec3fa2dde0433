/// Makes quoted schema source safe to print: it may contain line ends, terminal control characters, or be very long.
package enum DiagnosticText {
  private static let quoteLimit = 100
  private static let messageLimit = 1000

  /// A message as one line, with quoted source shortened to a readable length.
  static func line(_ message: String) -> String {
    var result = ""
    var (total, quoted) = (0, 0)
    var isQuoted = false
    for scalar in message.unicodeScalars {
      if scalar == "”" { isQuoted = false }
      if scalar == "“" { (isQuoted, quoted) = (true, -1) }
      if isQuoted { quoted += 1 }
      if isQuoted, quoted > quoteLimit {
        if quoted == quoteLimit + 1 { result += "…" }
        continue
      }
      total += 1
      guard total <= messageLimit else { return result + "…" }
      if isShown(scalar) { result.unicodeScalars.append(scalar) } else { result += escape(scalar) }
    }
    return result
  }

  /// One line of printable characters: a terminal shows all of it and interprets nothing as a control sequence.
  package static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += isShown($1) ? String($1) : escape($1) }
  }

  /// Whether a scalar may be printed unescaped.
  static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    // These change the direction of the text after them.
    case .format: !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
    default: true
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }
}
