/// A Swift string literal: single-line or multi-line, with or without number signs.
struct SwiftTextLiteral {
  /// The string; nil if the literal has interpolations.
  private(set) var text: String?
  /// The number of line breaks in the literal.
  private(set) var lines = 0
  private static let levelLimit = 16

  /// Reads a literal and removes it from the start of the source.
  ///
  /// - Parameter level: the number of enclosing interpolations.
  /// - Returns: nil if the source does not begin with a literal.
  init?(_ rest: inout Substring, level: Int = 0) {
    let signs = String(rest.prefix { $0 == "#" })
    let body = rest.dropFirst(signs.count)
    guard body.first == "\"" else { return nil }
    let quotes = body.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
    rest = body.dropFirst(quotes.count)
    let (end, escape) = (quotes + signs, "\\" + signs)
    var (text, isLiteral) = ("", true)
    while let character = rest.first, !rest.hasPrefix(end) {
      if rest.hasPrefix(escape) {
        rest = rest.dropFirst(escape.count)
        // The next line continues this one.
        if rest.first(where: { $0 != " " && $0 != "\t" })?.isNewline ?? true { isLiteral = false }
        guard rest.first == "(" else {
          text += SwiftTextLiteral.escaped(&rest)
          continue
        }
        isLiteral = false
        lines += SwiftTextLiteral.skipInterpolation(&rest, level: level)
        continue
      }
      if character.isNewline {
        // An unterminated literal ends with its line.
        guard quotes.count == 3 else { break }
        lines += 1
      }
      text.append(character)
      rest = rest.dropFirst()
    }
    if rest.hasPrefix(end) { rest = rest.dropFirst(end.count) }
    if isLiteral { self.text = quotes.count == 3 ? SwiftTextLiteral.unindented(text) : text }
  }

  private static func escaped(_ rest: inout Substring) -> String {
    guard let character = rest.first, !character.isNewline else { return "" }
    rest = rest.dropFirst()
    switch character {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "0": return "\0"
    case "u" where rest.first == "{":
      let digits = rest.dropFirst().prefix { $0 != "}" && !$0.isNewline }
      rest = rest.dropFirst(digits.count + 2)
      return UInt32(digits, radix: 16)
        .flatMap { Unicode.Scalar($0) }.map { String(Character($0)) } ?? ""
    default: return String(character)
    }
  }

  /// Skips an interpolation, starting at its parenthesis, and returns its number of line breaks.
  private static func skipInterpolation(_ rest: inout Substring, level: Int) -> Int {
    var (depth, lines) = (0, 0)
    while let character = rest.first {
      if character == "\"", level < levelLimit, let literal = SwiftTextLiteral(&rest, level: level + 1) {
        lines += literal.lines
        continue
      }
      rest = rest.dropFirst()
      if character.isNewline { lines += 1 }
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth <= 0 { break }
    }
    return lines
  }

  /// The lines of a literal without the indentation of its last line.
  private static func unindented(_ text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.count > 1, let indentation = lines.last else { return text }
    return lines.dropFirst().dropLast().map { line in
      line.hasPrefix(indentation) ? line.dropFirst(indentation.count) : line
    }.joined(separator: "\n")
  }
}
