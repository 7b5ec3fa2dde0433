extension Parser {
  /// Parses an attribute; nil where it has no name.
  mutating func parseAttribute() -> AttributeSyntax? {
    let start = current.range.lowerBound
    advance()
    // What stands on the next line is what the attribute was to belong to.
    if current.startsLine {
      report(
        .unexpectedToken, "expected the name of an attribute behind “@”",
        at: SourceRange(file: file, offsets: start..<(start + 1)))
      return nil
    }
    guard let name = parseName("the name of an attribute") else { return nil }
    var arguments: [ArgumentSyntax] = []
    var isComplete = true
    if current.kind == .leftParenthesis, !current.startsLine {
      advance()
      isComplete = parseArguments(&arguments)
    }
    return AttributeSyntax(
      name: name, arguments: arguments, range: range(from: start), isComplete: isComplete)
  }

  /// Parses the arguments and the parenthesis behind them; false where they cannot be read.
  private mutating func parseArguments(_ arguments: inout [ArgumentSyntax]) -> Bool {
    while current.kind != .rightParenthesis, current.kind != .end {
      var label: NameSyntax?
      if current.kind == .identifier, peek(1)?.kind == .colon {
        label = parseName("a label")
        advance()
      }
      guard let value = parseLiteral() else {
        recoverAtParenthesis()
        return false
      }
      arguments.append(ArgumentSyntax(label: label, value: value))
      guard accept(.comma) else { break }
    }
    if expect(.rightParenthesis) { return true }
    recoverAtParenthesis()
    return false
  }

  /// Moves behind the closing parenthesis of the line.
  private mutating func recoverAtParenthesis() {
    while current.kind != .rightParenthesis, current.kind != .rightBrace, current.kind != .end,
      !current.startsLine
    {
      advance()
    }
    if !current.startsLine { _ = accept(.rightParenthesis) }
  }
}
