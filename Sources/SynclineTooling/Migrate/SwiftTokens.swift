import SynclineCompiler

/// The tokens of Swift source, in the detail that is needed to read the declarations of models.
struct SwiftTokens {
  enum Token: Hashable {
    /// A name, a number or a keyword.
    case word(String)
    /// A string literal, with its escapes resolved.
    case text(String)
    case interpolation
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
      } else if character == "\"" || character == "#", let literal = SwiftTextLiteral(&rest) {
        tokens.append((literal.text.map { .text($0) } ?? .interpolation, line))
        line += literal.lines
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

  /// Skips a comment, including nested ones, and returns its number of lines.
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
}

extension [SwiftTokens.Token] {
  var source: String {
    var (result, followsWord) = ("", false)
    for token in self {
      switch token {
      case .word(let word):
        result += (followsWord ? " " : "") + word
      case .text(let text): result += SwiftText.literal(text)
      case .interpolation: result += "\"…\""
      case .sign(let sign): result += sign == "," || sign == ":" ? "\(sign) " : "\(sign)"
      }
      if case .word = token { followsWord = true } else { followsWord = false }
    }
    return result
  }

  /// The tokens between top-level commas, ignoring commas in brackets.
  var elements: [[SwiftTokens.Token]] {
    var result: [[SwiftTokens.Token]] = [[]]
    var depth = 0
    for token in self {
      switch token {
      case .sign("("), .sign("["), .sign("{"), .sign("<"): depth += 1
      case .sign(")"), .sign("]"), .sign("}"), .sign(">"): depth -= 1
      case .sign(",") where depth == 0:
        result.append([])
        continue
      default: break
      }
      result[result.count - 1].append(token)
    }
    return result.filter { !$0.isEmpty }
  }

  /// The names, numbers and keywords.
  var words: [String] { compactMap { if case .word(let word) = $0 { word } else { nil } } }

  /// The last name in the first key path.
  var keyPathName: String? {
    guard let slash = firstIndex(of: .sign("\\")) else { return nil }
    return Array(self[slash...]).words.last
  }

  /// The key paths in each pair of square brackets, without the root type: `address.city` for `\Trip.address.city`.
  var keyPathGroups: [[String]] {
    var groups: [[String]] = []
    for part in split(whereSeparator: { $0 == .sign("[") }) {
      let paths = Array(part.prefix { $0 != .sign("]") }).elements.compactMap { element -> String? in
        guard element.first == .sign("\\") else { return nil }
        let hasRoot = element.dropFirst().first != .sign(".")
        return element.words.dropFirst(hasRoot ? 1 : 0).joined(separator: ".")
      }
      if !paths.isEmpty { groups.append(paths) }
    }
    return groups
  }
}
