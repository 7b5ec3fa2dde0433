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
    reportUnexpected(
      kind.name, atEndOfLine: current.startsLine && kind != .rightBrace && current.kind != .end)
    return false
  }

  mutating func parseName(_ what: String, onThisLine: Bool = false) -> NameSyntax? {
    let isElsewhere = onThisLine && current.startsLine && current.kind != .end
    guard current.kind == .identifier, !isElsewhere else {
      reportUnexpected(what, atEndOfLine: isElsewhere)
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

  mutating func reportUnexpected(_ expected: String, among words: [String] = [], atEndOfLine: Bool = false) {
    // A character that is no token was reported when it was read.
    if current.kind == .unknown, !atEndOfLine { return }
    if atEndOfLine, position > 0 {
      let end = tokens[position - 1].range.upperBound
      report(.unexpectedToken, "expected \(expected), found the end of the line", end..<end)
      return
    }
    let found = current.kind == .identifier ? "“\(text)”" : current.kind.name
    let suggestion = current.kind == .identifier ? Suggestion.didYouMean(text, in: words) : ""
    report(.unexpectedToken, "expected \(expected), found \(found)\(suggestion)", current.range)
  }

  mutating func report(_ code: DiagnosticCode, _ message: String, _ range: Range<Int>) {
    diagnostics.append(
      Diagnostic(
        code: code, severity: .error, message: message, range: SourceRange(file: file, offsets: range)))
  }

  /// The `///` lines right before a token, without their slashes.
  func documentation(before token: Token) -> [String] {
    var lines: [String] = []
    let bytes = file.bytes[token.trivia]
    // Most tokens have blanks before them, and no comment.
    guard bytes.contains(UInt8(ascii: "/")) else { return [] }
    // What stands behind the token before, on its line, belongs to that one.
    var isOwnLine = token.trivia.lowerBound == 0
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let rest = bytes[index...]
      if rest.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) {
        let line = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let text = String(decoding: line, as: UTF8.self)
        if isOwnLine, text.hasPrefix("///"), !text.hasPrefix("////") {
          let content = text.dropFirst(3)
          lines.append(String(content.hasPrefix(" ") ? content.dropFirst() : content))
        }
        index = line.endIndex
      } else if rest.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "*")]) {
        // A comment between the documentation and the token parts them.
        lines = []
        index = endOfBlockComment(from: index, in: bytes)
      } else {
        if bytes[index] == UInt8(ascii: "\n") || bytes[index] == UInt8(ascii: "\r") { isOwnLine = true }
        index += 1
      }
    }
    return lines
  }

  private func endOfBlockComment(from start: Int, in bytes: ArraySlice<UInt8>) -> Int {
    var depth = 0
    var index = start
    while index + 1 < bytes.endIndex {
      switch (bytes[index], bytes[index + 1]) {
      case (UInt8(ascii: "/"), UInt8(ascii: "*")): depth += 1
      case (UInt8(ascii: "*"), UInt8(ascii: "/")): depth -= 1
      default:
        index += 1
        continue
      }
      index += 2
      if depth == 0 { return index }
    }
    return bytes.endIndex
  }
}
