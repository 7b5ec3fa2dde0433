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

  static func parse(_ file: SourceFile) -> (tree: SyntaxTree, diagnostics: [Diagnostic]) {
    var parser = Parser(file)
    parser.parseFile()
    let tree = SyntaxTree(
      file: file, tokens: parser.tokens, imports: parser.imports, settings: parser.settings, models: parser.models,
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
      let documentation = documentation(before: current)
      let start = position
      let attributes = parseAttributes()
      switch (current.kind, text) {
      case (.identifier, "model"): parseModel(documentation, attributes)
      case (.identifier, "enum"): parseEnum(documentation, attributes)
      case (.identifier, "import") where attributes.isEmpty: parseImport()
      case (.identifier, "schema") where attributes.isEmpty: parseSettings()
      case (.semicolon, _): advance()
      default:
        reportUnexpected("“model”, “enum”, “import” or “schema”")
        recoverAtDeclaration()
      }
      if position == start { advance() }
    }
  }

  private mutating func parseImport() {
    advance()
    guard let module = parseName("the name of a target") else { return recoverAtDeclaration() }
    imports.append(ImportSyntax(module: module))
  }

  private mutating func parseSettings() {
    let start = current.range.lowerBound
    advance()
    guard expect(.leftBrace) else { return recoverAtDeclaration() }
    var entries: [(name: NameSyntax, value: LiteralSyntax)] = []
    while current.kind != .rightBrace, current.kind != .end {
      if accept(.semicolon) { continue }
      guard let name = parseName("the name of a setting"), expect(.colon), let value = parseLiteral(allowsWord: true)
      else {
        recoverAtMember()
        continue
      }
      entries.append((name, value))
    }
    _ = expect(.rightBrace)
    settings.append(SettingsSyntax(range: range(from: start), entries: entries))
  }

  private mutating func parseModel(_ documentation: [String], _ attributes: [AttributeSyntax]) {
    advance()
    guard let name = parseName("the name of the model"), expect(.leftBrace) else { return recoverAtDeclaration() }
    var properties: [PropertySyntax] = []
    while current.kind != .rightBrace, current.kind != .end {
      if accept(.semicolon) { continue }
      let start = position
      if let property = parseProperty() {
        properties.append(property)
        endMember()
      } else {
        recoverAtMember()
      }
      if position == start { advance() }
    }
    let end = SourceRange(file: file, offsets: current.range)
    _ = expect(.rightBrace)
    models.append(
      ModelSyntax(documentation: documentation, attributes: attributes, name: name, properties: properties, end: end))
  }

  private mutating func parseProperty() -> PropertySyntax? {
    let documentation = documentation(before: current)
    let start = current.range.lowerBound
    var attributes = parseAttributes()
    if text == "var", current.kind == .identifier, peek(1)?.kind == .identifier { advance() }
    guard let name = parseName("the name of a property") else { return nil }
    guard expect(.colon), let type = parseType() else { return nil }
    var defaultValue: LiteralSyntax?
    if accept(.equals) {
      defaultValue = parseLiteral()
      if defaultValue == nil { return nil }
    }
    // An attribute on the same line belongs to this property, one on the next line to what follows.
    while current.kind == .at, !current.startsLine {
      guard let attribute = parseAttribute() else { break }
      attributes.append(attribute)
    }
    return PropertySyntax(
      documentation: documentation, attributes: attributes, name: name, type: type, defaultValue: defaultValue,
      range: range(from: start))
  }

  private mutating func parseType() -> TypeSyntax? {
    let start = current.range.lowerBound
    let isList = accept(.leftBracket)
    guard let name = parseName("a type") else { return nil }
    if isList, !expect(.rightBracket) { return nil }
    let isOptional = accept(.question)
    return TypeSyntax(name: name, isList: isList, isOptional: isOptional, range: range(from: start))
  }

  private mutating func parseEnum(_ documentation: [String], _ attributes: [AttributeSyntax]) {
    advance()
    guard let name = parseName("the name of the enum"), expect(.colon),
      let rawType = parseName("“String” or “Int”"), expect(.leftBrace)
    else { return recoverAtDeclaration() }
    var cases: [EnumCaseSyntax] = []
    while current.kind != .rightBrace, current.kind != .end {
      if accept(.semicolon) { continue }
      let start = position
      let documentation = self.documentation(before: current)
      if text == "case", current.kind == .identifier {
        advance()
        var isLast = false
        while !isLast {
          guard let name = parseName("the name of a case") else {
            recoverAtMember()
            break
          }
          var rawValue: LiteralSyntax?
          if accept(.equals) { rawValue = parseLiteral() }
          cases.append(EnumCaseSyntax(documentation: documentation, name: name, rawValue: rawValue))
          isLast = !accept(.comma)
          if isLast { endMember() }
        }
      } else {
        reportUnexpected("“case”")
        recoverAtMember()
      }
      if position == start { advance() }
    }
    _ = expect(.rightBrace)
    enums.append(
      EnumSyntax(documentation: documentation, attributes: attributes, name: name, rawType: rawType, cases: cases))
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
    guard let name = parseName("the name of an attribute") else { return nil }
    var arguments: [ArgumentSyntax] = []
    if current.kind == .leftParenthesis, !current.startsLine {
      advance()
      while current.kind != .rightParenthesis, current.kind != .end {
        var label: NameSyntax?
        if current.kind == .identifier, peek(1)?.kind == .colon {
          label = parseName("a label")
          advance()
        }
        guard let value = parseLiteral() else { break }
        arguments.append(ArgumentSyntax(label: label, value: value))
        guard accept(.comma) else { break }
      }
      if !expect(.rightParenthesis) {
        while current.kind != .rightParenthesis, current.kind != .rightBrace, current.kind != .end, !current.startsLine {
          advance()
        }
        _ = accept(.rightParenthesis)
      }
    }
    return AttributeSyntax(name: name, arguments: arguments, range: range(from: start))
  }

  // MARK: Recovery

  /// A member ends with its line, a semicolon or the brace.
  private mutating func endMember() {
    guard !current.startsLine, current.kind != .semicolon, current.kind != .rightBrace, current.kind != .end else { return }
    reportUnexpected("a new line or “;”")
    recoverAtMember()
  }

  /// Moves to the next line, a semicolon or the closing brace.
  private mutating func recoverAtMember() {
    if current.kind != .rightBrace, current.kind != .end, current.kind != .semicolon { advance() }
    while !current.startsLine, current.kind != .rightBrace, current.kind != .end, current.kind != .semicolon {
      advance()
    }
  }

  /// Moves behind the braces of what could not be read, or to the next declaration.
  private mutating func recoverAtDeclaration() {
    var depth = 0
    while current.kind != .end {
      switch current.kind {
      case .leftBrace: depth += 1
      case .rightBrace:
        depth -= 1
        if depth <= 0 {
          advance()
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
