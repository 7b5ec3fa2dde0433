extension Parser {
  /// Parses `on "type"`, the key that distinguishes the cases of a union.
  mutating func parseUnionKey(behind name: NameSyntax?) -> LiteralSyntax? {
    guard let name, !isSpoiled else { return nil }
    if !current.startsLine, current.kind == .identifier, text == "on" {
      advance()
      guard current.kind == .string, !current.startsLine else {
        reportUnexpected("the key in quotes", atEndOfLine: current.startsLine)
        return nil
      }
      return parseLiteral()
    }
    if !current.startsLine, current.kind == .string {
      mend(
        "expected “on” before the key", at: currentRange,
        fixIts: [.insert("on ", before: currentRange)])
      return parseLiteral()
    }
    report(
      .unexpectedToken,
      "“\(name.text)” does not name the key that selects its case: write “on \"type\"” after it",
      at: name.range,
      fixIts: [.insert(" on \"type\"", after: name.range)])
    return nil
  }

  /// Skips a second `case`, unless it is the name of a case.
  mutating func passRepeatedCase() {
    guard text == "case", current.kind == .identifier, !current.startsLine, let next = peek(1),
      next.kind == .identifier, !next.startsLine
    else { return }
    skipRepeatedToken()
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

extension ModelSyntax.Kind {
  init(_ keyword: Keyword.Kind) {
    self =
      switch keyword {
      case .structure: .structure
      case .union: .union
      case .model, .enumeration, .module, .settings: .model
      }
  }

  /// The description of the declaration in messages if it has no name.
  var subject: String {
    switch self {
    case .model: "the model"
    case .structure: "the struct"
    case .union: "the union"
    }
  }
}
