extension Parser {
  /// Parses an attribute; nil if it has no name.
  mutating func parseAttribute() -> AttributeSyntax? {
    let start = current.range.lowerBound
    let sign = currentRange
    // If the `@` is missing, that was already reported.
    let hasSign = accept(.at)
    if hasSign, followsOnLine(.at) { skipExtraToken() }
    // A token on the next line is the declaration that the attribute belongs to.
    if hasSign, current.startsLine {
      report(.unexpectedToken, "expected the name of an attribute after “@”", at: sign)
      return nil
    }
    guard let name = parseName("the name of an attribute") else { return nil }
    var arguments: [ArgumentSyntax] = []
    var isComplete = true
    if followsOnLine(.leftParenthesis) {
      advance()
      isComplete = parseArguments(&arguments)
    } else if startsArguments(of: name) {
      mend(
        "expected “(” after “@\(name.text)”", at: currentRange,
        fixIts: [.insert("(", after: name.range)])
      isComplete = parseArguments(&arguments)
    } else if followsOnLine(.string) {
      let (range, text) = (currentRange, parseText())
      // `@RemoteKey "a"()`
      let isBeforeGroup = peek(1)?.kind == .leftParenthesis && followsOnLine(.rightParenthesis, at: 2)
      let end = position + (isBeforeGroup ? 2 : 0)
      report(
        .unexpectedToken, "expected “(” after “@\(name.text)”", at: range,
        fixIts: [.write("(\(range.text))", for: self.range(ofTokens: position...end))])
      advance(to: end + 1)
      arguments = [ArgumentSyntax(label: nil, value: LiteralSyntax(value: .text(text), range: range))]
    }
    return AttributeSyntax(
      name: name, arguments: arguments, range: range(from: start), isComplete: isComplete)
  }

  /// Whether the arguments of an attribute begin here without an opening parenthesis: `@Deleted "status", is: 1)`.
  private func startsArguments(of name: NameSyntax) -> Bool {
    guard !current.startsLine, let kind = AttributeKind(rawValue: name.text) else { return false }
    switch current.kind {
    case .string, .backslash, .dot, .number, .minus: break
    case .identifier where peek(1)?.kind == .colon:
      guard AttributeSpec.of(kind).arguments.contains(where: { $0.label == text }) else { return false }
    default: return false
    }
    var depth = 0
    for token in tokens[position..<min(position + 64, tokens.count)] {
      if token.startsLine { return false }
      switch token.kind {
      case .leftParenthesis: depth += 1
      case .rightParenthesis where depth == 0: return true
      case .rightParenthesis: depth -= 1
      case .leftBrace, .rightBrace, .at: return false
      default: break
      }
    }
    return false
  }

  /// Parses the arguments and the closing parenthesis; returns false if they cannot be read.
  private mutating func parseArguments(_ arguments: inout [ArgumentSyntax]) -> Bool {
    while current.kind != .rightParenthesis, current.kind != .end {
      let label = parseLabel()
      guard let value = parseLiteral() else {
        recoverAtParenthesis()
        return false
      }
      arguments.append(ArgumentSyntax(label: label, value: value))
      guard accept(.comma) else { break }
    }
    if accept(.rightParenthesis) { return true }
    let isClosed = closingParenthesis != nil
    report(
      .unexpectedToken, "expected “)”, found \(foundName)", at: endsMember ? behind : currentRange,
      fixIts: isClosed || arguments.last?.label != nil ? [] : [.write(")", for: behind)])
    recoverAtParenthesis()
    return false
  }

  private mutating func parseLabel() -> NameSyntax? {
    guard current.kind == .identifier, let next = peek(1), !next.startsLine else { return nil }
    switch next.kind {
    case .colon: break
    case .dot where next.range.lowerBound == current.range.upperBound: return nil
    case .equals, .backslash, .string, .dot:
      let name = NameSyntax(text: text, range: currentRange)
      let sign = file.range(next.range)
      mend(
        "expected “:” after “\(text)”", at: sign,
        fixIts: [next.kind == .equals ? .write(":", for: sign) : .insert(":", after: currentRange)])
      advance()
      if next.kind == .equals { advance() }
      return name
    default: return nil
    }
    let label = parseName("a label")
    advance()
    return label
  }

  /// The closing parenthesis on this line, searched within a limited distance.
  private var closingParenthesis: Int? {
    for index in position..<min(position + 64, tokens.count) {
      if tokens[index].kind == .rightParenthesis, index == position || !tokens[index].startsLine {
        return index
      }
      if tokens[index].startsLine || tokens[index].kind == .end { return nil }
    }
    return nil
  }

  /// Skips the closing parenthesis on this line. Without one, skips to the declaration after the attribute.
  private mutating func recoverAtParenthesis() {
    if let closing = closingParenthesis {
      advance(to: closing)
      advance()
      return
    }
    while !endsMember, current.kind != .at, !(current.kind == .identifier && peek(1)?.kind == .colon) {
      advance()
    }
  }
}
