/// Splits source into tokens and trivia, which together cover every byte.
package struct Lexer {
  let file: SourceFile
  let bytes: [UInt8]
  var offset = 0
  private var tokens: [Token] = []
  private var trivia: [TriviaPiece] = []
  private var lastKind: Token.Kind?
  /// The problems of the source, in order.
  var problems = DiagnosticBag()
  /// Whether an unterminated comment contains the rest of the file.
  var isCut = false
  /// The number of open parentheses.
  var openParentheses = 0

  /// The result of lexing a file.
  package struct Output {
    package let tokens: [Token]
    package let trivia: [TriviaPiece]
    let problems: [Diagnostic]
    package let isCut: Bool
  }

  package static func scan(_ file: SourceFile) -> Output {
    var lexer = Lexer(file)
    lexer.run()
    return Output(
      tokens: lexer.tokens, trivia: lexer.trivia, problems: lexer.problems.diagnostics, isCut: lexer.isCut)
  }

  private init(_ file: SourceFile) {
    self.file = file
    bytes = file.bytes
  }

  private mutating func run() {
    var leading = 0
    var startsLine = true
    scanTrivia()
    while offset < bytes.count {
      let start = offset
      let end = trivia.count
      let kind = scanToken()
      lastKind = kind
      let range = start..<offset
      scanTrivia()
      // Trivia after a token on the same line belongs to that token; a line break and the trivia after it belong to the next
      // token.
      let trailing = end..<(trivia[end...].firstIndex(where: endsLine) ?? trivia.count)
      tokens.append(
        Token(kind: kind, leading: leading..<end, range: range, trailing: trailing, startsLine: startsLine))
      leading = trailing.upperBound
      startsLine = leading < trivia.count
    }
    tokens.append(
      Token(
        kind: .end, leading: leading..<trivia.count, range: offset..<offset,
        trailing: trivia.count..<trivia.count, startsLine: true))
  }

  private func endsLine(_ piece: TriviaPiece) -> Bool {
    switch piece.kind {
    case .newline: true
    case .blockComment, .unexpected:
      file.lineIndex(of: piece.range.lowerBound) < file.lineIndex(of: piece.range.upperBound)
    default: false
    }
  }

  // MARK: Trivia

  private mutating func scanTrivia() {
    if offset == 0, bytes.starts(with: SourceFile.byteOrderMark) {
      offset = 3
      trivia.append(TriviaPiece(kind: .blank, range: 0..<3))
    }
    while offset < bytes.count {
      let start = offset
      guard let kind = scanPiece() else { return }
      trivia.append(TriviaPiece(kind: kind, range: start..<offset))
    }
  }

  private mutating func scanPiece() -> TriviaPiece.Kind? {
    switch bytes[offset] {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      offset += 1
      return .newline
    case UInt8(ascii: " "), UInt8(ascii: "\t"), 0x0B, 0x0C:
      while let byte = peek(0), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte &- 0x0B < 2 {
        offset += 1
      }
      return .blank
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
      let isDocumentation = peek(2) == UInt8(ascii: "/") && peek(3) != UInt8(ascii: "/")
      skipLine()
      return isDocumentation ? .documentation : .lineComment
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
      skipBlockComment()
      return .blockComment
    case UInt8(ascii: "#"): return skipHashComment() ? .unexpected : nil
    case UInt8(ascii: "-"): return skipDashComment() ? .unexpected : nil
    case UInt8(ascii: "\""): return mayDocument && skipLongDocumentation() ? .unexpected : nil
    case 0..<0x20, 0x7F...: return skipInvisible() ? .unexpected : nil
    default: return nil
    }
  }

  /// Whether a string here would be documentation, because the last token cannot be followed by a value.
  private var mayDocument: Bool {
    switch lastKind {
    case .colon?, .equals?, .comma?, .leftParenthesis?, .leftBracket?, .minus?: false
    default: true
    }
  }

  mutating func skipLine() {
    while offset < bytes.count, !isLineEnd(bytes[offset]) { offset += 1 }
  }

  /// Skips a block comment, including nested ones.
  private mutating func skipBlockComment() {
    let start = offset
    var depth = 0
    while offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        depth += 1
        offset += 2
      } else if bytes[offset] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        depth -= 1
        offset += 2
        if depth == 0 { return }
      } else {
        offset += 1
      }
    }
    isCut = true
    report(.unterminatedComment, "unterminated comment", start..<min(start + 2, bytes.count))
  }

  // MARK: Tokens

  func peek(_ distance: Int) -> UInt8? {
    offset + distance < bytes.count ? bytes[offset + distance] : nil
  }

  private mutating func scanToken() -> Token.Kind {
    let byte = bytes[offset]
    if let kind = Lexer.punctuation(byte) {
      offset += 1
      if kind == .leftParenthesis { openParentheses += 1 }
      if kind == .rightParenthesis { openParentheses = max(0, openParentheses - 1) }
      // Parentheses cannot contain braces, so a brace ends unclosed parentheses.
      if kind == .leftBrace || kind == .rightBrace { openParentheses = 0 }
      return kind
    }
    if byte == UInt8(ascii: "\"") { return scanString() }
    if byte == UInt8(ascii: "#"), peek(1) == UInt8(ascii: "\"") { return scanRawString() }
    if byte &- UInt8(ascii: "0") < 10 { return scanNumber() }
    return scanIdentifier()
  }

  static func punctuation(_ byte: UInt8) -> Token.Kind? {
    switch Unicode.Scalar(byte) {
    case "{": .leftBrace
    case "}": .rightBrace
    case "(": .leftParenthesis
    case ")": .rightParenthesis
    case "[": .leftBracket
    case "]": .rightBracket
    case "<": .leftAngle
    case ">": .rightAngle
    case ":": .colon
    case ",": .comma
    case ";": .semicolon
    case ".": .dot
    case "?": .question
    case "!": .exclamation
    case "=": .equals
    case "@": .at
    case "\\": .backslash
    case "-": .minus
    default: nil
    }
  }

  private mutating func scanNumber() -> Token.Kind {
    func isPart(_ byte: UInt8) -> Bool {
      byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_") || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }
    while let byte = peek(0) {
      if isPart(byte) {
        offset += 1
        let isExponent = byte | 0x20 == UInt8(ascii: "e")
        if isExponent, let sign = peek(0), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
          offset += 1
        }
      } else if byte == UInt8(ascii: "."), let next = peek(1), next &- UInt8(ascii: "0") < 10 {
        offset += 1
      } else {
        break
      }
    }
    return .number
  }

  /// Scans an identifier by Swift's rules, or a run of characters that start no token.
  private mutating func scanIdentifier() -> Token.Kind {
    let start = offset
    while let (scalar, length) = scalar(at: offset), isIdentifierPart(scalar, isFirst: offset == start) {
      offset += length
    }
    if offset > start {
      while skipInvisibleLetters() {}
      return .identifier
    }
    return scanForeign()
  }

  func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

  func isIdentifierPart(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
    if scalar.isASCII {
      let byte = UInt8(truncatingIfNeeded: scalar.value)
      return byte == UInt8(ascii: "_") || (byte | 0x20) &- UInt8(ascii: "a") < 26
        || (!isFirst && byte &- UInt8(ascii: "0") < 10)
    }
    if isFirst ? scalar.properties.isXIDStart : scalar.properties.isXIDContinue { return true }
    // Emoji in the basic multilingual plane are operators in Swift.
    if scalar.properties.isEmoji, scalar.value > 0xFFFF { return true }
    return !isFirst && (scalar == "\u{FE0F}" || scalar == "\u{200D}")
  }

  func startsToken(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isASCII else { return isIdentifierPart(scalar, isFirst: true) }
    let byte = UInt8(truncatingIfNeeded: scalar.value)
    return Lexer.punctuation(byte) != nil || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "/")
      || byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte) || byte &- UInt8(ascii: "0") < 10
      || isIdentifierPart(scalar, isFirst: true)
  }

  func scalar(at offset: Int) -> (scalar: Unicode.Scalar, length: Int)? {
    guard offset < bytes.count else { return nil }
    let lead = bytes[offset]
    if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    let end = min(offset + length, bytes.count)
    guard let scalar = String(decoding: bytes[offset..<end], as: UTF8.self).unicodeScalars.first else {
      return nil
    }
    return (scalar, end - offset)
  }

  mutating func report(_ code: DiagnosticCode, _ message: String, _ range: Range<Int>) {
    problems.error(code, message, at: file.range(range))
  }
}
