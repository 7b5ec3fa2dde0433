extension Parser {
  /// Parses an attribute; nil if it has no name.
  mutating func parseAttribute() -> AttributeSyntax? {
    let start = current.range.lowerBound
    let sign = currentRange
    advance()
    if current.kind == .at, !current.startsLine {
      mend("one “@” is enough", at: currentRange, fixIts: [.remove(currentRange)])
      advance()
    }
    // A token on the next line is the declaration that the attribute belongs to.
    if current.startsLine {
      report(.unexpectedToken, "expected the name of an attribute behind “@”", at: sign)
      return nil
    }
    guard let name = parseName("the name of an attribute") else { return nil }
    var arguments: [ArgumentSyntax] = []
    var isComplete = true
    if current.kind == .leftParenthesis, !current.startsLine {
      advance()
      isComplete = parseArguments(&arguments)
    } else if current.kind == .string, !current.startsLine {
      let (range, text) = (currentRange, parseText())
      report(
        .unexpectedToken, "expected “(” behind “@\(name.text)”", at: range,
        fixIts: [.write("(\(range.text))", for: range)])
      advance()
      let value = LiteralSyntax(value: .text(text), range: range)
      arguments = [ArgumentSyntax(label: nil, value: value)]
    }
    return AttributeSyntax(
      name: name, arguments: arguments, range: range(from: start), isComplete: isComplete)
  }

  /// Parses the arguments and the closing parenthesis; false if they cannot be read.
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
      fixIts: isClosed || arguments.last?.label != nil
        ? [] : [.init(message: "write “)”", range: behind, replacement: ")")])
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
      mend(
        "expected “:” behind “\(text)”", at: SourceRange(file: file, offsets: next.range),
        fixIts: next.kind == .equals
          ? [.write(":", for: SourceRange(file: file, offsets: next.range))]
          : [.init(message: "write “:” behind it", range: currentRange.behind, replacement: ":")])
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
