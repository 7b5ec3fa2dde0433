extension Parser {
  /// The attributes and modifiers before a declaration's keyword or a property's name.
  struct Head {
    let start: Int
    var documentation: [String]
    var attributes: [AttributeSyntax]
    /// Whether an attribute has no name.
    var isBroken = false
  }

  mutating func parseHead() -> Head {
    var head = Head(start: position, documentation: documentation(before: current), attributes: [])
    while current.kind == .at || startsBareAttribute {
      if position > head.start { head.documentation += documentation(before: current) }
      let isSignMisplaced = current.kind != .at && isSignAfterName
      let isRepeated = current.kind != .at && reportBareAttribute(after: head.attributes.last)
      guard let attribute = parseAttribute() else {
        head.isBroken = true
        return head
      }
      if isSignMisplaced { advance() }
      if isRepeated { head.attributes.removeLast() }
      head.attributes.append(attribute)
    }
    if position > head.start { head.documentation += documentation(before: current) }
    passModifiers()
    return head
  }

  /// Whether the name of an attribute without its “@” is here: before a group in parentheses, another attribute, or a
  /// declaration.
  private var startsBareAttribute: Bool {
    // Fast path: attributes have a capital initial, and most names do not.
    guard current.kind == .identifier, file.bytes[current.range.lowerBound] &- UInt8(ascii: "A") < 26,
      AttributeKind(rawValue: text) != nil, let next = peek(1)
    else { return false }
    switch next.kind {
    case .leftParenthesis: return !next.startsLine
    case .at: return peek(2)?.kind == .identifier
    case .identifier where next.startsLine: return startsDeclaration(at: position + 1)
    case .identifier: return peek(2).map { $0.kind == .colon && !$0.startsLine } ?? false
    default: return false
    }
  }

  /// Whether the “@” of an attribute is after its name, as in `Local @ title`. It is not that of a next attribute.
  private var isSignAfterName: Bool {
    guard let sign = peek(1), sign.kind == .at, !sign.startsLine, let next = peek(2) else { return false }
    return sign.range.upperBound < next.range.lowerBound
  }

  /// Reports an attribute without its “@” before it. Returns true if it repeats the last attribute, as in `@Index Index`.
  private mutating func reportBareAttribute(after last: AttributeSyntax?) -> Bool {
    if let last, last.name.text == text, last.range.offsets.upperBound == last.name.range.offsets.upperBound {
      mend(
        "“\(text)” is repeated", at: currentRange,
        fixIts: [.remove(behind.through(currentRange), "one")])
      return true
    }
    mend(
      "an attribute begins with “@”: write “@\(text)”", at: currentRange,
      fixIts: [
        isSignAfterName
          ? .write("@\(text)", for: range(ofTokens: position...position + 1))
          : .insert("@", before: currentRange)
      ])
    return false
  }

  /// Skips documentation that is written as a string on its own line, as in GraphQL.
  mutating func passQuotedDocumentation() {
    while current.kind == .string, current.startsLine, let next = peek(1), next.startsLine, next.kind != .end
    {
      let range = currentRange
      // A string in other quotes was already reported.
      guard range.text.hasPrefix("\""), !range.text.hasPrefix("\"\"\"") else { return }
      let text = parseText()
      mend(
        "documentation is written as a comment: “/// \(text)”", at: range,
        fixIts: [.write("/// \(text)", for: range)])
      advance()
    }
  }

  /// Skips Swift modifiers, which have no meaning in a schema. A property may begin with “var”.
  private mutating func passModifiers() {
    let start = position
    while current.kind == .identifier, Keyword.modifiers.contains(text), let next = peek(1), !next.startsLine
    {
      let isLast = !followsOnLine(.identifier, at: 2) || !Keyword.modifiers.contains(text(at: position + 1))
      if text == "var", position == start, next.kind == .identifier, isLast { return }
      // `private(set)`
      let isSetter = next.kind == .leftParenthesis && peek(3)?.kind == .rightParenthesis
      guard next.kind == .identifier || (isSetter && peek(4)?.kind == .identifier) else { break }
      for _ in 0..<(isSetter ? 4 : 1) { advance() }
    }
    guard position > start else { return }
    let written = range(ofTokens: start...position - 1)
    let isAccess = ["public", "package", "internal"].contains(text(at: start)) && position == start + 1
    mend(
      isAccess && keyword() != nil
        ? "“\(written.text)” is set once for the whole target: schema { access: \(written.text) }"
        : "“\(written.text)” has no meaning in a schema",
      at: written, fixIts: [.remove(written.through(currentRange.before), "“\(written.text)”")])
  }
}
