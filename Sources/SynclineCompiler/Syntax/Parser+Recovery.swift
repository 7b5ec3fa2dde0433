extension Parser {
  /// Finds the brace that opens a body. Returns its position, or the position of the name after which it is
  /// missing; nil if there is no body.
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
      if current.kind == .leftBrace, !current.startsLine {
        mend("one “{” is enough", at: currentRange, fixIts: [.remove(currentRange)])
        advance()
      }
      if open > start { reportGap(from: start, to: open, isBase, of: subject) }
      return open
    }
    return reportMissingBrace(from: start, written, of: subject)
  }

  /// Reports what stands between the name of a declaration and its brace.
  private mutating func reportGap(from start: Int, to open: Int, _ isBase: Bool, of subject: String) {
    let written = SourceRange(
      file: file, offsets: tokens[start].range.lowerBound..<tokens[open - 1].range.upperBound)
    let isGeneric = tokens[start].kind == .leftAngle
    if isGeneric {
      typeParameters = Set((start..<open).filter { tokens[$0].kind == .identifier }.map { text(at: $0) })
    }
    let message =
      isGeneric
      ? "\(subject) cannot have type parameters: a payload's envelope is no model, so name the list in it with “at:”, and declare the model of its rows"
      : isBase
        ? "\(subject) cannot have a superclass or protocols: generated code adds the conformances it needs"
        : "expected “{”, found “\(written.text)”"
    let gap = SourceRange(
      file: file,
      offsets: (start > 0 ? tokens[start - 1].range.upperBound : 0)..<tokens[open].range.lowerBound)
    report(
      .unexpectedToken, message, at: written,
      fixIts: [.init(message: "remove “\(written.text)”", range: gap, replacement: " ")])
  }

  /// Reports that no brace opens a body, and returns the position after which it is missing; nil if there is no body.
  private mutating func reportMissingBrace(from start: Int, _ written: SourceRange, of subject: String)
    -> Int?
  {
    let place = max(0, start - 1)
    if position == start, current.kind == .rightBrace, !current.startsLine, peek(1)?.startsLine ?? false,
      startsMember(at: position + 1)
    {
      report(
        .unexpectedToken, "expected “{” behind \(subject), found “}”", at: currentRange,
        fixIts: [.write("{", for: currentRange)])
      advance()
      return place
    }
    let hasMembers = [.identifier, .at].contains(current.kind) && !startsDeclaration(at: position)
    let hasBody = hasMembers || current.kind == .rightBrace
    if position > start, hasBody {
      report(
        .unexpectedToken, "expected “{” behind \(subject), found “\(written.text)”", at: written,
        fixIts: [.write("{", for: written)])
      return place
    }
    report(
      .unexpectedToken, hasBody ? "expected “{” behind \(subject)" : "\(subject) has no body",
      at: behind,
      fixIts: [
        .init(message: "write “{” behind it", range: behind, replacement: hasBody ? " {" : " {\n}")
      ])
    return hasBody ? place : nil
  }

  /// The parenthesis that closes a list of properties here, searched within a limited distance.
  private var constructorEnd: Int? {
    guard current.kind == .leftParenthesis, !current.startsLine else { return nil }
    var depth = 0
    for index in position..<min(position + 512, tokens.count) {
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

  /// Whether a brace opens on this line, searched within a limited distance.
  private var hasBraceOnLine: Bool {
    for index in position..<min(position + 64, tokens.count) {
      if tokens[index].startsLine || tokens[index].kind == .rightBrace { return false }
      if tokens[index].kind == .leftBrace { return true }
    }
    return false
  }

  /// Whether a property, a case or their attributes begin here.
  func startsMember(at start: Int) -> Bool {
    let index = afterAttributes(from: start)
    guard index + 1 < tokens.count, tokens[index].kind == .identifier else { return false }
    let next = tokens[index + 1]
    return next.kind == .colon || (text(at: index) == "case" && next.kind == .identifier && !next.startsLine)
  }

  /// Closes a body whose brace was replaced by another sign: one alone on its line, before the next declaration.
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

  /// The current token as a message names it.
  var foundName: String {
    if endsMember, current.startsLine { return "the end of the line" }
    return current.kind == .identifier ? "“\(text)”" : current.kind.name
  }

  /// Whether a brace has a closing brace, even one after further declarations.
  mutating func hasMatch(_ open: Int) -> Bool { matches.all[open] != nil }

  /// Whether a body begins on this line.
  var hasBodyOnLine: Bool {
    var index = position + 1
    while index < min(position + 16, tokens.count), !tokens[index].startsLine {
      if tokens[index].kind == .leftBrace { return true }
      index += 1
    }
    return false
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
    // An unterminated comment may contain the brace. If no brace opened the body, that was reported.
    guard !scanned.isCut || current.kind != .end, tokens[open].kind == .leftBrace else { return false }
    report(
      .unexpectedToken, "the brace of \(subject) is not closed",
      at: SourceRange(file: file, offsets: tokens[open].range),
      notes: [.init(message: "“}” is missing before this", range: currentRange)],
      fixIts: [.init(message: "write “}” behind the last member", range: behind, replacement: "\n}")])
    return false
  }

  /// Whether a member ends here: at a line end, a semicolon or the brace.
  var endsMember: Bool {
    current.startsLine || current.kind == .semicolon || current.kind == .rightBrace || current.kind == .end
  }

  /// Ends a member, and reports anything that follows it on the line.
  mutating func endMember(of name: String? = nil) {
    guard !endsMember else { return }
    if current.kind == .comma {
      commas.append(currentRange)
      advance()
      return
    }
    if current.kind == .leftBrace, isStrayBrace {
      mend(
        "expected a new line or “;”, found “{”", at: currentRange, fixIts: [.remove(currentRange)])
      advance()
      if endsMember { return }
    }
    if current.kind == .leftBrace, let name {
      report(
        .unexpectedToken, "“\(name)” is computed: write it in a Swift extension", at: currentRange)
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

  /// The offset after a range and the blanks that follow it, and after the line end if one comes next.
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

  /// Whether a brace has no partner here, so that the model would lack its own closing brace.
  private var isStrayBrace: Bool {
    mutating get { body.map { tokens[$0].kind == .leftBrace && !hasMatch($0) } ?? false }
  }

  /// Reports that the previous token is repeated.
  mutating func reportDouble() {
    report(
      .unexpectedToken, "“\(text)” is repeated", at: currentRange,
      fixIts: [.init(message: "remove one", range: behind.through(currentRange), replacement: "")])
  }

  /// Skips a second colon.
  mutating func passRepeatedColon() {
    guard current.kind == .colon, !current.startsLine else { return }
    mend("one “:” is enough", at: currentRange, fixIts: [.remove(currentRange)])
    advance()
  }

  /// Skips a token that repeats the previous one.
  mutating func mendDouble() {
    mend(
      "“\(text)” is repeated", at: currentRange,
      fixIts: [.init(message: "remove one", range: behind.through(currentRange), replacement: "")])
    advance()
  }

  /// Moves to the next line or a semicolon.
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
    guard index + 1 < tokens.count, tokens[index].kind == .identifier else {
      return false
    }
    switch (text(at: index), tokens[index + 1].kind) {
    case ("model", .identifier), ("struct", .identifier), ("enum", .identifier), ("import", .identifier),
      ("union", .identifier):
      // `model model: String` is a property whose name is repeated.
      return text(at: index) != text(at: index + 1) || tokens[min(index + 2, tokens.count - 1)].kind != .colon
    case ("schema", .leftBrace): return true
    default: return false
    }
  }

  /// The position after the attributes that begin at another one: after a name, and a group in parentheses, of each.
  func afterAttributes(from start: Int) -> Int {
    var index = start
    let limit = start + 64
    while index < limit, index + 1 < tokens.count, tokens[index].kind == .at,
      tokens[index + 1].kind == .identifier
    {
      index += 2
      guard index < tokens.count, tokens[index].kind == .leftParenthesis else { continue }
      // A group that is not closed ends with what no group contains.
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
      case .identifier
      where depth == 0 && current.startsLine
        && Keyword.Kind(rawValue: text) != nil:
        return
      default: break
      }
      advance()
    }
  }
}
