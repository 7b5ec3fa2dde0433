extension Parser {
  /// The attributes and modifiers before a declaration's keyword or a property's name.
  struct Head {
    let start: Int
    var documentation: [String]
    var attributes: [AttributeSyntax]
    /// The offset of the declaration, after its attributes.
    var declaration = 0
    /// Whether an attribute has no name.
    var isBroken = false
  }

  mutating func parseHead() -> Head {
    var head = Head(start: position, documentation: documentation(before: current), attributes: [])
    while current.kind == .at {
      guard let attribute = parseAttribute() else {
        head.isBroken = true
        return head
      }
      head.attributes.append(attribute)
    }
    if position > head.start { head.documentation += documentation(before: current) }
    passModifiers()
    head.declaration = current.range.lowerBound
    return head
  }

  /// Skips Swift's modifiers, which have no meaning here. A property may begin with “var”.
  private mutating func passModifiers() {
    let start = position
    while current.kind == .identifier, Keyword.modifiers.contains(text), let next = peek(1), !next.startsLine
    {
      if text == "var", position == start, next.kind == .identifier, !isModifier(at: position + 1) { return }
      // `private(set)`
      let isSetter = next.kind == .leftParenthesis && peek(3)?.kind == .rightParenthesis
      guard next.kind == .identifier || (isSetter && peek(4)?.kind == .identifier) else { break }
      for _ in 0..<(isSetter ? 4 : 1) { advance() }
    }
    guard position > start else { return }
    let written = SourceRange(
      file: file, offsets: tokens[start].range.lowerBound..<tokens[position - 1].range.upperBound)
    let isAccess = ["public", "package", "internal"].contains(text(at: start)) && position == start + 1
    mend(
      isAccess && keyword() != nil
        ? "“\(written.text)” is set once for the whole target: schema { access: \(written.text) }"
        : "“\(written.text)” means nothing in a schema",
      at: written,
      fixIts: [
        .init(
          message: "remove “\(written.text)”",
          range: SourceRange(file: file, offsets: written.offsets.lowerBound..<current.range.lowerBound),
          replacement: "")
      ])
  }

  private func isModifier(at position: Int) -> Bool {
    guard position + 1 < tokens.count, tokens[position + 1].kind == .identifier,
      !tokens[position + 1].startsLine
    else { return false }
    return Keyword.modifiers.contains(text(at: position))
  }
}
