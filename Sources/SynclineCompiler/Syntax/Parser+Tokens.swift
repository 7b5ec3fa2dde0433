extension Parser {
  var current: Token { tokens[min(position, tokens.count - 1)] }
  var text: String { file.text(current.range) }

  func peek(_ distance: Int) -> Token? {
    position + distance < tokens.count ? tokens[position + distance] : nil
  }

  mutating func advance() {
    if position < tokens.count - 1 { position += 1 }
  }

  mutating func accept(_ kind: Token.Kind) -> Bool {
    guard current.kind == kind else { return false }
    advance()
    return true
  }

  mutating func expect(_ kind: Token.Kind) -> Bool {
    if accept(kind) { return true }
    reportUnexpected(kind.name)
    return false
  }

  mutating func parseName(_ what: String) -> NameSyntax? {
    guard current.kind == .identifier else {
      reportUnexpected(what)
      return nil
    }
    let name = NameSyntax(text: text, range: SourceRange(file: file, offsets: current.range))
    advance()
    return name
  }

  /// The range from an offset to the end of the token before the current one.
  func range(from start: Int) -> SourceRange {
    let end = position > 0 ? tokens[position - 1].range.upperBound : start
    return SourceRange(file: file, offsets: start..<max(start, end))
  }

  mutating func reportUnexpected(_ expected: String) {
    // A character that is no token was reported when it was read.
    if current.kind == .unknown { return }
    let found = current.kind == .identifier ? "“\(text)”" : current.kind.name
    report(.unexpectedToken, "expected \(expected), found \(found)", current.range)
  }

  mutating func report(_ code: DiagnosticCode, _ message: String, _ range: Range<Int>) {
    diagnostics.append(
      Diagnostic(code: code, severity: .error, message: message, range: SourceRange(file: file, offsets: range)))
  }

  /// The `///` lines right before a token, without their slashes.
  func documentation(before token: Token) -> [String] {
    var lines: [String] = []
    let trivia = file.text(token.trivia).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    // What stands behind the token before, on its line, belongs to that one.
    for line in trivia.dropFirst(token.trivia.lowerBound > 0 ? 1 : 0) {
      let line = line.drop { $0 == " " || $0 == "\t" }
      if line.hasPrefix("///"), !line.hasPrefix("////") {
        let text = line.dropFirst(3)
        lines.append(String(text.hasPrefix(" ") ? text.dropFirst() : text))
      } else if !line.isEmpty, !(line.hasPrefix("//") && !line.hasPrefix("///")) {
        lines = []
      }
    }
    return lines
  }
}
