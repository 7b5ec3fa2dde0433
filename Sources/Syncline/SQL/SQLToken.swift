import Foundation

/// A token of SQL, with enough detail to find what an expression depends on.
enum SQLToken: Equatable {
  /// An unquoted word in uppercase: a keyword, a function or a name.
  case word(String)
  /// A quoted name.
  case name(String)
  case parameter
  /// A literal, or one character of punctuation.
  case other(Character)

  /// A token with its text.
  struct Piece {
    let token: SQLToken
    let text: Substring

    /// The text, of a name without its quotes.
    var unquoted: String { token.name ?? String(text) }
  }

  /// The tokens of a statement, each with its text. Comments are skipped.
  static func pieces(of sql: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = Substring(sql)
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
        continue
      }
      if skipComment(&rest) { continue }
      let start = rest.startIndex
      let token = next(first, &rest)
      pieces.append(Piece(token: token, text: sql[start..<rest.startIndex]))
    }
    return pieces
  }

  /// The quoted name.
  var name: String? {
    if case .name(let name) = self { name } else { nil }
  }

  private static func skipComment(_ rest: inout Substring) -> Bool {
    if rest.hasPrefix("--") {
      rest = rest.drop { !$0.isNewline }
      return true
    }
    guard rest.hasPrefix("/*") else { return false }
    rest = rest.range(of: "*/").map { rest[$0.upperBound...] } ?? rest[rest.endIndex...]
    return true
  }

  private static func next(_ first: Character, _ rest: inout Substring) -> SQLToken {
    if let text = quoted(&rest) { return first == "'" ? .other("'") : .name(text) }
    let isParameter = "?:@$".contains(first)
    if !isParameter, isWordCharacter(first) {
      let word = rest.prefix(while: isWordCharacter)
      rest = rest[word.endIndex...]
      return first.isNumber ? .other("0") : .word(word.uppercased())
    }
    rest.removeFirst()
    guard isParameter else { return .other(first) }
    rest = rest.drop(while: isWordCharacter)
    return .parameter
  }

  /// Words and the names of parameters may contain `$`, with which other parameters begin.
  private static func isWordCharacter(_ character: Character) -> Bool {
    character == "_" || character == "$" || character.isLetter || character.isNumber
  }

  /// Reads a quoted string; nil if there is none. Doubled quotes mean one quote.
  private static func quoted(_ rest: inout Substring) -> String? {
    guard let quote = rest.first, "\"'`[".contains(quote) else { return nil }
    let end: Character = quote == "[" ? "]" : quote
    rest.removeFirst()
    var text = ""
    while let next = rest.popFirst() {
      if next == end {
        guard quote != "[", rest.first == end else { break }
        rest.removeFirst()
      }
      text.append(next)
    }
    return text
  }
}

extension ArraySlice<SQLToken.Piece> {
  /// Whether the expression depends on one row of one table only.
  ///
  /// A database region shows neither that a table is used twice, nor that a function's result changes by itself.
  var dependOnRowAlone: Bool {
    indices.allSatisfy { index in
      let isCall = self[(index + 1)...].first?.token == .other("(")
      switch self[index].token {
      // A table without parentheses is a subquery.
      case .word("IN"): return isCall
      case .word(let word):
        if SQLToken.nondeterministicWords.contains(word) { return false }
        return !isCall || SQLToken.operators.contains(word) || SQLToken.deterministicFunctions.contains(word)
      // A quoted name may be a function call too.
      case .name: return !isCall
      default: return true
      }
    }
  }
}

extension SQLToken {
  fileprivate static let nondeterministicWords: Set = [
    "SELECT", "OVER", "EXISTS", "MATCH", "REGEXP", "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP",
  ]
  /// Words that may precede a parenthesis without being a function call.
  fileprivate static let operators: Set = [
    "AND", "OR", "NOT", "IN", "IS", "LIKE", "GLOB", "ESCAPE", "BETWEEN", "CASE", "WHEN", "THEN", "ELSE",
    "ISNULL", "NOTNULL", "COLLATE", "DISTINCT", "FROM", "WHERE", "BY", "LIMIT",
  ]
  fileprivate static let deterministicFunctions: Set = [
    "ABS", "CAST", "CEIL", "CEILING", "CHAR", "COALESCE", "FLOOR", "FORMAT", "HEX", "IFNULL", "IIF", "INSTR",
    "JSON", "JSON_ARRAY", "JSON_ARRAY_LENGTH", "JSON_EXTRACT", "JSON_OBJECT", "JSON_TYPE", "JSON_VALID",
    "LENGTH", "LOWER", "LTRIM", "MAX", "MIN", "MOD", "NULLIF", "OCTET_LENGTH", "PRINTF", "QUOTE", "REPLACE",
    "ROUND", "RTRIM", "SIGN", "SUBSTR", "SUBSTRING", "TRIM", "TRUNC", "TYPEOF", "UNHEX", "UNICODE", "UPPER",
  ]
}

extension ArraySlice<SQLToken.Piece> {
  /// The columns that a condition requires to equal a parameter, each with the number of the parameter.
  var equalities: [(column: String, parameter: Int)] {
    var found: [(String, Int)] = []
    var parameter = 0
    for part in conjuncts {
      let isInParentheses = part.first?.token == .other("(") && part.last?.token == .other(")")
      let tokens = (isInParentheses ? part.dropFirst().dropLast() : part).map(\.token)
      if tokens.count == 3, case .name(let column) = tokens[0], tokens[1] == .other("="),
        tokens[2] == .parameter
      {
        found.append((column, parameter))
      }
      parameter += part.count { $0.token == .parameter }
    }
    return found
  }

  /// The conditions that are joined by `AND`; the whole condition if it cannot be split safely.
  private var conjuncts: [ArraySlice] {
    // `BETWEEN` has its own `AND`.
    let hasOtherWords = indicesAtTop.contains { index in
      if case .word(let word) = self[index].token { word != "AND" } else { false }
    }
    return hasOtherWords ? [self] : splitAtTop(by: .word("AND"))
  }

  /// The text from the first piece to the last.
  var sql: String {
    guard let first, let last else { return "" }
    return String(first.text.base[first.text.startIndex..<last.text.endIndex])
  }

  /// The parts between separators that are outside of all parentheses.
  func splitAtTop(by separator: SQLToken) -> [ArraySlice] {
    var parts: [ArraySlice] = []
    var start = startIndex
    for index in indicesAtTop where self[index].token == separator {
      parts.append(self[start..<index])
      start = index + 1
    }
    return parts + [self[start..<endIndex]]
  }

  /// The indices outside all parentheses.
  var indicesAtTop: [Int] {
    var depth = 0
    return indices.filter { index in
      if self[index].token == .other("(") { depth += 1 }
      if self[index].token == .other(")") { depth -= 1 }
      return depth == 0
    }
  }

  /// The indices of a keyword outside all parentheses.
  func indicesAtTop(of word: String) -> [Int] { indicesAtTop.filter { self[$0].token == .word(word) } }
}
