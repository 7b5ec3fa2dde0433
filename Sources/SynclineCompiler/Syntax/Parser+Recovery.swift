extension Parser {
  /// Finds the brace that opens a body: its position, or nil where there is no body.
  mutating func openBody() -> Int? {
    if isSpoiled { while current.kind != .leftBrace, !current.startsLine { advance() } }
    let open = position
    if accept(.leftBrace) { return open }
    if !isSpoiled { _ = expect(.leftBrace) }
    return nil
  }

  /// Whether a body ends here. Passes over semicolons.
  mutating func endsBody() -> Bool {
    while accept(.semicolon) {}
    return current.kind == .rightBrace || current.kind == .end || startsDeclaration(at: position)
  }

  mutating func closeBody(openedAt open: Int, of subject: String) {
    if accept(.rightBrace) { return }
    // What a comment without end swallowed may hold the brace.
    guard !scanned.isCut || current.kind != .end else { return }
    report(
      .unexpectedToken, "the brace of \(subject) is not closed",
      at: SourceRange(file: file, offsets: tokens[open].range),
      notes: [
        .init(message: "“}” is missing before this", range: SourceRange(file: file, offsets: current.range))
      ])
  }

  /// Whether a member ends here: with its line, a semicolon or the brace.
  var endsMember: Bool {
    current.startsLine || current.kind == .semicolon || current.kind == .rightBrace || current.kind == .end
  }

  /// Ends a member with what it was read of.
  mutating func endMember() {
    guard !endsMember else { return }
    if !isSpoiled { reportUnexpected("a new line or “;”") }
    recoverAtMember(from: position)
  }

  /// Moves to the next line, a semicolon or the closing brace, and at least one token behind the start.
  mutating func recoverAtMember(from start: Int) {
    isSpoiled = true
    while current.kind != .rightBrace, current.kind != .end, current.kind != .semicolon,
      position == start || !current.startsLine
    {
      // Braces inside of a member belong to it.
      if current.kind == .leftBrace, let end = matches.withinDeclaration[position] { advance(to: end) }
      advance()
    }
  }

  private var matches: BraceMatches {
    mutating get {
      if let braces { return braces }
      let found = BraceMatches(tokens) { startsDeclaration(at: $0) }
      braces = found
      return found
    }
  }

  /// Whether a declaration of the file begins here, so that a brace is missing before it.
  func startsDeclaration(at start: Int) -> Bool {
    guard tokens[start].startsLine else { return false }
    // Its attributes are passed over, which are a name and what is in parentheses.
    var index = start
    let limit = start + 64
    while index < limit, index + 1 < tokens.count, tokens[index].kind == .at,
      tokens[index + 1].kind == .identifier
    {
      index += 2
      guard index < tokens.count, tokens[index].kind == .leftParenthesis else { continue }
      while index < min(limit, tokens.count), tokens[index].kind != .rightParenthesis { index += 1 }
      if index < tokens.count, tokens[index].kind == .rightParenthesis { index += 1 }
    }
    guard index + 1 < tokens.count, tokens[index].kind == .identifier, tokens[index].startsLine else {
      return false
    }
    switch (text(at: index), tokens[index + 1].kind) {
    case ("model", .identifier), ("enum", .identifier), ("import", .identifier), ("schema", .leftBrace):
      return true
    default: return false
    }
  }

  /// Moves behind the braces of what could not be read, or to the next declaration.
  mutating func recoverAtDeclaration() {
    isSpoiled = true
    var depth = 0
    while current.kind != .end {
      if depth > 0, startsDeclaration(at: position) { return }
      switch current.kind {
      case .leftBrace: depth += 1
      case .rightBrace:
        depth -= 1
        if depth <= 0 {
          while accept(.rightBrace) {}
          return
        }
      case .at where depth == 0 && current.startsLine: return
      case .identifier
      where depth == 0 && current.startsLine && ["model", "enum", "import", "schema"].contains(text):
        return
      default: break
      }
      advance()
    }
  }
}
