/// Parses a file. What could be read of a broken declaration or member is kept and marked as incomplete; each of them
/// gives one error at most, and the parser goes on with the next member or brace.
struct Parser {
  let file: SourceFile
  let scanned: Lexer.Output
  var position = 0
  var bag = DiagnosticBag()
  /// The first problem of the text that was not passed yet.
  private var nextProblem = 0
  /// Whether what is read now cannot be read as it was meant.
  var isSpoiled = false
  /// The closing brace of each opening one, once they are asked for.
  var braces: BraceMatches?

  var tokens: [Token] { scanned.tokens }

  static func parse(_ file: SourceFile) -> (tree: SyntaxTree, diagnostics: [Diagnostic]) {
    var parser = Parser(file)
    var declarations: [DeclarationSyntax] = []
    while parser.current.kind != .end {
      let start = parser.position
      if let declaration = parser.parseDeclaration() { declarations.append(declaration) }
      if parser.position == start { parser.advance() }
    }
    parser.passProblems(upTo: .max)
    let tree = SyntaxTree(file: file, scanned: parser.scanned, declarations: declarations)
    return (tree, parser.bag.diagnostics)
  }

  private init(_ file: SourceFile) {
    self.file = file
    scanned = Lexer.scan(file)
  }

  /// Reads a piece of which one mistake is reported: what comes of it says nothing.
  mutating func once<Piece>(_ read: (inout Parser) -> Piece) -> Piece {
    let before = bag.diagnostics.count
    let wasSpoiled = isSpoiled
    isSpoiled = false
    let piece = read(&self)
    isSpoiled = wasSpoiled
    bag.keepFirst(from: before)
    return piece
  }

  /// Reports the problems of the text before an offset.
  mutating func passProblems(upTo offset: Int) {
    while nextProblem < scanned.problems.count,
      scanned.problems[nextProblem].range.offsets.lowerBound < offset
    {
      bag.add(scanned.problems[nextProblem])
      nextProblem += 1
    }
  }

  // MARK: Declarations

  private mutating func parseDeclaration() -> DeclarationSyntax? {
    guard !accept(.semicolon) else { return nil }
    let start = position
    let head = once { $0.parseHead() }
    switch (current.kind, text) {
    case (.identifier, "model"): return .model(parseModel(head))
    case (.identifier, "enum"): return .enumeration(parseEnum(head))
    case (.identifier, "import"):
      refuse(head.attributes, on: "an import")
      return parseImport(from: start)
    case (.identifier, "schema"):
      refuse(head.attributes, on: "the settings")
      return .settings(parseSettings(from: start))
    default:
      return .unexpected(once { $0.parseUnexpected(head) })
    }
  }

  /// What stands before a declaration's keyword or a property's name.
  struct Head {
    let start: Int
    var documentation: [String]
    var attributes: [AttributeSyntax]
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
    return head
  }

  mutating func refuse(_ attributes: [AttributeSyntax], on subject: String) {
    for attribute in attributes {
      bag.error(
        .misplacedAttribute, "“@\(attribute.name.text)” cannot stand on \(subject)", at: attribute.range)
    }
  }

  private mutating func parseUnexpected(_ head: Head) -> UnexpectedSyntax {
    // An attribute that could not be read was reported.
    if !head.isBroken {
      reportUnexpected(
        "“model”, “enum”, “import” or “schema”", among: ["model", "enum", "import", "schema"])
    }
    let first = position
    recoverAtDeclaration()
    if position == head.start { advance() }
    let mayDeclare = tokens[first..<max(first, position)].contains { $0.kind == .leftBrace }
    return UnexpectedSyntax(tokens: head.start..<position, name: nil, mayDeclare: mayDeclare)
  }

  private mutating func parseImport(from start: Int) -> DeclarationSyntax {
    let module = once { parser in
      parser.advance()
      let module = parser.parseName("the name of a target", onThisLine: true)
      if module == nil || !parser.endsMember {
        if module != nil { parser.reportUnexpected("a new line or “;”") }
        parser.recoverAtDeclaration()
      }
      return module
    }
    guard let module else {
      return .unexpected(UnexpectedSyntax(tokens: start..<position, name: nil, mayDeclare: true))
    }
    return .module(ImportSyntax(tokens: start..<position, module: module))
  }

  private mutating func parseSettings(from first: Int) -> SettingsSyntax {
    let start = current.range.lowerBound
    advance()
    var entries: [SettingSyntax] = []
    let open = position
    if once({ $0.expect(.leftBrace) }) {
      while !endsBody() {
        if let entry = once({ $0.parseSetting() }) { entries.append(entry) }
      }
      closeBody(openedAt: open, of: "the settings")
    } else {
      recoverAtDeclaration()
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
