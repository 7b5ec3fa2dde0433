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
    if parseAlternatives() { return nil }
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
        expression = .required(expression)
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
      // Parentheses around one name.
      let isName = current.kind == .identifier && peek(1)?.kind == .rightParenthesis
      if isName, let inner = parseTypeExpression(depth: depth + 1), accept(.rightParenthesis) {
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
      guard let name = parseName("a type", onThisLine: true), let named = parseNamed(name, depth: depth)
      else { return nil }
      expression = named
    }
    var marks = depth
    while depth > 0, !current.startsLine, current.kind == .question || current.kind == .exclamation {
      guard marks < Parser.typeDepthLimit else {
        report(.tooDeep, "types are nested more than \(Parser.typeDepthLimit) deep", at: currentRange)
        return nil
      }
      marks += 1
      expression = current.kind == .question ? .optional(expression) : .required(expression)
      advance()
    }
    return expression
  }

  /// Skips strings that are listed in the place of a type, as in TypeScript: `'admin' | 'user'`; returns false if there are none.
  private mutating func parseAlternatives() -> Bool {
    var end = position
    while end + 2 < tokens.count, tokens[end].kind == .string, tokens[end + 1].kind == .unknown,
      file.text(tokens[end + 1].range).allSatisfy({ $0 == "|" || $0 == " " }), !tokens[end + 2].startsLine
    {
      end += 2
    }
    guard end > position, tokens[end].kind == .string, !current.startsLine else { return false }
    let range = range(ofTokens: position...end)
    passProblems(upTo: range.offsets.lowerBound)
    passProblems(upTo: range.offsets.upperBound, reporting: false)
    report(
      .unexpectedToken,
      "a type is not a list of values: declare an enum with these cases, or write “String”", at: range,
      fixIts: [.write("String", for: range)])
    advance(to: end + 1)
    return true
  }

  private mutating func parseBrackets(depth: Int) -> TypeExpression? {
    let open = position
    advance()
    guard let element = parseTypeExpression(depth: depth + 1) else { return nil }
    if accept(.colon) {
      guard let value = parseTypeExpression(depth: depth + 1), expect(.rightBracket) else { return nil }
      return .map(value, key: element)
    }
    if current.kind != .rightBracket, let corrected = parseRest(of: element, depth: depth) {
      return corrected
    }
    if current.kind != .rightBracket {
      if endsMember, depth == 0, case .list = element {
        // `[[Task]`: one bracket too many, or one too few.
        let bracket = file.range(tokens[open].range)
        report(
          .unexpectedToken, "expected “]”, found the end of the line", at: behind,
          fixIts: [.remove(bracket), .write("]", for: behind)])
        return element
      }
      report(
        .unexpectedToken,
        "expected “]”, found \(endsMember ? "the end of the line" : foundName)",
        at: endsMember ? behind : currentRange, fixIts: [.write("]", for: behind)])
      if current.kind == .rightParenthesis || current.kind == .rightAngle { advance() }
      return .list(element)
    }
    advance()
    return .list(element)
  }

  /// Parses a second name before the closing bracket: a repetition of the first, the values of a map, or an extra name; nil if
  /// there is none.
  private mutating func parseRest(of element: TypeExpression, depth: Int) -> TypeExpression? {
    guard current.kind == .identifier, !current.startsLine, case .named(nil, let name) = element,
      let next = peek(1), [.rightBracket, .question].contains(next.kind)
    else { return nil }
    if text == name.text {
      skipRepeatedToken()
      return accept(.rightBracket) ? .list(element) : nil
    }
    guard name.text == "String", next.kind == .rightBracket else {
      report(
        .unexpectedToken, "expected “]”, found “\(text)”", at: currentRange, fixIts: [.remove(currentRange)])
      advance()
      if current.kind == .question { advance() }
      _ = accept(.rightBracket)
      return .list(element)
    }
    mend(
      "expected “:” before “\(text)”", at: currentRange,
      fixIts: [.insert(":", before: name.range.behind)])
    guard let value = parseTypeExpression(depth: depth + 1), expect(.rightBracket) else { return nil }
    return .map(value, key: element)
  }

  private mutating func parseNamed(_ name: NameSyntax, depth: Int) -> TypeExpression? {
    // `any Codable`
    if ["any", "some"].contains(name.text), followsOnLine(.identifier) {
      advance()
      return .foreign
    }
    var expression = TypeExpression.named(module: nil, name)
    if current.kind == .dot, !current.startsLine, peek(1)?.kind == .identifier {
      advance()
      guard let member = parseName("a type") else { return nil }
      expression = .named(module: name, member)
    }
    // `VARCHAR(20)`
    if current.kind == .leftParenthesis, current.range.lowerBound == tokens[position - 1].range.upperBound,
      ForeignWords.scalar(named: name.text) != nil
    {
      skipParentheses()
      return .generic(name, [])
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

  /// Converts a type expression to a type of the schema language. If there is no such type, the error suggests the correct form.
  private mutating func lower(_ expression: TypeExpression, _ isMended: Bool, _ range: SourceRange)
    -> TypeSyntax?
  {
    if expression.isPlain, !isMended {
      let syntax = expression.corrected(range)
      // The declaration cannot have this type parameter, which was already reported.
      guard let syntax, typeParameters.contains(syntax.name.text) else { return syntax }
      isSpoiled = true
      return nil
    }
    let written = range.text
    guard let syntax = expression.corrected(range) else {
      if case .generic(let name, _) = expression.unwrapped, declaredGenerics.contains(name.text) {
        // The declaration was already reported.
        isSpoiled = true
      } else if case .generic(let name, let arguments) = expression, !arguments.isEmpty,
        !arguments.contains(where: { $0.corrected(range) == nil })
      {
        report(
          .invalidType,
          "generic types are not supported. To read rows inside an envelope such as “\(name.text)”, declare a model for the rows and pass the path of the list as “at:”",
          at: range)
      } else {
        report(
          .invalidType, "“\(written)” is not a schema type: “JSON” holds any value", at: range,
          fixIts: [.write("JSON", for: range)])
      }
      return nil
    }
    let message =
      expression.holdsNil
      ? "elements of lists and maps cannot be optional: write “\(syntax.text)”"
      : expression.hasOtherKeys
        ? "map keys must be “String”, as in JSON: write “\(syntax.text)”"
        : "“\(written)” is written “\(syntax.text)”"
    report(.invalidType, message, at: range, fixIts: [.write(syntax.text, for: range)])
    return syntax
  }

  /// The names of the file's declarations that have type parameters.
  private var declaredGenerics: Set<String> {
    mutating get {
      if let generics { return generics }
      let found = otherGenerics.union(tokens.indices.compactMap { scanned.generic(at: $0, in: file) })
      generics = found
      return found
    }
  }
}

extension Lexer.Output {
  /// The name that is declared with type parameters at a token, as in `model Page<T>`; nil if there is none.
  package func generic(at index: Int, in file: SourceFile) -> String? {
    guard index + 2 < tokens.count, tokens[index + 2].kind == .leftAngle,
      tokens[index].kind == .identifier, tokens[index + 1].kind == .identifier,
      Keyword.Kind(rawValue: file.text(tokens[index].range)) != nil
    else { return nil }
    return Lexer.name(file.text(tokens[index + 1].range))
  }
}
