extension Parser {
  /// The current token as messages name it.
  var foundName: String {
    if endsMember, current.startsLine { return "the end of the line" }
    return current.kind == .identifier ? "“\(text)”" : current.kind.name
  }

  /// Whether an opening brace has a closing brace, possibly after further declarations.
  mutating func hasMatch(_ open: Int) -> Bool { matches.all[open] != nil }

  /// Whether a member ends here: at a line end, a semicolon or the brace.
  var endsMember: Bool {
    current.startsLine || current.kind == .semicolon || current.kind == .rightBrace || current.kind == .end
  }

  /// Ends a member, and reports any tokens after it on the line.
  mutating func endMember(of name: String? = nil) {
    guard !endsMember else { return }
    if current.kind == .comma {
      commas.append(currentRange)
      advance()
      return
    }
    if current.kind == .leftBrace, isStrayBrace {
      mend("expected a new line or “;”, found “{”", at: currentRange, fixIts: [.remove(currentRange)])
      advance()
      if endsMember { return }
    }
    if current.kind == .leftBrace, let name {
      report(.unexpectedToken, "“\(name)” is computed: write it in a Swift extension", at: currentRange)
    } else if !isSpoiled, current.kind == .identifier, position > 0, text == text(at: position - 1) {
      reportDouble()
    } else if !isSpoiled {
      reportUnexpected("a new line or “;”")
    }
    recoverAtMember(from: position)
  }

  /// Reports once per model that commas do not separate members.
  mutating func reportCommas() {
    guard let first = commas.first, let last = commas.last else { return }
    var replacement = ""
    var end = first.offsets.lowerBound
    for comma in commas {
      let isLast =
        file.lineIndex(of: comma.offsets.upperBound) < file.lineIndex(of: nextOffset(behind: comma))
      replacement += file.text(end..<comma.offsets.lowerBound) + (isLast ? "" : ";")
      end = comma.offsets.upperBound
    }
    mend(
      "members end with their line or with “;”, not with “,”", at: first,
      fixIts: [
        .init(
          message: "write “;”, or nothing at the end of a line", range: first.through(last),
          replacement: replacement)
      ])
  }

  /// The offset after a range and the blanks that follow it, including a line break directly after them.
  private func nextOffset(behind range: SourceRange) -> Int {
    var index = range.offsets.upperBound
    while index < file.bytes.count,
      file.bytes[index] == UInt8(ascii: " ") || file.bytes[index] == UInt8(ascii: "\t")
    {
      index += 1
    }
    return index < file.bytes.count && (file.bytes[index] == 0x0A || file.bytes[index] == 0x0D)
      ? index + 1 : index
  }

  /// Whether the model's opening brace has no closing brace, because a brace inside the model has none.
  private var isStrayBrace: Bool {
    mutating get { body.map { tokens[$0].kind == .leftBrace && !hasMatch($0) } ?? false }
  }

  /// Reports that a token repeats the previous one.
  mutating func reportDouble() {
    report(
      .unexpectedToken, "“\(text)” is repeated", at: currentRange,
      fixIts: [.remove(behind.through(currentRange), "one")])
  }

  /// Skips a second colon.
  mutating func passRepeatedColon() {
    if followsOnLine(.colon) { skipExtraToken() }
  }

  /// Reports and skips an extra token.
  mutating func skipExtraToken() {
    mend("extra “\(text)”", at: currentRange, fixIts: [.remove(currentRange)])
    advance()
  }

  /// Reports and skips a token that repeats the previous one.
  mutating func skipRepeatedToken() {
    mend(
      "“\(text)” is repeated", at: currentRange, fixIts: [.remove(behind.through(currentRange), "one")])
    advance()
  }

  /// Skips to the next line or a semicolon.
  mutating func recoverAtLine() {
    isSpoiled = true
    while !endsMember { advance() }
  }

  /// Skips a group in parentheses.
  mutating func skipParentheses() {
    var depth = 0
    while current.kind != .end, depth == 0 || !startsDeclaration(at: position) {
      if current.kind == .leftParenthesis { depth += 1 }
      if current.kind == .rightParenthesis { depth -= 1 }
      if current.kind == .rightBrace { return }
      advance()
      if depth <= 0 { return }
    }
  }

  /// Skips to the next line, a semicolon or the closing brace, and at least one token past the start.
  mutating func recoverAtMember(from start: Int) {
    isSpoiled = true
    while current.kind != .rightBrace, current.kind != .end, current.kind != .semicolon,
      position == start || !current.startsLine
    {
      // Braces and parentheses inside a member belong to it.
      if current.kind == .leftParenthesis, position == start || !current.startsLine {
        skipParentheses()
        continue
      }
      if current.kind == .leftBrace, !isStrayBrace, let end = matches.withinDeclaration[position] {
        advance(to: end)
      }
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

  /// Whether a top-level declaration begins here, so that a brace is missing before it.
  func startsDeclaration(at start: Int) -> Bool {
    let previous = start > 0 ? tokens[start - 1].kind : .semicolon
    guard tokens[start].startsLine || [.semicolon, .leftBrace, .rightBrace].contains(previous) else {
      return false
    }
    let index = afterAttributes(from: start)
    guard index + 1 < tokens.count, tokens[index].kind == .identifier else { return false }
    switch (text(at: index), tokens[index + 1].kind) {
    case ("model", .identifier), ("struct", .identifier), ("enum", .identifier), ("import", .identifier),
      ("union", .identifier):
      // `model model: String` is a property whose name is repeated.
      return text(at: index) != text(at: index + 1) || tokens[min(index + 2, tokens.count - 1)].kind != .colon
    case ("schema", .leftBrace): return true
    default: return false
    }
  }

  /// The position after the attributes that begin at a position: each has a name, and optionally a group in parentheses.
  func afterAttributes(from start: Int) -> Int {
    var index = start
    let limit = start + 64
    while index < limit, index + 1 < tokens.count, tokens[index].kind == .at,
      tokens[index + 1].kind == .identifier
    {
      index += 2
      guard index < tokens.count, tokens[index].kind == .leftParenthesis else { continue }
      // An unclosed group ends before the first token that no group can contain.
      while index < min(limit, tokens.count),
        ![.rightParenthesis, .leftBrace, .rightBrace, .at].contains(tokens[index].kind)
      {
        index += 1
      }
      if index < tokens.count, tokens[index].kind == .rightParenthesis { index += 1 }
    }
    return index
  }

  /// Skips the braces of an unreadable declaration, or skips to the next declaration.
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
          advance()
          return
        }
      case .at where depth == 0 && current.startsLine && !startsMember(at: position): return
      case .identifier where depth == 0 && current.startsLine && Keyword.Kind(rawValue: text) != nil: return
      default: break
      }
      advance()
    }
  }
}
