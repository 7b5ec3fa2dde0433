/// A type as it is written.
indirect enum TypeExpression {
  case named(module: NameSyntax?, NameSyntax)
  case list(TypeExpression)
  case map(TypeExpression, key: TypeExpression)
  case optional(TypeExpression)
  /// `Array<Int>`
  case generic(NameSyntax, [TypeExpression])
  /// A tuple, a function type, or another type that schemas do not have.
  case foreign

  /// The equivalent type of the schema language; nil if there is none.
  func mended(_ range: SourceRange) -> TypeSyntax? {
    switch self {
    case .named(let module, let name):
      return TypeSyntax(module: module, name: name, shape: .name, isOptional: false, range: range)
    case .optional(let wrapped):
      return wrapped.mended(range).map {
        TypeSyntax(module: $0.module, name: $0.name, shape: $0.shape, isOptional: true, range: range)
      }
    case .list(let element): return element.mended(range)?.wrapped(by: TypeSyntax.Shape.list)
    case .map(let element, _): return element.mended(range)?.wrapped(by: TypeSyntax.Shape.map)
    case .foreign: return nil
    case .generic(let name, let arguments):
      guard let last = arguments.last else { return nil }
      switch (name.text, arguments.count) {
      case ("Array", 1), ("Set", 1), ("List", 1), ("ContiguousArray", 1), ("Sequence", 1), ("Collection", 1):
        return TypeExpression.list(last).mended(range)
      case ("Dictionary", 2), ("Map", 2), ("Record", 2):
        return TypeExpression.map(last, key: arguments[0]).mended(range)
      case ("Optional", 1), ("Nullable", 1), ("Maybe", 1): return TypeExpression.optional(last).mended(range)
      default: return nil
      }
    }
  }

  /// Whether the schema language allows it as it is written.
  var isPlain: Bool {
    switch self {
    case .optional(let wrapped): wrapped.isPlainElement
    default: isPlainElement
    }
  }

  private var isPlainElement: Bool {
    switch self {
    case .named: true
    case .list(let element): element.isPlainElement
    case .map(let element, let key): element.isPlainElement && key.isText
    case .optional, .generic, .foreign: false
    }
  }

  private var isText: Bool { if case .named(nil, let name) = self { name.text == "String" } else { false } }

  /// Whether elements of a list or a map may be nil.
  var holdsNil: Bool {
    switch self {
    case .list(.optional), .map(.optional, _): true
    case .list(let element), .map(let element, _): element.holdsNil
    case .optional(let wrapped): wrapped.holdsNil
    case .named, .generic, .foreign: false
    }
  }

  /// Whether the keys of a map are not strings.
  var hasOtherKeys: Bool {
    switch self {
    case .map(let element, let key): !key.isText || element.hasOtherKeys
    case .list(let element), .optional(let element): element.hasOtherKeys
    case .named, .generic, .foreign: false
    }
  }
}

extension TypeSyntax {
  /// A list or a map of the type. Its elements are never nil.
  fileprivate func wrapped(by wrap: (Shape) -> Shape) -> TypeSyntax {
    TypeSyntax(module: module, name: name, shape: wrap(shape), isOptional: false, range: range)
  }
}

extension Parser {
  static let typeDepthLimit = 16

  mutating func parseType() -> TypeSyntax? {
    // A name on the next line is the next property.
    if current.startsLine, current.kind != .end,
      peek(1)?.kind == .colon || current.kind == .rightBrace || current.kind == .at
    {
      reportUnexpected("a type", atEndOfLine: true)
      return nil
    }
    let start = current.range.lowerBound
    guard var expression = parseTypeExpression(depth: 0) else { return nil }
    var isMended = false
    var depth = 0
    // `Int[]` and `Int!`
    while !current.startsLine {
      guard depth < Parser.typeDepthLimit else {
        report(.tooDeep, "types are nested more than \(Parser.typeDepthLimit) deep", at: currentRange)
        return nil
      }
      depth += 1
      if current.kind == .leftBracket, peek(1)?.kind == .rightBracket {
        advance()
        expression = .list(expression)
      } else if current.kind == .exclamation {
        expression = .optional(expression)
      } else if current.kind == .question {
        expression = .optional(expression)
      } else {
        break
      }
      isMended = isMended || current.kind != .question
      advance()
    }
    return lower(expression, isMended, range(from: start))
  }

  private mutating func parseTypeExpression(depth: Int) -> TypeExpression? {
    guard depth < Parser.typeDepthLimit else {
      report(.tooDeep, "types are nested more than \(Parser.typeDepthLimit) deep", at: currentRange)
      return nil
    }
    var expression: TypeExpression
    switch current.kind {
    case .leftBracket:
      guard let list = parseBrackets(depth: depth) else { return nil }
      expression = list
    case .leftParenthesis:
      let open = position
      advance()
      let inner = peekTypeInParentheses() ? parseTypeExpression(depth: depth + 1) : nil
      if let inner, accept(.rightParenthesis) {
        expression = inner
      } else {
        // A tuple or a function type.
        position = open
        skipParentheses()
        expression = .foreign
      }
    case .string where !current.startsLine:
      let range = currentRange
      let name = parseText()
      report(
        .unexpectedToken, "a type is written without quotes", at: range, fixIts: [.write(name, for: range)])
      advance()
      return .named(module: nil, NameSyntax(text: name, range: range))
    default:
      guard let name = parseName("a type", onThisLine: true) else { return nil }
      guard let named = parseNamed(name, depth: depth) else { return nil }
      expression = named
    }
    while depth > 0, current.kind == .question, !current.startsLine {
      advance()
      expression = .optional(expression)
    }
    return expression
  }

  /// Whether the parentheses contain one name.
  private func peekTypeInParentheses() -> Bool {
    current.kind == .identifier && peek(1)?.kind == .rightParenthesis
  }

  private mutating func parseBrackets(depth: Int) -> TypeExpression? {
    advance()
    guard let element = parseTypeExpression(depth: depth + 1) else { return nil }
    if accept(.colon) {
      guard let value = parseTypeExpression(depth: depth + 1), expect(.rightBracket) else { return nil }
      return .map(value, key: element)
    }
    if current.kind != .rightBracket {
      report(
        .unexpectedToken,
        "expected “]”, found \(endsMember ? "the end of the line" : current.kind == .identifier ? "“\(text)”" : current.kind.name)",
        at: endsMember ? behind : currentRange,
        fixIts: [
          .init(message: "write “]”", range: behind, replacement: "]")
        ])
      if current.kind == .rightParenthesis || current.kind == .rightAngle { advance() }
      return .list(element)
    }
    advance()
    return .list(element)
  }

  private mutating func parseNamed(_ name: NameSyntax, depth: Int) -> TypeExpression? {
    // `any Codable`
    if ["any", "some"].contains(name.text), current.kind == .identifier, !current.startsLine {
      advance()
      return .foreign
    }
    var expression = TypeExpression.named(module: nil, name)
    if current.kind == .dot, !current.startsLine, peek(1)?.kind == .identifier {
      advance()
      guard let member = parseName("a type") else { return nil }
      expression = .named(module: name, member)
    }
    guard current.kind == .leftAngle, !current.startsLine else { return expression }
    advance()
    var arguments: [TypeExpression] = []
    while current.kind != .rightAngle {
      guard let argument = parseTypeExpression(depth: depth + 1) else { return nil }
      arguments.append(argument)
      guard accept(.comma) else { break }
    }
    guard expect(.rightAngle) else { return nil }
    return .generic(name, arguments)
  }

  /// The type that an expression means. If the language does not have it, the error suggests the correct
  /// form.
  private mutating func lower(_ expression: TypeExpression, _ isMended: Bool, _ range: SourceRange)
    -> TypeSyntax?
  {
    if expression.isPlain, !isMended {
      return expression.mended(range)
    }
    let written = range.text
    guard let syntax = expression.mended(range) else {
      if case .generic(let name, let arguments) = expression, !arguments.isEmpty,
        !arguments.contains(where: { $0.mended(range) == nil })
      {
        report(
          .invalidType, "types of a schema have no parameters, as “\(name.text)” has here", at: range)
      } else {
        report(
          .invalidType, "“\(written)” is not a schema type: “JSON” holds any value", at: range,
          fixIts: [.write("JSON", for: range)])
      }
      return nil
    }
    let message =
      expression.holdsNil
      ? "what is in a list or a map is never nil: write “\(syntax.text)”"
      : expression.hasOtherKeys
        ? "the keys of a map are texts, as in JSON: write “\(syntax.text)”"
        : "“\(written)” is written “\(syntax.text)”"
    report(.invalidType, message, at: range, fixIts: [.write(syntax.text, for: range)])
    return syntax
  }
}
