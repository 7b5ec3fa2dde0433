extension Parser {
  // Not inlined into its many callers, because every user of the plugin compiles this code.
  var current: Token {
    @inline(never) get { tokens[min(position, tokens.count - 1)] }
  }
  var text: String { text(at: position) }

  /// The text of a token. Backticks around a name, which were already reported, are removed.
  @inline(never)
  func text(at position: Int) -> String {
    let token = tokens[min(position, tokens.count - 1)]
    let range = token.range
    guard range.count > 2, file.bytes[range.lowerBound] == UInt8(ascii: "`") else {
      return token.kind == .identifier ? Lexer.name(file.text(range)) : file.text(range)
    }
    return file.text(range.lowerBound + 1..<range.upperBound - 1)
  }

  var currentRange: SourceRange {
    @inline(never) get { file.range(current.range) }
  }

  /// The empty range after the previous token.
  var behind: SourceRange {
    let end = position > 0 ? tokens[position - 1].range.upperBound : current.range.lowerBound
    return file.range(end..<end)
  }

  /// The column of a token, in bytes.
  func column(of position: Int) -> Int {
    file.location(of: tokens[min(position, tokens.count - 1)].range.lowerBound).column
  }

  func peek(_ distance: Int) -> Token? {
    position + distance < tokens.count ? tokens[position + distance] : nil
  }

  /// Whether the current token, or one behind it, has a kind and does not begin a line.
  func followsOnLine(_ kind: Token.Kind, at distance: Int = 0) -> Bool {
    peek(distance).map { $0.kind == kind && !$0.startsLine } ?? false
  }

  @inline(never)
  mutating func advance() {
    passProblems(upTo: current.range.upperBound)
    if position < tokens.count - 1 { position += 1 }
  }

  /// Skips to a later token.
  @inline(never)
  mutating func advance(to end: Int) {
    position = max(position, min(end, tokens.count - 1))
    passProblems(upTo: current.range.lowerBound)
  }

  @inline(never)
  mutating func accept(_ kind: Token.Kind) -> Bool {
    guard current.kind == kind else { return false }
    advance()
    return true
  }

  @inline(never)
  mutating func expect(_ kind: Token.Kind) -> Bool {
    if accept(kind) { return true }
    reportUnexpected(kind.name, atEndOfLine: current.startsLine && current.kind != .end)
    return false
  }

  @inline(never)
  mutating func parseName(_ what: String, onThisLine: Bool = false) -> NameSyntax? {
    let isElsewhere = onThisLine && current.startsLine && current.kind != .end
    guard current.kind == .identifier, !isElsewhere else {
      reportUnexpected(what, atEndOfLine: isElsewhere)
      return nil
    }
    let name = NameSyntax(text: text, range: currentRange)
    advance()
    return name
  }

  /// Parses the name of a declaration. Reports and skips other tokens in its place.
  mutating func parseDeclaredName(_ what: String, _ keyword: Keyword) -> NameSyntax? {
    let range = currentRange
    if keyword.form == .missing { return parseName(what) }
    if keyword.form == .behind {
      defer { advance() }
      return parseName(what)
    }
    guard !current.startsLine, [.string, .number].contains(current.kind) else {
      return parseName(what, onThisLine: true)
    }
    let isString = current.kind == .string
    let word = isString ? parseText() : text
    report(
      .unexpectedToken,
      isString ? "a name is written without quotes" : "“\(word)” is not a name: names begin with a letter",
      at: range,
      fixIts: isString ? [.write(word, for: range)] : [])
    advance()
    return NameSyntax(text: word, range: range)
  }

  /// The range from one token to another.
  func range(ofTokens positions: ClosedRange<Int>) -> SourceRange {
    file.range(tokens[positions.lowerBound].range.lowerBound..<tokens[positions.upperBound].range.upperBound)
  }

  /// The range from an offset to the end of the previous token.
  @inline(never)
  func range(from start: Int) -> SourceRange {
    let end = position > 0 ? tokens[position - 1].range.upperBound : start
    return file.range(start..<max(start, end))
  }

  /// Whether an error here is probably a consequence of the last one. That one must be at most two tokens earlier. In addition,
  /// both must be on one line, or outside a body, or no member may begin here.
  var isFollowUp: Bool {
    guard let lastError, (1...2).contains(position - lastError) else { return false }
    let isOfLine = !tokens[(lastError + 1)...position].contains(where: \.startsLine)
    return isOfLine || body == nil || ![.identifier, .at].contains(current.kind)
  }

  @inline(never)
  mutating func reportUnexpected(_ expected: String, atEndOfLine: Bool = false) {
    let isKnown = isFollowUp && !isSpoiled
    isSpoiled = true
    if isKnown { return }
    // The lexer has already reported a character that cannot begin a token.
    if current.kind == .unknown, !atEndOfLine { return }
    if atEndOfLine, position > 0 {
      return report(.unexpectedToken, "expected \(expected), found the end of the line", at: behind)
    }
    let found = current.kind == .identifier ? "“\(text)”" : current.kind.name
    report(.unexpectedToken, "expected \(expected), found \(found)", at: currentRange)
  }

  /// Reports incorrect syntax with an unambiguous meaning, so that parsing can continue.
  @inline(never)
  mutating func mend(_ message: String, at range: SourceRange, fixIts: [Diagnostic.FixIt]) {
    passProblems(upTo: current.range.lowerBound)
    bag.error(.unexpectedToken, message, at: range, fixIts: fixIts)
  }

  /// Reports an error that makes the meaning of the current declaration or member uncertain.
  @inline(never)
  mutating func report(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange, notes: [Diagnostic.Note] = [],
    fixIts: [Diagnostic.FixIt] = []
  ) {
    isSpoiled = true
    lastError = min(position, tokens.count - 1)
    passProblems(upTo: current.range.lowerBound)
    bag.error(code, message, at: range, notes: notes, fixIts: fixIts)
  }

  /// The `///` lines directly before a token, without their slashes.
  func documentation(before token: Token) -> [String] {
    var lines: [String] = []
    for piece in scanned.trivia[token.leading] {
      switch piece.kind {
      case .documentation:
        let content = file.text(piece.range).dropFirst(3)
        lines.append(String(content.hasPrefix(" ") ? content.dropFirst() : content))
      // A comment between the documentation and the token separates them.
      case .blockComment: lines = []
      default: break
      }
    }
    return lines
  }
}
