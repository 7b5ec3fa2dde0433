extension Parser {
  mutating func parseModel(_ head: Head, _ keyword: Keyword) -> ModelSyntax {
    let indent = column(of: head.start)
    let kind = ModelSyntax.Kind(rawValue: keyword.kind.rawValue) ?? .model
    let subject = "the \(kind.rawValue)"
    var key: LiteralSyntax?
    let outerParameters = typeParameters
    typeParameters = []
    defer { typeParameters = outerParameters }
    let (name, open, isBroken) = once { parser in
      parser.take(keyword)
      parser.passRepeated(keyword)
      let name = parser.parseDeclaredName("the name of \(subject)", keyword)
      if kind == .union { key = parser.parseUnionKey(behind: name) }
      let open = parser.openBody(of: name.map { "“\($0.text)”" } ?? subject)
      return (name, open, parser.isSpoiled)
    }
    var members: [MemberSyntax] = []
    var end = currentRange
    var isClosed = false
    if let open {
      let outer = (body, commas, isInUnion)
      (body, commas, isInUnion) = (open, [], kind == .union)
      isUnionBroken = isBroken
      defer { (body, commas, isInUnion) = outer }
      var isReplaced = false
      while !isReplaced {
        passQuotedDocumentation()
        if let nested = parseNested(openedAt: open, indent: indent) {
          members.append(nested)
        } else if endsBody() {
          break
        } else if acceptReplacedBrace(openedAt: open, indent: indent) {
          isReplaced = true
        } else {
          members += parseLine()
        }
      }
      reportCommas()
      end = currentRange
      isClosed = !isReplaced && closeBody(openedAt: open, of: name.map { "“\($0.text)”" } ?? subject)
    }
    let hasGap = members.contains { if case .unexpected(let gap) = $0 { gap.mayDeclare } else { false } }
    return ModelSyntax(
      kind: kind, tokens: head.start..<position, documentation: head.documentation,
      attributes: keyword.form == .foreign ? [] : head.attributes, name: name ?? missingName,
      key: key, members: members, end: end, isIncomplete: isBroken || hasGap || !isClosed)
  }

  /// The empty name of a declaration that has none.
  var missingName: NameSyntax { NameSyntax(text: "", range: currentRange.before) }

  // MARK: Members

  /// Parses a declaration inside a model, although it should be outside. If only the model's closing brace is missing, the
  /// declaration is treated as being outside.
  private mutating func parseNested(openedAt open: Int, indent: Int) -> MemberSyntax? {
    while accept(.semicolon) {}
    guard depth < 4, current.kind == .identifier || current.kind == .at else { return nil }
    let isForeign = startsForeign
    guard isForeign || startsDeclaration(at: position) else { return nil }
    // A struct or a union at the start of a line may follow a model whose brace is missing.
    let mayFollow = !isForeign || (current.startsLine && startsDeclaration(at: position))
    guard !mayFollow || (column(of: position) > indent && hasMatch(open)) else { return nil }
    let head = once { $0.parseHead() }
    guard let keyword = keyword() else { return nil }
    let name = peek(1).flatMap { $0.kind == .identifier ? text(at: position + 1) : nil } ?? text
    let place = currentRange
    let declaration = once { parser in
      parser.report(
        .unexpectedToken, "“\(name)” is declared inside another type: move it to the top level", at: place)
      parser.depth += 1
      defer { parser.depth -= 1 }
      return parser.parse(keyword, head)
    }
    return .nested(declaration)
  }

  /// Whether a type declaration of another language, with a body, begins on this line.
  private var startsForeign: Bool {
    guard current.kind == .identifier, let word = keyword() else { return false }
    // A property may be named “struct”.
    return
      (word.form == .foreign || ([.structure, .union].contains(word.kind) && peek(1)?.kind == .identifier))
      && hasBodyOnLine
  }

  /// Parses the members of a line. Wrong separators are reported once per line.
  private mutating func parseLine() -> [MemberSyntax] {
    let (before, written) = (bag.diagnostics.count, commas.count)
    var members: [MemberSyntax] = []
    repeat {
      members.append(once { $0.parseMember() })
      while current.kind == .semicolon, !current.startsLine { advance() }
    } while !current.startsLine && !endsBody() && !startsForeign
    bag.keepFirst(from: before)
    if bag.diagnostics.count > before { commas.removeSubrange(written...) }
    return members
  }

  private mutating func parseMember() -> MemberSyntax {
    let start = position
    let head = parseHead()
    if !head.isBroken, let first = head.attributes.first, current.kind == .rightBrace || current.kind == .end
    {
      report(.unexpectedToken, "“@\(first.name.text)” is not followed by a declaration", at: first.range)
      return unexpected(from: start, mayDeclare: false)
    }
    if !head.isBroken, isInUnion {
      takeCase()
    }
    let isCase = text == "case" && current.kind == .identifier && followsOnLine(.identifier, at: 1)
    if !head.isBroken, (isCase && !isInUnion) || startsMethod {
      report(
        .unexpectedToken,
        isCase && !isInUnion
          ? "a case is allowed only in an enum or a union"
          : "a type of a schema has only properties: write methods in a Swift extension",
        at: currentRange)
      recoverAtMember(from: start)
      return unexpected(from: start, mayDeclare: false)
    }
    if !head.isBroken, var property = parseProperty(head) {
      endMember(of: property.name.text)
      property.isIncomplete = isSpoiled
      property.tokens = start..<position
      return .property(property)
    }
    recoverAtMember(from: start)
    return unexpected(from: start, mayDeclare: true)
  }

  private func unexpected(from start: Int, mayDeclare: Bool) -> MemberSyntax {
    .unexpected(UnexpectedSyntax(tokens: start..<position, name: nil, mayDeclare: mayDeclare))
  }

  private var startsMethod: Bool {
    guard current.kind == .identifier else { return false }
    return switch text {
    case "func", "typealias", "extension", "protocol": followsOnLine(.identifier, at: 1)
    case "init", "subscript": followsOnLine(.leftParenthesis, at: 1)
    case "deinit": followsOnLine(.leftBrace, at: 1)
    default: false
    }
  }

  /// Parses the readable parts of a property; nil if it has no name.
  private mutating func parseProperty(_ head: Head) -> PropertySyntax? {
    let declaration = current.range.lowerBound
    if text == "var", current.kind == .identifier, peek(1)?.kind == .identifier { advance() }
    guard let name = parsePropertyName(head) else { return nil }
    var attributes = head.attributes
    var type: TypeSyntax?
    var defaultValue: LiteralSyntax?
    if parseColon(behind: name) {
      attributes += parseAttributes(between: name)
      type = parseType()
      if type != nil, accept(.equals) { defaultValue = parseLiteral() }
      // An attribute on the same line belongs to this property, an attribute on the next line to the next member.
      while current.kind == .at, !current.startsLine, let attribute = parseAttribute() {
        attributes.append(attribute)
      }
    }
    let unknown = TypeSyntax(
      module: nil, name: NameSyntax(text: "", range: name.range), shape: .name, isOptional: false,
      range: name.range)
    return PropertySyntax(
      tokens: head.start..<position, documentation: head.documentation, attributes: attributes, name: name,
      type: type ?? unknown, defaultValue: defaultValue, declaration: declaration, isIncomplete: isSpoiled)
  }

  /// Parses attributes between the colon and the type: `id: @PrimaryKey Int`. They should precede the name.
  private mutating func parseAttributes(between name: NameSyntax) -> [AttributeSyntax] {
    let start = current.range.lowerBound
    let index = min(afterAttributes(from: position), tokens.count - 1)
    guard index > position, !tokens[position...index].contains(where: \.startsLine),
      [.identifier, .leftBracket].contains(tokens[index].kind)
    else { return [] }
    var attributes: [AttributeSyntax] = []
    while current.kind == .at, let attribute = parseAttribute() { attributes.append(attribute) }
    guard !attributes.isEmpty else { return [] }
    let written = range(from: start)
    mend(
      "an attribute is written before the name: “\(written.text) \(name.text): …”", at: written,
      fixIts: [.write("\(written.text) \(name.text):", for: name.range.through(written))])
    return attributes
  }
}
