import SynclineNaming

/// Parses a file. The readable part of a broken declaration or member is kept and marked as incomplete. Each
/// declaration or member reports at most one error; then parsing resumes at the next member or brace.
struct Parser {
  let file: SourceFile
  let scanned: Lexer.Output
  var position = 0
  var bag = DiagnosticBag()
  /// The index of the first lexer problem that is not reported yet.
  private var nextProblem = 0
  /// Whether an error was reported in the current declaration or member, so that further errors in it are not reported.
  var isSpoiled = false
  /// The token at which the last error was reported.
  var lastError: Int?
  /// Whether the parser is in a union.
  var isInUnion = false
  /// Whether the union's key is missing, so that errors of its cases are not reported.
  var isUnionBroken = false
  /// The opening brace of the current model.
  var body: Int?
  /// How deeply the current model is nested.
  var depth = 0
  /// The commas after members of the current model.
  var commas: [SourceRange] = []
  /// The closing brace of each opening one, found on first use.
  var braces: BraceMatches?
  /// The names that the rest of the file declares with type parameters.
  let otherGenerics: Set<String>
  /// The names that are declared with type parameters, found on first use.
  var generics: Set<String>?
  /// The type parameters of the current model.
  var typeParameters: Set<String> = []

  var tokens: [Token] { scanned.tokens }

  static func parse(
    _ file: SourceFile, besideGenerics generics: Set<String>
  ) -> (tree: SyntaxTree, diagnostics: [Diagnostic]) {
    let (tree, diagnostics) = parseOnce(file, generics)
    guard diagnostics.hasErrors else { return (tree, diagnostics) }
    var swapped = SwappedTokens(file, tree.tokens) { parseOnce($0, generics).diagnostics }
    return (tree, swapped.corrected(diagnostics))
  }

  private static func parseOnce(
    _ file: SourceFile, _ generics: Set<String>
  ) -> (tree: SyntaxTree, diagnostics: [Diagnostic]) {
    var parser = Parser(file, generics)
    var declarations: [DeclarationSyntax] = []
    while parser.current.kind != .end {
      let start = parser.position
      if let declaration = parser.parseDeclaration(after: &declarations) { declarations.append(declaration) }
      if parser.position == start { parser.advance() }
    }
    parser.passProblems(upTo: .max)
    let tree = SyntaxTree(file: file, scanned: parser.scanned, declarations: declarations)
    return (tree, parser.bag.diagnostics)
  }

  private init(_ file: SourceFile, _ otherGenerics: Set<String>) {
    (self.file, self.otherGenerics) = (file, otherGenerics)
    scanned = Lexer.scan(file)
  }

  /// Parses a declaration or member, and reports only its first error, because later ones may follow from it. Unexpected
  /// characters with a fix-it are always reported.
  mutating func once<Piece>(_ read: (inout Parser) -> Piece) -> Piece {
    let before = bag.diagnostics.count
    let wasSpoiled = isSpoiled
    isSpoiled = false
    let piece = read(&self)
    isSpoiled = wasSpoiled
    bag.keepFirst(from: before)
    return piece
  }

  /// Reports the lexer's problems before an offset, or drops them where an error of the parser is more helpful.
  mutating func passProblems(upTo offset: Int, reporting: Bool = true) {
    while nextProblem < scanned.problems.count,
      scanned.problems[nextProblem].range.offsets.lowerBound < offset
    {
      if reporting { bag.add(scanned.problems[nextProblem]) }
      nextProblem += 1
    }
  }

  // MARK: Declarations

  private mutating func parseDeclaration(after declarations: inout [DeclarationSyntax]) -> DeclarationSyntax?
  {
    guard !accept(.semicolon) else { return nil }
    passQuotedDocumentation()
    let head = once { $0.parseHead() }
    if let keyword = keyword() { return parse(keyword, head) }
    let isMember = current.kind == .identifier && peek(1)?.kind == .colon
    // An error in the last model may have ended it too early.
    let isOfBroken = isMember && (declarations.last?.isBroken ?? false)
    let gap = once { $0.parseUnexpected(head, isKnown: isOfBroken) }
    if isMember || gap.closesBody, case .model(var model)? = declarations.last {
      // The model ended before its last member.
      model.isIncomplete = true
      declarations[declarations.count - 1] = .model(model)
    }
    return .unexpected(gap)
  }

  /// Parses a declaration, starting at its keyword.
  mutating func parse(_ keyword: Keyword, _ head: Head) -> DeclarationSyntax {
    switch keyword.kind {
    case .model, .structure, .union: return .model(parseModel(head, keyword))
    case .enumeration: return .enumeration(parseEnum(head, keyword))
    case .module:
      refuse(head.attributes, on: "an import")
      return parseImport(from: head.start, keyword)
    case .settings:
      refuse(head.attributes, on: "the settings")
      return .settings(parseSettings(from: head.start, keyword))
    }
  }

  mutating func refuse(_ attributes: [AttributeSyntax], on subject: String) {
    for attribute in attributes {
      bag.error(
        .misplacedAttribute, "“@\(attribute.name.text)” is not allowed on \(subject)", at: attribute.range,
        fixIts: [.remove(attribute.range)])
    }
  }

  /// - Parameter isKnown: whether an earlier error explains why it is here.
  private mutating func parseUnexpected(_ head: Head, isKnown: Bool) -> UnexpectedSyntax {
    let first = position
    let closesBody = current.kind == .rightBrace
    // An unreadable attribute was already reported.
    if !head.isBroken, !isKnown, !isFollowUp { reportOutside(head) }
    let name = current.kind == .identifier ? declaredName() : nil
    recoverAtDeclaration()
    if position == head.start { advance() }
    let mayDeclare = tokens[first..<max(first, position)].contains { $0.kind == .leftBrace }
    return UnexpectedSyntax(
      tokens: head.start..<position, name: name, mayDeclare: mayDeclare, closesBody: closesBody)
  }

  private mutating func reportOutside(_ head: Head) {
    let range = currentRange
    switch current.kind {
    case .rightBrace:
      report(.unexpectedToken, "unmatched closing brace", at: range, fixIts: [.remove(range)])
    case .identifier where peek(1)?.kind == .colon:
      report(
        .unexpectedToken,
        head.start == 0
          ? "“\(text)” is outside of a model: a line “model Name {” is missing before it"
          : "“\(text)” is outside of a model", at: range)
    case .identifier where Keyword.swift.contains(text) && peek(1)?.kind == .identifier:
      report(
        .unexpectedToken,
        "“\(text)” is not allowed in a schema, which declares models, structs, enums and unions: write the rest in Swift",
        at: range)
    case .end where !head.attributes.isEmpty:
      report(
        .unexpectedToken, "“@\(head.attributes[0].name.text)” is not followed by a declaration",
        at: head.attributes[0].range)
    default:
      reportUnexpected(Keyword.list)
    }
  }

  /// The name that an unknown declaration seems to have: `thing Name … {`.
  private func declaredName() -> NameSyntax? {
    guard followsOnLine(.identifier, at: 1) else { return nil }
    return NameSyntax(text: text(at: position + 1), range: file.range(tokens[position + 1].range))
  }

  private mutating func parseImport(from start: Int, _ keyword: Keyword) -> DeclarationSyntax {
    let module = once { parser in
      parser.take(keyword)
      let module = parser.parseModuleName()
      if module == nil || !parser.endsMember {
        if module != nil { parser.reportUnexpected("a new line or “;”") }
        parser.recoverAtLine()
      }
      return module
    }
    guard let module else {
      return .unexpected(UnexpectedSyntax(tokens: start..<position, name: nil, mayDeclare: true))
    }
    return .module(ImportSyntax(tokens: start..<position, module: module))
  }

  /// Parses the name of a module. A target name that is not an identifier is replaced by its module name.
  private mutating func parseModuleName() -> NameSyntax? {
    var end = position
    while end < tokens.count, [.identifier, .number, .minus, .dot].contains(tokens[end].kind),
      end == position || tokens[end - 1].range.upperBound == tokens[end].range.lowerBound
    { end += 1 }
    guard end > position + 1, !current.startsLine else {
      return parseName("the name of a target", onThisLine: true)
    }
    let range = range(ofTokens: position...end - 1)
    let module = ModuleName.of(target: file.text(range.offsets))
    mend(
      "the module of the target “\(file.text(range.offsets))” is named “\(module)”", at: range,
      fixIts: [.write(module, for: range)])
    advance(to: end)
    return NameSyntax(text: module, range: range)
  }

  private mutating func parseSettings(from first: Int, _ keyword: Keyword) -> SettingsSyntax {
    let start = current.range.lowerBound
    let open = once { parser in
      parser.take(keyword)
      return parser.openBody(of: "the settings")
    }
    var entries: [SettingSyntax] = []
    if let open {
      while !endsBody() {
        if let entry = once({ $0.parseSetting() }) { entries.append(entry) }
      }
      closeBody(openedAt: open, of: "the settings")
    }
    return SettingsSyntax(tokens: first..<position, range: range(from: start), entries: entries)
  }

  private mutating func parseSetting() -> SettingSyntax? {
    let start = position
    guard let name = parseName("the name of a setting"), expect(.colon), let value = parseLiteral() else {
      recoverAtMember(from: start)
      return nil
    }
    endMember()
    return SettingSyntax(name: name, value: value)
  }
}
