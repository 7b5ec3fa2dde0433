/// Parses a file. After an error it goes on with the next member or brace, so that all errors are found.
struct Parser {
  let file: SourceFile
  let tokens: [Token]
  var position = 0
  var diagnostics: [Diagnostic]

  private var imports: [ImportSyntax] = []
  private var settings: [SettingsSyntax] = []
  private var models: [ModelSyntax] = []
  private var enums: [EnumSyntax] = []
  /// The closing brace of each opening one, once they are asked for.
  private var closingBraces: [Int: Int]?

  static func parse(_ file: SourceFile) -> (tree: SyntaxTree, diagnostics: [Diagnostic]) {
    var parser = Parser(file)
    parser.parseFile()
    let tree = SyntaxTree(
      file: file, tokens: parser.tokens, imports: parser.imports, settings: parser.settings,
      models: parser.models,
      enums: parser.enums)
    return (tree, parser.diagnostics)
  }

  private init(_ file: SourceFile) {
    self.file = file
    (tokens, diagnostics) = Lexer.tokens(of: file)
  }

  // MARK: Declarations

  private mutating func parseFile() {
    while current.kind != .end {
      var documentation = documentation(before: current)
      let start = position
      let attributes = parseAttributes()
      if position > start { documentation += self.documentation(before: current) }
      switch (current.kind, text) {
      case (.identifier, "model"): parseModel(documentation, attributes)
      case (.identifier, "enum"): parseEnum(documentation, attributes)
      case (.identifier, "import"):
        refuse(attributes, on: "an import")
        parseImport()
      case (.identifier, "schema"):
        refuse(attributes, on: "the settings")
        parseSettings()
      case (.semicolon, _) where attributes.isEmpty: advance()
      default:
        // An attribute that could not be read was reported.
        if position == start || !attributes.isEmpty {
          reportUnexpected(
            "“model”, “enum”, “import” or “schema”", among: ["model", "enum", "import", "schema"])
        }
        recoverAtDeclaration()
      }
      if position == start { advance() }
    }
  }

  private mutating func refuse(_ attributes: [AttributeSyntax], on subject: String) {
    for attribute in attributes {
      report(
        .misplacedAttribute, "“@\(attribute.name.text)” cannot stand on \(subject)", attribute.range.offsets)
    }
  }

  private mutating func parseImport() {
    advance()
    guard let module = parseName("the name of a target", onThisLine: true) else {
      return recoverAtDeclaration()
    }
    imports.append(ImportSyntax(module: module))
    guard !current.startsLine, current.kind != .semicolon, current.kind != .end else { return }
    reportUnexpected("a new line or “;”")
    recoverAtDeclaration()
  }

  private mutating func parseSettings() {
    let start = current.range.lowerBound
    advance()
    guard expect(.leftBrace) else { return recoverAtDeclaration() }
    var entries: [(name: NameSyntax, value: LiteralSyntax)] = []
    while current.kind != .rightBrace, current.kind != .end, !startsDeclaration() {
      if accept(.semicolon) { continue }
      let start = position
      guard let name = parseName("the name of a setting"), expect(.colon),
        let value = parseLiteral(allowsWord: true)
      else {
        recoverAtMember(from: start)
        continue
      }
      entries.append((name, value))
      endMember()
    }
    _ = expect(.rightBrace)
    settings.append(SettingsSyntax(range: range(from: start), entries: entries))
  }

  private mutating func parseModel(_ documentation: [String], _ attributes: [AttributeSyntax]) {
    advance()
    guard let name = parseName("the name of the model", onThisLine: true), expect(.leftBrace) else {
      return recoverAtDeclaration()
    }
    var properties: [PropertySyntax] = []
    while current.kind != .rightBrace, current.kind != .end, !startsDeclaration() {
      if accept(.semicolon) { continue }
      let start = position
      let (property, isComplete) = parseProperty()
      if let property { properties.append(property) }
      if isComplete { endMember() } else { recoverAtMember(from: start) }
    }
    let end = SourceRange(file: file, offsets: current.range)
    _ = expect(.rightBrace)
    models.append(
      ModelSyntax(
        documentation: documentation, attributes: attributes, name: name, properties: properties, end: end))
  }

  /// Parses a property as far as it can be read.
  private mutating func parseProperty() -> (property: PropertySyntax?, isComplete: Bool) {
    var documentation = documentation(before: current)
    let start = current.range.lowerBound
    let first = position
    var attributes = parseAttributes()
    if position > first {
      // The last attribute has no name.
      if tokens[position - 1].kind == .at { return (nil, false) }
      documentation += self.documentation(before: current)
    }
    let declaration = current.range.lowerBound
    if text == "var", current.kind == .identifier, peek(1)?.kind == .identifier { advance() }
    guard let name = parseName("the name of a property"), expect(.colon) else { return (nil, false) }
    let type = parseType()
    var defaultValue: LiteralSyntax?
    var isComplete = type != nil
    if isComplete, accept(.equals) {
      defaultValue = parseLiteral()
      isComplete = defaultValue != nil
    }
    // An attribute on the same line belongs to this property, one on the next line to what follows.
    while isComplete, current.kind == .at, !current.startsLine {
      if let attribute = parseAttribute() { attributes.append(attribute) } else { isComplete = false }
    }
    let unknown = TypeSyntax(
      name: NameSyntax(text: "", range: name.range), isList: false, isOptional: false, range: name.range)
    let property = PropertySyntax(
      documentation: documentation, attributes: attributes, name: name, type: type ?? unknown,
      defaultValue: defaultValue, range: range(from: start), declaration: declaration)
    return (property, isComplete)
  }

  private mutating func parseType() -> TypeSyntax? {
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
    return TypeSyntax(name: name, isList: isList, isOptional: isOptional, range: range(from: start))
  }

  private mutating func parseEnum(_ documentation: [String], _ attributes: [AttributeSyntax]) {
    advance()
    guard let name = parseName("the name of the enum", onThisLine: true) else {
      return recoverAtDeclaration()
    }
    var rawType = NameSyntax(text: "String", range: SourceRange(file: file, offsets: current.range))
    if current.kind == .leftBrace {
      reportMissingRawType(of: name)
    } else {
      guard expect(.colon), let written = parseName("“String” or “Int”") else {
        return recoverAtDeclaration()
      }
      rawType = written
    }
    guard expect(.leftBrace) else { return recoverAtDeclaration() }
    var cases: [EnumCaseSyntax] = []
    while current.kind != .rightBrace, current.kind != .end, !startsDeclaration() {
      if accept(.semicolon) { continue }
      let start = position
      let documentation = self.documentation(before: current)
      refuse(parseAttributes(), on: "a case")
      if text == "case", current.kind == .identifier {
        parseCases(documentation, from: start, &cases)
      } else {
        reportUnexpected("“case”", among: ["case"])
        recoverAtMember(from: start)
      }
    }
    _ = expect(.rightBrace)
    enums.append(
      EnumSyntax(
        documentation: documentation, attributes: attributes, name: name, rawType: rawType, cases: cases))
  }

  private mutating func reportMissingRawType(of name: NameSyntax) {
    let end = name.range.offsets.upperBound
    diagnostics.append(
      Diagnostic(
        code: .unexpectedToken, severity: .error,
        message: "“\(name.text)” names no type of its raw values: “String” or “Int”", range: name.range,
        fixIts: [
          .init(
            message: "write “: String” behind it", range: SourceRange(file: file, offsets: end..<end),
            replacement: ": String")
        ]))
  }

  private mutating func parseCases(
    _ documentation: [String], from start: Int, _ cases: inout [EnumCaseSyntax]
  ) {
    advance()
    repeat {
      guard let name = parseName("the name of a case", onThisLine: true) else {
        return recoverAtMember(from: start)
      }
      var rawValue: LiteralSyntax?
      if accept(.equals) {
        rawValue = parseLiteral()
        if rawValue == nil {
          cases.append(EnumCaseSyntax(documentation: documentation, name: name, rawValue: nil))
          return recoverAtMember(from: start)
        }
      }
      cases.append(EnumCaseSyntax(documentation: documentation, name: name, rawValue: rawValue))
    } while accept(.comma)
    endMember()
  }

  // MARK: Attributes

  private mutating func parseAttributes() -> [AttributeSyntax] {
    var attributes: [AttributeSyntax] = []
    while current.kind == .at, let attribute = parseAttribute() { attributes.append(attribute) }
    return attributes
  }

  private mutating func parseAttribute() -> AttributeSyntax? {
    let start = current.range.lowerBound
    advance()
    // What stands on the next line is what the attribute was to belong to.
    if current.startsLine {
      report(.unexpectedToken, "expected the name of an attribute behind “@”", start..<(start + 1))
      return nil
    }
    guard let name = parseName("the name of an attribute") else { return nil }
    var arguments: [ArgumentSyntax] = []
    var isComplete = true
    if current.kind == .leftParenthesis, !current.startsLine {
      advance()
      isComplete = parseArguments(&arguments)
    }
    return AttributeSyntax(
      name: name, arguments: arguments, range: range(from: start), isComplete: isComplete)
  }

  /// Parses the arguments and the parenthesis behind them; false where they cannot be read.
  private mutating func parseArguments(_ arguments: inout [ArgumentSyntax]) -> Bool {
    while current.kind != .rightParenthesis, current.kind != .end {
      var label: NameSyntax?
      if current.kind == .identifier, peek(1)?.kind == .colon {
        label = parseName("a label")
        advance()
      }
      guard let value = parseLiteral() else {
        recoverAtParenthesis()
        return false
      }
      arguments.append(ArgumentSyntax(label: label, value: value))
      guard accept(.comma) else { break }
    }
    if expect(.rightParenthesis) { return true }
    recoverAtParenthesis()
    return false
  }

  // MARK: Recovery

  /// A member ends with its line, a semicolon or the brace.
  private mutating func endMember() {
    guard !current.startsLine, current.kind != .semicolon, current.kind != .rightBrace, current.kind != .end
    else { return }
    let start = position
    reportUnexpected("a new line or “;”")
    recoverAtMember(from: start)
  }

  /// Moves behind the closing parenthesis of the line.
  private mutating func recoverAtParenthesis() {
    while current.kind != .rightParenthesis, current.kind != .rightBrace, current.kind != .end,
      !current.startsLine
    {
      advance()
    }
    if !current.startsLine { _ = accept(.rightParenthesis) }
  }

  /// Moves to the next line, a semicolon or the closing brace, and at least one token behind the start.
  private mutating func recoverAtMember(from start: Int) {
    while current.kind != .rightBrace, current.kind != .end, current.kind != .semicolon,
      position == start || !current.startsLine
    {
      // Braces inside of a member belong to it.
      if current.kind == .leftBrace, let end = closingBrace() {
        position = end
      }
      advance()
    }
  }

  /// The position of the brace that closes the current one, unless a declaration begins before it.
  private mutating func closingBrace() -> Int? {
    if let closingBraces { return closingBraces[position] }
    // All are found at once: looking for each of them anew would take ages where many are missing.
    var found: [Int: Int] = [:]
    var open: [Int] = []
    for index in tokens.indices {
      if startsDeclaration(at: index) { open = [] }
      if tokens[index].kind == .leftBrace { open.append(index) }
      if tokens[index].kind == .rightBrace, let start = open.popLast() { found[start] = index }
    }
    closingBraces = found
    return found[position]
  }

  private func startsDeclaration() -> Bool { startsDeclaration(at: position) }

  /// Whether a declaration of the file begins here, so that a brace is missing before it.
  private func startsDeclaration(at start: Int) -> Bool {
    guard tokens[start].startsLine else { return false }
    // Its attributes are passed over, which are a name and what is in parentheses.
    var index = start
    let limit = start + 64
    while index < limit, index + 1 < tokens.count, tokens[index].kind == .at,
      tokens[index + 1].kind == .identifier
    {
      index += 2
      guard index < tokens.count, tokens[index].kind == .leftParenthesis else { continue }
      while index < min(limit, tokens.count), tokens[index].kind != .rightParenthesis { index += 1 }
      if index < tokens.count, tokens[index].kind == .rightParenthesis { index += 1 }
    }
    guard index + 1 < tokens.count, tokens[index].kind == .identifier, tokens[index].startsLine else {
      return false
    }
    switch (file.text(tokens[index].range), tokens[index + 1].kind) {
    case ("model", .identifier), ("enum", .identifier), ("import", .identifier), ("schema", .leftBrace):
      return true
    default: return false
    }
  }

  /// Moves behind the braces of what could not be read, or to the next declaration.
  private mutating func recoverAtDeclaration() {
    var depth = 0
    while current.kind != .end {
      if depth > 0, startsDeclaration() { return }
      switch current.kind {
      case .leftBrace: depth += 1
      case .rightBrace:
        depth -= 1
        if depth <= 0 {
          while accept(.rightBrace) {}
          return
        }
      case .at where depth == 0 && current.startsLine: return
      case .identifier
      where depth == 0 && current.startsLine && ["model", "enum", "import", "schema"].contains(text):
        return
      default: break
      }
      advance()
    }
  }
}
