extension Parser {
  /// Finds the opening brace of a body. Returns its position, or the position of the name after which it is missing; nil without a
  /// body.
  mutating func openBody(of subject: String) -> Int? {
    let start = position
    let isBase = current.kind == .colon
    // `data class User(val id: Int)`
    if let end = constructorEnd { advance(to: end + 1) }
    let hasBrace = hasBraceOnLine
    while current.kind != .leftBrace, !current.startsLine, current.kind != .rightBrace, current.kind != .end,
      hasBrace || !startsMember(at: position)
    {
      advance()
    }
    let open = position
    let written = range(from: tokens[start].range.lowerBound)
    if accept(.leftBrace) {
      if followsOnLine(.leftBrace) { skipExtraToken() }
      if open > start { reportGap(from: start, to: open, isBase, of: subject) }
      return open
    }
    return reportMissingBrace(from: start, written, of: subject)
  }

  /// Reports the unexpected tokens between the name of a declaration and its opening brace.
  private mutating func reportGap(from start: Int, to open: Int, _ isBase: Bool, of subject: String) {
    let written = range(ofTokens: start...open - 1)
    let isGeneric = tokens[start].kind == .leftAngle
    if isGeneric {
      typeParameters = Set((start..<open).filter { tokens[$0].kind == .identifier }.map { text(at: $0) })
    }
    let message =
      isGeneric
      ? "\(subject) cannot be generic. To read rows inside an envelope, declare a model for the rows and pass the path of the list as “at:”"
      : isBase
        ? "\(subject) cannot have a superclass or protocols: generated code adds the conformances it needs"
        : "expected “{”, found “\(written.text)”"
    let gap = file.range((start > 0 ? tokens[start - 1].range.upperBound : 0)..<tokens[open].range.lowerBound)
    report(
      .unexpectedToken, message, at: written,
      fixIts: [.init(message: "remove “\(written.text)”", range: gap, replacement: " ")])
  }

  /// Reports that the opening brace of a body is missing. Returns the position after which it is missing; nil if there is no
  /// body.
  private mutating func reportMissingBrace(from start: Int, _ written: SourceRange, of subject: String)
    -> Int?
  {
    let place = max(0, start - 1)
    if position == start, current.kind == .rightBrace, !current.startsLine, peek(1)?.startsLine ?? false,
      startsMember(at: position + 1)
    {
      report(
        .unexpectedToken, "expected “{” after \(subject), found “}”", at: currentRange,
        fixIts: [.write("{", for: currentRange)])
      advance()
      return place
    }
    let hasMembers = [.identifier, .at].contains(current.kind) && !startsDeclaration(at: position)
    let hasBody = hasMembers || current.kind == .rightBrace
    if position > start, hasBody {
      report(
        .unexpectedToken, "expected “{” after \(subject), found “\(written.text)”", at: written,
        fixIts: [.write("{", for: written)])
      return place
    }
    report(
      .unexpectedToken, hasBody ? "expected “{” after \(subject)" : "\(subject) has no body",
      at: behind,
      fixIts: [
        .init(message: "write “{” after it", range: behind, replacement: hasBody ? " {" : " {\n}")
      ])
    return hasBody ? place : nil
  }

  /// The closing parenthesis of a property list that begins here, searched within a limited distance.
  private var constructorEnd: Int? {
    guard current.kind == .leftParenthesis, !current.startsLine else { return nil }
    var depth = 0
    for index in position..<min(position + 512, tokens.count) {
      if startsDeclaration(at: index) { return nil }
      switch tokens[index].kind {
      case .leftParenthesis: depth += 1
      case .rightParenthesis:
        depth -= 1
        if depth == 0 { return index }
      case .leftBrace, .rightBrace: return nil
      default: break
      }
    }
    return nil
  }

  /// Whether this line has an opening brace, searched within a limited distance.
  private var hasBraceOnLine: Bool {
    tokens[position...].prefix(64).prefix { !$0.startsLine && $0.kind != .rightBrace }
      .contains { $0.kind == .leftBrace }
  }

  /// Whether a property, a case or their attributes begin here.
  func startsMember(at start: Int) -> Bool {
    let index = afterAttributes(from: start)
    guard index + 1 < tokens.count, tokens[index].kind == .identifier else { return false }
    let next = tokens[index + 1]
    return next.kind == .colon || (text(at: index) == "case" && next.kind == .identifier && !next.startsLine)
  }

  /// Accepts another sign as the closing brace of a body if it is the only token on its line, before the next declaration.
  mutating func acceptReplacedBrace(openedAt open: Int, indent: Int) -> Bool {
    guard current.startsLine, ![.end, .rightBrace].contains(current.kind), let next = peek(1),
      next.startsLine, column(of: position) <= indent,
      next.kind == .end || startsDeclaration(at: position + 1), !hasMatch(open)
    else { return false }
    report(
      .unexpectedToken, "expected “}”, found “\(currentRange.text)”", at: currentRange,
      fixIts: [.write("}", for: currentRange)])
    advance()
    return true
  }

  /// Whether a body begins on this line.
  var hasBodyOnLine: Bool {
    tokens[position...].prefix(16).dropFirst().prefix { !$0.startsLine }.contains { $0.kind == .leftBrace }
  }

  /// Whether a body ends here. Skips semicolons.
  mutating func endsBody() -> Bool {
    while accept(.semicolon) {}
    return current.kind == .rightBrace || current.kind == .end || startsDeclaration(at: position)
  }

  /// Closes a body; returns false if its brace is missing.
  @discardableResult
  mutating func closeBody(openedAt open: Int, of subject: String) -> Bool {
    if accept(.rightBrace) { return true }
    // An unterminated comment may contain the brace. A missing opening brace was already reported.
    guard !scanned.isCut || current.kind != .end, tokens[open].kind == .leftBrace else { return false }
    report(
      .unexpectedToken, "the brace of \(subject) is not closed",
      at: file.range(tokens[open].range),
      notes: [.init(message: "“}” is missing before this", range: currentRange)],
      fixIts: [.init(message: "write “}” after the last member", range: behind, replacement: "\n}")])
    return false
  }
}
