extension Parser {
  mutating func parseEnum(_ head: Head) -> EnumSyntax {
    var name: NameSyntax?
    var rawType = NameSyntax(text: "String", range: SourceRange(file: file, offsets: current.range))
    let (open, isBroken) = once { parser in
      parser.advance()
      name = parser.parseName("the name of the enum", onThisLine: true)
      if let name, parser.current.kind == .leftBrace {
        parser.reportMissingRawType(of: name)
      } else if name != nil, parser.expect(.colon), let written = parser.parseName("“String” or “Int”") {
        rawType = written
      }
      let open = parser.openBody()
      return (open, parser.isSpoiled)
    }
    var members: [EnumMemberSyntax] = []
    if let open {
      while !endsBody() { members.append(once { $0.parseEnumMember() }) }
      closeBody(openedAt: open, of: name.map { "“\($0.text)”" } ?? "the enum")
    }
    let hasGap = members.contains { if case .unexpected = $0 { true } else { false } }
    return EnumSyntax(
      tokens: head.start..<position, documentation: head.documentation, attributes: head.attributes,
      name: name ?? missingName, rawType: rawType, members: members, isIncomplete: isBroken || hasGap)
  }

  private mutating func reportMissingRawType(of name: NameSyntax) {
    report(
      .unexpectedToken, "“\(name.text)” names no type of its raw values: “String” or “Int”", at: name.range,
      fixIts: [
        .init(message: "write “: String” behind it", range: name.range.behind, replacement: ": String")
      ])
  }

  private mutating func parseEnumMember() -> EnumMemberSyntax {
    let start = position
    let documentation = documentation(before: current)
    refuse(parseHead().attributes, on: "a case")
    guard text == "case", current.kind == .identifier else {
      reportUnexpected("“case”", among: ["case"])
      recoverAtMember(from: start)
      return .unexpected(UnexpectedSyntax(tokens: start..<position, name: nil, mayDeclare: true))
    }
    advance()
    var cases: [EnumCaseSyntax] = []
    repeat {
      guard let name = parseName("the name of a case", onThisLine: true) else { break }
      var rawValue: LiteralSyntax?
      if accept(.equals) { rawValue = parseLiteral() }
      cases.append(
        EnumCaseSyntax(documentation: documentation, name: name, rawValue: rawValue, isIncomplete: isSpoiled))
    } while !isSpoiled && accept(.comma)
    if isSpoiled { recoverAtMember(from: start) } else { endMember() }
    return .cases(tokens: start..<position, cases)
  }
}
