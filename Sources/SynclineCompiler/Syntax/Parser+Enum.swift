extension Parser {
  private struct EnumHead {
    var name: NameSyntax?
    var rawType: NameSyntax?
    var open: Int?
    var isBroken = false
    /// The end of the colon before the raw type.
    var colonEnd: Int?
  }

  mutating func parseEnum(_ head: Head, _ keyword: Keyword) -> EnumSyntax {
    let title = once { $0.parseEnumHead(keyword) }
    var members: [EnumMemberSyntax] = []
    /// The names that are written without “case”.
    var bare: [SourceRange] = []
    var isClosed = false
    let end = bag.diagnostics.count
    if let open = title.open {
      var isReplaced = false
      while !isReplaced, !endsBody() {
        if acceptReplacedBrace(openedAt: open, indent: column(of: head.start)) {
          isReplaced = true
        } else {
          members.append(once { $0.parseEnumMember(&bare) })
        }
      }
      isClosed = !isReplaced && closeBody(openedAt: open, of: title.name.map { "“\($0.text)”" } ?? "the enum")
    }
    let isQuiet = bag.diagnostics.count == end && !title.isBroken
    let cases = members.flatMap(\.cases)
    let guess =
      cases.contains { if case .number? = $0.rawValue?.value { true } else { false } } ? "Int" : "String"
    if isQuiet, let name = title.name {
      let missing: (offset: Int, text: String)? =
        title.rawType == nil
        ? (title.colonEnd ?? name.range.offsets.upperBound, (title.colonEnd == nil ? ": " : " ") + guess)
        : nil
      reportForm(name, missing, bare)
    }
    let hasGap = members.contains { if case .unexpected = $0 { true } else { false } }
    return EnumSyntax(
      tokens: head.start..<position, documentation: head.documentation, attributes: head.attributes,
      name: title.name ?? missingName,
      rawType: title.rawType ?? NameSyntax(text: guess, range: title.name?.range ?? missingName.range),
      members: members, isIncomplete: title.isBroken || hasGap || !isClosed)
  }

  private mutating func parseEnumHead(_ keyword: Keyword) -> EnumHead {
    var head = EnumHead()
    take(keyword)
    passRepeated(keyword)
    head.name = parseDeclaredName("the name of the enum", keyword)
    if let name = head.name, current.kind != .leftBrace {
      if followsOnLine(.identifier), text == name.text { skipRepeatedToken() }
      if current.kind == .colon {
        head.colonEnd = current.range.upperBound
        advance()
        passRepeatedColon()
      } else if current.kind != .leftBrace {
        report(
          .unexpectedToken, "expected “:”, found \(foundName)",
          at: endsMember ? name.range.behind : currentRange,
          fixIts: followsOnLine(.identifier)
            ? [.init(message: "write “:” after “\(name.text)”", range: name.range.behind, replacement: ":")]
            : [])
      }
      if followsOnLine(.identifier) { head.rawType = parseRawType() }
    }
    head.open = openBody(of: head.name.map { "“\($0.text)”" } ?? "the enum")
    head.isBroken = isSpoiled
    return head
  }

  /// Parses the raw type, and skips protocols after it, which Swift allows.
  private mutating func parseRawType() -> NameSyntax? {
    var names: [NameSyntax] = []
    while let name = parseName("“String” or “Int”", onThisLine: true) {
      names.append(name)
      guard accept(.comma) else { break }
    }
    let right = names.first { Enumeration.RawType(rawValue: $0.text) != nil } ?? names.first
    guard names.count > 1, let right, let first = names.first, let last = names.last else { return right }
    let written = first.range.through(last.range)
    mend(
      "an enum cannot conform to protocols: write only the raw type “\(right.text)”", at: written,
      fixIts: [.write(right.text, for: written)])
    return right
  }

  /// Reports an enum without a raw type, or cases without “case”, and shows the correct form.
  ///
  /// - Parameter rawType: the missing raw type, and the offset at which it is inserted.
  private mutating func reportForm(
    _ name: NameSyntax, _ rawType: (offset: Int, text: String)?, _ bare: [SourceRange]
  ) {
    var insertions = bare.map { (offset: $0.offsets.lowerBound, text: "case ") }
    if let rawType {
      insertions.insert(rawType, at: 0)
      let type = String(rawType.text.drop { $0 == ":" || $0 == " " })
      let example = bare.isEmpty ? "" : ": write “enum \(name.text): \(type) { case \(bare[0].text) }”"
      mend(
        bare.isEmpty
          ? "“\(name.text)” has no raw type: write “: String” or “: Int”"
          : "“\(name.text)” has no raw type, and its cases lack “case”\(example)",
        at: name.range, fixIts: [inserting(insertions, "write “\(rawType.text)” after it")])
    } else if let first = bare.first {
      mend(
        "expected “case” before “\(first.text)”", at: first, fixIts: [inserting(insertions, "write “case”")])
    }
  }

  /// A fix-it that inserts strings at several offsets.
  private func inserting(_ insertions: [(offset: Int, text: String)], _ message: String) -> Diagnostic.FixIt {
    let start = insertions.first?.offset ?? 0
    var end = start
    var replacement = ""
    for insertion in insertions {
      replacement += file.text(end..<insertion.offset) + insertion.text
      end = insertion.offset
    }
    return .init(
      message: message, range: file.range(start..<end), replacement: replacement)
  }

  // MARK: Cases

  private mutating func parseEnumMember(_ bare: inout [SourceRange]) -> EnumMemberSyntax {
    let start = position
    let head = parseHead()
    refuse(head.attributes, on: "a case")
    guard current.kind == .identifier, !head.isBroken else {
      if !head.isBroken { reportUnexpected("“case”") }
      recoverAtMember(from: start)
      return .unexpected(UnexpectedSyntax(tokens: start..<position, name: nil, mayDeclare: true))
    }
    if ["func", "init", "var", "let", "static"].contains(text), peek(1)?.kind == .identifier || text == "init"
    {
      report(
        .unexpectedToken, "an enum of a schema has only cases: write methods in a Swift extension",
        at: currentRange)
      recoverAtMember(from: start)
      return .cases(tokens: start..<position, [])
    }
    if text == "case", current.kind == .identifier {
      advance()
      passRepeatedCase()
    } else if followsOnLine(.identifier, at: 1) {
      // The word is a misspelled “case”.
      mend("expected “case”, found “\(text)”", at: currentRange, fixIts: [.write("case", for: currentRange)])
      advance()
    } else {
      bare.append(currentRange)
    }
    let cases = parseCases(head.documentation)
    if isSpoiled { recoverAtMember(from: start) } else { endMember() }
    if isSpoiled, cases.isEmpty {
      return .unexpected(UnexpectedSyntax(tokens: start..<position, name: nil, mayDeclare: true))
    }
    return .cases(tokens: start..<position, cases)
  }

  private mutating func parseCases(_ documentation: [String]) -> [EnumCaseSyntax] {
    var cases: [EnumCaseSyntax] = []
    repeat {
      guard let name = parseCaseName() else { break }
      var rawValue: LiteralSyntax?
      parseAssociated(name)
      if parseEquals() { rawValue = parseLiteral() }
      cases.append(
        EnumCaseSyntax(documentation: documentation, name: name, rawValue: rawValue, isIncomplete: isSpoiled))
      if followsOnLine(.identifier), !isSpoiled {
        guard text != name.text else {
          reportDouble()
          advance()
          break
        }
        let isMember = text == "case" && peek(1)?.kind == .identifier
        let sign = isMember ? ";" : ","
        mend(
          "expected “\(sign)” before “\(text)”", at: currentRange,
          fixIts: [.insert(sign, before: behind)])
        if isMember { advance() }
        continue
      }
      guard !isSpoiled, accept(.comma) else { break }
      guard passExtraCommas() else { break }
      if text == "case", current.kind == .identifier, followsOnLine(.identifier, at: 1) {
        mend("extra “case”: a line has one", at: currentRange, fixIts: [.remove(currentRange)])
        advance()
      }
    } while true
    return cases
  }

  /// Skips extra commas; returns false if no case follows.
  private mutating func passExtraCommas() -> Bool {
    while current.kind == .comma, !current.startsLine {
      skipExtraToken()
    }
    guard [.rightBrace, .end, .semicolon].contains(current.kind) else { return true }
    let comma = file.range(tokens[position - 1].range)
    mend("no case follows this comma", at: comma, fixIts: [.remove(comma)])
    return false
  }

  private mutating func parseCaseName() -> NameSyntax? {
    let range = currentRange
    if current.kind == .dot, peek(1)?.kind == .identifier, !current.startsLine {
      mend("a case's name is written without a dot", at: range, fixIts: [.remove(range)])
      advance()
    }
    if !current.startsLine, current.kind == .string {
      let name = parseText()
      mend("a case's name is written without quotes", at: range, fixIts: [.write(name, for: range)])
      advance()
      return NameSyntax(text: name, range: range)
    }
    let isMember =
      current.startsLine && current.kind == .identifier && position > 0
      && tokens[position - 1].kind != .comma && text(at: position - 1) != "case"
    return parseName("the name of a case", onThisLine: !isMember)
  }

  /// Skips the associated values of a case, which exist in Swift but not in schemas.
  private mutating func parseAssociated(_ name: NameSyntax) {
    guard current.kind == .leftParenthesis, !current.startsLine else { return }
    let start = current.range.lowerBound
    skipParentheses()
    let written = range(from: start)
    report(
      .unexpectedToken, "“\(name.text)” cannot have associated values, only a raw value", at: written,
      fixIts: [.remove(written)])
    isSpoiled = false
  }

  /// Skips the sign before a raw value.
  private mutating func parseEquals() -> Bool {
    if accept(.equals) { return true }
    guard !current.startsLine, [.colon, .string, .number].contains(current.kind) else { return false }
    let isColon = current.kind == .colon
    mend(
      "expected “=”, found \(current.kind.name)", at: currentRange,
      fixIts: [isColon ? .write(" =", for: currentRange) : .insert("= ", before: currentRange)])
    if isColon { advance() }
    return true
  }
}
