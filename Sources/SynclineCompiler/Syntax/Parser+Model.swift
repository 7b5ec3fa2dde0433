extension Parser {
  mutating func parseModel(_ head: Head) -> ModelSyntax {
    let (name, open, isBroken) = once { parser in
      parser.advance()
      let name = parser.parseName("the name of the model", onThisLine: true)
      let open = parser.openBody()
      return (name, open, parser.isSpoiled)
    }
    var members: [MemberSyntax] = []
    var end = SourceRange(file: file, offsets: current.range)
    if let open {
      while !endsBody() { members.append(once { $0.parseMember() }) }
      end = SourceRange(file: file, offsets: current.range)
      closeBody(openedAt: open, of: name.map { "“\($0.text)”" } ?? "the model")
    }
    let hasGap = members.contains { if case .unexpected(let gap) = $0 { gap.mayDeclare } else { false } }
    return ModelSyntax(
      tokens: head.start..<position, documentation: head.documentation, attributes: head.attributes,
      name: name ?? missingName, members: members, end: end, isIncomplete: isBroken || hasGap)
  }

  /// The name of what has none.
  var missingName: NameSyntax {
    NameSyntax(text: "", range: SourceRange(file: file, offsets: current.range))
  }

  private mutating func parseMember() -> MemberSyntax {
    let start = position
    let head = parseHead()
    if !head.isBroken, let property = parseProperty(head) {
      endMember()
      return .property(property.spoiled(if: isSpoiled, tokens: start..<position))
    }
    recoverAtMember(from: start)
    return .unexpected(UnexpectedSyntax(tokens: start..<position, name: nil, mayDeclare: true))
  }

  /// Parses a property as far as it can be read; nil where it has no name.
  private mutating func parseProperty(_ head: Head) -> PropertySyntax? {
    let start = tokens[head.start].range.lowerBound
    let declaration = current.range.lowerBound
    if text == "var", current.kind == .identifier, peek(1)?.kind == .identifier { advance() }
    guard let name = parseName("the name of a property") else { return nil }
    var attributes = head.attributes
    var type: TypeSyntax?
    var defaultValue: LiteralSyntax?
    if expect(.colon) {
      type = parseType()
      if type != nil, accept(.equals) { defaultValue = parseLiteral() }
      // An attribute on the same line belongs to this property, one on the next line to what follows.
      while !isSpoiled, current.kind == .at, !current.startsLine, let attribute = parseAttribute() {
        attributes.append(attribute)
      }
    }
    let unknown = TypeSyntax(
      module: nil, name: NameSyntax(text: "", range: name.range), isList: false, isOptional: false,
      range: name.range)
    return PropertySyntax(
      tokens: head.start..<position, documentation: head.documentation, attributes: attributes, name: name,
      type: type ?? unknown, defaultValue: defaultValue, range: range(from: start), declaration: declaration,
      isIncomplete: isSpoiled)
  }

  mutating func parseType() -> TypeSyntax? {
    let start = current.range.lowerBound
    // A name on the next line is the next property.
    if current.startsLine, peek(1)?.kind == .colon {
      reportUnexpected("a type", atEndOfLine: true)
      return nil
    }
    let isList = accept(.leftBracket)
    guard let name = parseName("a type") else { return nil }
    if isList, !expect(.rightBracket) { return nil }
    let isOptional = accept(.question)
    return TypeSyntax(
      module: nil, name: name, isList: isList, isOptional: isOptional, range: range(from: start))
  }
}

extension PropertySyntax {
  /// The property with what its end showed.
  fileprivate func spoiled(if isSpoiled: Bool, tokens: Range<Int>) -> PropertySyntax {
    PropertySyntax(
      tokens: tokens, documentation: documentation, attributes: attributes, name: name, type: type,
      defaultValue: defaultValue, range: range, declaration: declaration,
      isIncomplete: isIncomplete || isSpoiled)
  }
}
