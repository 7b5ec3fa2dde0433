import SynclineNaming

extension Parser {
  /// Parses the name of a property; skips a sign before it and quotes around it.
  mutating func parsePropertyName(_ head: Head) -> NameSyntax? {
    let range = currentRange
    if current.kind == .string, peek(1)?.kind == .colon {
      let name = parseText()
      mend("a property's name is written without quotes", at: range, fixIts: [.write(name, for: range)])
      advance()
      return NameSyntax(text: name, range: range)
    }
    if current.kind != .identifier, current.kind != .unknown, followsOnLine(.identifier, at: 1),
      peek(2)?.kind == .colon
    {
      mend(
        "expected the name of a property, found \(current.kind.name)", at: range, fixIts: [.remove(range)])
      advance()
    }
    return parseJoinedName(head) ?? parseName("the name of a property")
  }

  /// Parses a JSON key in the place of a name, such as `first-name` or `owner.name`; nil if it is a valid name.
  private mutating func parseJoinedName(_ head: Head) -> NameSyntax? {
    var end = position
    while end + 2 < tokens.count, tokens[end].kind == .identifier,
      [.minus, .dot].contains(tokens[end + 1].kind),
      tokens[end + 2].kind == .identifier, tokens[end].range.upperBound == tokens[end + 1].range.lowerBound,
      tokens[end + 1].range.upperBound == tokens[end + 2].range.lowerBound
    {
      end += 2
    }
    guard end > position, end + 1 < tokens.count, tokens[end + 1].kind == .colon else { return nil }
    let range = range(ofTokens: position...end)
    let key = range.text
    let name = Names.camel(key.replacing("-", with: "_").replacing(".", with: "_"))
    let hasKey = head.attributes.contains { $0.name.text == AttributeKind.remoteKey.rawValue }
    mend(
      "“\(key)” is not a name: give the JSON key with “@RemoteKey”", at: range,
      fixIts: [.write(hasKey ? name : "@RemoteKey(\"\(key)\") \(name)", for: range)])
    advance(to: end + 1)
    return NameSyntax(text: name, range: range)
  }

  /// Skips the colon, or the sign used instead; returns false if no type can follow.
  mutating func parseColon(behind name: NameSyntax) -> Bool {
    if accept(.colon) {
      passRepeatedColon()
      return true
    }
    let isTypeNext =
      (followsOnLine(.identifier, at: 1) || followsOnLine(.leftBracket, at: 1)) && peek(2)?.kind != .colon
    switch current.kind {
    case .identifier where !current.startsLine, .leftBracket where !current.startsLine:
      return reportMissingColon(behind: name)
    case .question where peek(1)?.kind == .colon && !current.startsLine:
      return parseOptionalName(name)
    case .rightBrace, .end: reportMissingType(of: name)
    case .equals where !isTypeNext, .semicolon where !isTypeNext: reportMissingType(of: name)
    case .semicolon, .comma, .dot, .equals, .minus, .question, .exclamation, .backslash, .unknown:
      guard isTypeNext else {
        reportUnexpected("“:”")
        return false
      }
      report(
        .unexpectedToken, "expected “:”, found \(current.kind.name)", at: currentRange,
        fixIts: [.write(":", for: currentRange)])
      advance()
      return true
    default:
      if current.startsLine { reportMissingType(of: name) } else { reportUnexpected("“:”") }
    }
    return false
  }

  /// Reports a second name before the colon, and skips both.
  private mutating func reportTwoNames(_ name: NameSyntax) {
    let written = name.range.through(currentRange)
    if text == name.text {
      skipRepeatedToken()
    } else {
      let joined = Keyword.modifiers.contains(text) ? name.text : Names.camel("\(name.text)_\(text)")
      report(
        .unexpectedToken, "a property has one name: write “\(joined)”, not “\(written.text)”", at: written,
        fixIts: [.write(joined, for: written)])
      advance()
    }
    advance()
  }

  private mutating func reportMissingColon(behind name: NameSyntax) -> Bool {
    if current.kind == .identifier, followsOnLine(.colon, at: 1) {
      reportTwoNames(name)
      return true
    }
    let written = name.range.through(currentRange)
    if current.kind == .identifier, ScalarType(rawValue: name.text) != nil, ScalarType(rawValue: text) == nil
    {
      let corrected = "\(text): \(name.text)"
      report(
        .unexpectedToken, "the name comes first: “\(corrected)”", at: written,
        fixIts: [.write(corrected, for: written)])
    } else if current.kind == .leftBracket, let colon = peek(1), colon.kind == .colon {
      // `tasks[: Task]`
      let swapped = file.range(current.range.lowerBound..<colon.range.upperBound)
      report(
        .unexpectedToken, "expected “:” after “\(name.text)”", at: currentRange,
        fixIts: [.write(": [", for: swapped)])
    } else {
      report(
        .unexpectedToken, "expected “:” after “\(name.text)”", at: currentRange,
        fixIts: [
          .init(message: "write “:” after “\(name.text)”", range: name.range.behind, replacement: ":")
        ])
    }
    return true
  }

  /// Parses `name?: String`, the notation of other languages for an optional.
  private mutating func parseOptionalName(_ name: NameSyntax) -> Bool {
    let mark = currentRange
    advance()
    advance()
    let first = position
    var ahead = first
    while ahead < min(first + 4, tokens.count), !tokens[ahead].startsLine,
      [.identifier, .leftBracket, .rightBracket].contains(tokens[ahead].kind)
    { ahead += 1 }
    guard ahead > first else {
      report(.unexpectedToken, "“?” goes after the type", at: mark)
      return true
    }
    let type = range(ofTokens: first...ahead - 1)
    report(
      .unexpectedToken, "“?” goes after the type: “\(name.text): \(type.text)?”", at: mark,
      fixIts: [.write(": \(type.text)?", for: mark.through(type))])
    return true
  }

  private mutating func reportMissingType(of name: NameSyntax) {
    let type = current.kind == .equals ? typeOfDefault(at: position + 1) : nil
    report(
      .unexpectedToken, "“\(name.text)” has no type", at: name.range,
      fixIts: type.map { [.insert(": \($0)", after: name.range)] } ?? [])
  }

  private func typeOfDefault(at position: Int) -> String? {
    guard position < tokens.count else { return nil }
    let word = text(at: position)
    switch tokens[position].kind {
    case .string: return "String"
    case .number: return word.contains(".") ? "Double" : "Int"
    case .identifier: return ["true", "false"].contains(word) ? "Bool" : nil
    default: return nil
    }
  }
}
