extension Parser {
  /// Parses `on "type"`, the key that distinguishes the cases of a union.
  mutating func parseUnionKey(behind name: NameSyntax?) -> LiteralSyntax? {
    guard let name, !isSpoiled else { return nil }
    if followsOnLine(.identifier), text == "on" {
      advance()
      guard followsOnLine(.string) else {
        reportUnexpected("the key in quotes", atEndOfLine: current.startsLine)
        return nil
      }
      return parseLiteral()
    }
    if followsOnLine(.string) {
      mend("expected “on” before the key", at: currentRange, fixIts: [.insert("on ", before: currentRange)])
      return parseLiteral()
    }
    report(
      .unexpectedToken,
      "“\(name.text)” does not name the key that selects its case: write “on \"type\"” after it",
      at: name.range, fixIts: [.insert(" on \"type\"", after: name.range)])
    return nil
  }

  /// Skips a second `case`, unless it is the name of a case.
  mutating func passRepeatedCase() {
    if text == "case", followsOnLine(.identifier), followsOnLine(.identifier, at: 1) { skipRepeatedToken() }
  }

  /// Skips the `case` of a union's member.
  mutating func takeCase() {
    guard current.kind == .identifier else { return }
    guard text != "case" || peek(1)?.kind == .colon else {
      advance()
      return passRepeatedCase()
    }
    guard !isUnionBroken else {
      isSpoiled = true
      return
    }
    mend(
      "expected “case” before “\(text)”", at: currentRange,
      fixIts: [.insert("case ", before: currentRange)])
  }
}
