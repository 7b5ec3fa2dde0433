/// The tokens of Swift source, as detailed as reading the declarations of models requires.
struct SwiftTokens {
  enum Token: Equatable {
    /// A name, a number or a keyword.
    case word(String)
    /// A string literal without interpolation, as written.
    case text(String)
    case sign(Character)
  }

  private(set) var tokens: [(token: Token, line: Int)] = []

  init(_ source: String) {
    var rest = Substring(source)
    var line = 1
    while let character = rest.first {
      if rest.hasPrefix("//") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        line += SwiftTokens.skipComment(&rest)
      } else if rest.hasPrefix("\"\"\"") {
        let body = rest.dropFirst(3)
        let end = body.range(of: "\"\"\"")?.upperBound ?? body.endIndex
        line += body[..<end].count(where: \.isNewline)
        rest = body[end...]
      } else if character == "\"" {
        tokens.append((.text(SwiftTokens.text(&rest)), line))
      } else if character.isLetter || character.isNumber || character == "_" || character == "`" {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "`" }
        tokens.append((.word(word.filter { $0 != "`" }), line))
        rest = rest.dropFirst(word.count)
      } else {
        if character.isNewline { line += 1 }
        if !character.isWhitespace { tokens.append((.sign(character), line)) }
        rest = rest.dropFirst()
      }
    }
  }

  /// Skips a comment, which may be nested, and returns its number of lines.
  private static func skipComment(_ rest: inout Substring) -> Int {
    var (depth, lines) = (0, 0)
    while let character = rest.first {
      if rest.hasPrefix("/*") {
        depth += 1
        rest = rest.dropFirst(2)
      } else if rest.hasPrefix("*/") {
        depth -= 1
        rest = rest.dropFirst(2)
        if depth == 0 { return lines }
      } else {
        if character.isNewline { lines += 1 }
        rest = rest.dropFirst()
      }
    }
    return lines
  }

  private static func text(_ rest: inout Substring) -> String {
    rest = rest.dropFirst()
    var text = ""
    while let character = rest.first, character != "\"", !character.isNewline {
      rest = rest.dropFirst()
      guard character == "\\" else {
        text.append(character)
        continue
      }
      switch rest.first {
      case "n": text += "\n"
      case "t": text += "\t"
      case let other?: text.append(other)
      case nil: break
      }
      rest = rest.dropFirst()
    }
    rest = rest.dropFirst()
    return text
  }
}
