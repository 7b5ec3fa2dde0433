extension Parser {
  private static let depthLimit = 64

  mutating func parseLiteral(depth: Int = 0) -> LiteralSyntax? {
    let start = current.range.lowerBound
    func literal(_ value: LiteralSyntax.Value) -> LiteralSyntax {
      LiteralSyntax(value: value, range: range(from: start))
    }
    switch current.kind {
    case .string:
      let value = parseText()
      advance()
      return literal(.text(value))
    case .minus, .number:
      return parseNumber(from: start).map(literal)
    case .leftBracket:
      return parseList(depth: depth)
    case .dot:
      advance()
      guard let name = parseName("the name of a case") else { return nil }
      guard current.kind == .leftParenthesis, !current.startsLine else { return literal(.member(name)) }
      skipParentheses()
      return literal(.call)
    case .backslash:
      return parseKeyPath().map(literal)
    case .identifier:
      let word = text
      guard !["true", "false", "nil"].contains(word) || peek(1)?.kind == .leftParenthesis else {
        advance()
        return literal(word == "nil" ? .null : .bool(word == "true"))
      }
      // A word on the next line is the next member.
      guard !current.startsLine || depth > 0 || position == 0 || peek(1)?.kind != .colon else {
        reportUnexpected("a value", atEndOfLine: true)
        return nil
      }
      return parseWord()
    default:
      reportUnexpected("a value")
      return nil
    }
  }

  private mutating func parseNumber(from start: Int) -> LiteralSyntax.Value? {
    let isNegative = accept(.minus)
    guard current.kind == .number else {
      reportUnexpected("a number")
      return nil
    }
    let digits = text
    advance()
    guard let number = Parser.number(digits) else {
      report(.invalidLiteral, "“\(digits)” is not a number", at: range(from: start))
      return .number("0")
    }
    return .number((isNegative ? "-" : "") + number)
  }

  private mutating func parseKeyPath() -> LiteralSyntax.Value? {
    advance()
    var root: NameSyntax?
    if current.kind == .identifier { root = parseName("the name of a model") }
    guard expect(.dot), let property = parseName("the name of a property") else { return nil }
    var members: [NameSyntax] = []
    while current.kind == .dot, !current.startsLine {
      advance()
      guard let member = parseName("the name of a member") else { return nil }
      members.append(member)
    }
    return .keyPath(root: root, property: property, members: members)
  }

  /// Parses an expression that is not a literal, so that the diagnostic can describe it: `word`, `Type.member`, `call()`.
  private mutating func parseWord() -> LiteralSyntax? {
    let start = current.range.lowerBound
    guard let first = parseName("a value") else { return nil }
    var last: NameSyntax?
    var isLong = false
    while current.kind == .dot, !current.startsLine, peek(1)?.kind == .identifier {
      advance()
      isLong = last != nil
      last = parseName("a name")
    }
    var value = last.map { LiteralSyntax.Value.path(root: first, member: $0) } ?? .word(first.text)
    if current.kind == .leftParenthesis, !current.startsLine {
      skipParentheses()
      isLong = true
    }
    if isLong { value = .call }
    return LiteralSyntax(value: value, range: range(from: start))
  }

  private mutating func parseList(depth: Int) -> LiteralSyntax? {
    let start = current.range.lowerBound
    guard depth < Parser.depthLimit else {
      report(
        .tooDeep, "lists are nested more than \(Parser.depthLimit) deep",
        at: currentRange)
      // Skip the brackets, so that only one error is reported.
      while current.kind == .leftBracket || current.kind == .rightBracket { advance() }
      return nil
    }
    advance()
    if current.kind == .colon, peek(1)?.kind == .rightBracket {
      advance()
      advance()
      return LiteralSyntax(value: .emptyMap, range: range(from: start))
    }
    var elements: [LiteralSyntax] = []
    while current.kind != .rightBracket, current.kind != .end {
      guard let element = parseLiteral(depth: depth + 1) else { return nil }
      elements.append(element)
      guard accept(.comma) else { break }
    }
    guard expect(.rightBracket) else { return nil }
    return LiteralSyntax(value: .list(elements), range: range(from: start))
  }

  /// The digits without underscores, if they are a decimal number.
  private static func number(_ digits: String) -> String? {
    let plain = digits.replacing("_", with: "")
    let parts = plain.lowercased().split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
    guard let mantissa = parts.first, mantissa.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
      mantissa.filter({ $0 == "." }).count <= 1
    else { return nil }
    if parts.count == 2 {
      let exponent = parts[1].drop { $0 == "+" || $0 == "-" }
      guard !exponent.isEmpty, exponent.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    }
    // JSON has no leading zeros.
    let rest = plain.drop { $0 == "0" }
    return rest.first?.isNumber ?? false ? String(rest) : "0" + rest
  }

  /// The content of a string between `#"` and `"#`. The lexer has already reported an unterminated one.
  private static func rawText(_ written: String) -> String {
    var content = written.unicodeScalars.dropFirst(2)
    if content.count > 1, content.suffix(2).elementsEqual("\"#".unicodeScalars) {
      content = content.dropLast(2)
    }
    return String(String.UnicodeScalarView(content))
  }

  /// The content of the current string token, with its escapes resolved. It is read by Unicode scalars, because a quote and a
  /// following accent are one `Character`.
  mutating func parseText() -> String {
    let range = currentRange
    // The lexer has already reported other quotes. Their content is used unchanged.
    let written = range.text
    if written.hasPrefix("\"\"\""), written.count > 5 { return String(written.dropFirst(3).dropLast(3)) }
    if written.unicodeScalars.starts(with: "#\"".unicodeScalars) { return Parser.rawText(written) }
    if written.utf8.first != UInt8(ascii: "\"") { return String(written.dropFirst().dropLast()) }
    var rest = written.unicodeScalars.dropFirst()
    if rest.last == "\"" { rest = rest.dropLast() }
    var result = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "\"": result.append("\"")
      case "\\": result.append("\\")
      case "n": result.append("\n")
      case "t": result.append("\t")
      case "r": result.append("\r")
      case "u" where rest.first == "{":
        let digits = String(rest.dropFirst().prefix { $0 != "}" })
        rest = rest.dropFirst(digits.unicodeScalars.count + 1)
        let isClosed = rest.popFirst() != nil
        if isClosed, digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
          let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
        {
          result.append(scalar)
        } else {
          report(.invalidLiteral, "“\\u{\(digits)\(isClosed ? "}" : "")” is not a character", at: range)
        }
      case let other?: report(.invalidLiteral, "“\\\(other)” is not an escape sequence", at: range)
      // The lexer has already reported the unterminated string.
      case nil: break
      }
    }
    return String(result)
  }
}
