/// The models and enums of Swift source: classes with `@Model`, their stored properties, and the attributes of these.
struct SwiftModels {
  struct Attribute {
    let name: String
    /// The tokens between its parentheses.
    let arguments: [SwiftTokens.Token]

    /// The first string among the arguments.
    var text: String? {
      arguments.lazy.compactMap { if case .text(let text) = $0 { text } else { nil } }.first
    }

    func has(_ word: String) -> Bool { arguments.contains(.word(word)) }

    /// The tokens after a label, up to the next comma.
    func value(of label: String) -> [SwiftTokens.Token]? {
      guard let place = arguments.firstIndex(of: .word(label)), arguments.indices.contains(place + 1),
        arguments[place + 1] == .sign(":")
      else { return nil }
      return Array(arguments[(place + 2)...].prefix { $0 != .sign(",") })
    }
  }

  struct Property {
    let name: String
    let type: [SwiftTokens.Token]
    let attributes: [Attribute]
    let defaultValue: [SwiftTokens.Token]
    let line: Int

    func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }
  }

  struct Model {
    let name: String
    let line: Int
    var properties: [Property] = []
  }

  struct Enumeration {
    let name: String
    let rawType: String
    var cases: [(name: String, rawValue: String)] = []
  }

  private(set) var models: [Model] = []
  private(set) var enumerations: [Enumeration] = []
  /// The relationship to the parent of each model, by the model's name.
  private(set) var parents: [String: String] = [:]
  private let tokens: [(token: SwiftTokens.Token, line: Int)]
  private var place = 0
  /// The current nesting depth of types, and its maximum.
  private var level = 0
  private static let levelLimit = 64

  init(_ source: String) {
    tokens = SwiftTokens(source).tokens
    readDeclarations(in: nil)
  }

  // MARK: Tokens

  private var token: SwiftTokens.Token? { tokens.indices.contains(place) ? tokens[place].token : nil }

  private mutating func take(_ sign: Character) -> Bool {
    guard token == .sign(sign) else { return false }
    place += 1
    return true
  }

  private mutating func word() -> String? {
    guard case .word(let word)? = token else { return nil }
    place += 1
    return word
  }

  /// Skips a bracketed group, and returns its tokens.
  private mutating func bracketed() -> [SwiftTokens.Token] {
    let start = place
    var depth = 0
    while let token {
      switch token {
      case .sign("("), .sign("["), .sign("{"): depth += 1
      case .sign(")"), .sign("]"), .sign("}"): depth -= 1
      default: break
      }
      place += 1
      if depth <= 0 { break }
    }
    return tokens[start..<place].dropFirst().dropLast().map(\.token)
  }

  // MARK: Declarations

  /// Reads declarations up to the closing brace of the type that contains them.
  private mutating func readDeclarations(in type: String?) {
    var attributes: [Attribute] = []
    var isStatic = false
    while let token {
      let line = tokens[place].line
      switch token {
      case .sign("}"):
        place += 1
        return
      case .sign("@"):
        place += 1
        let name = word() ?? ""
        attributes.append(
          Attribute(name: name, arguments: self.token == .sign("(") ? bracketed() : []))
        continue
      case .word("class") where nextIsName, .word("struct"), .word("actor"), .word("extension"),
        .word("protocol"):
        place += 1
        readType(word() ?? "", attributes, line)
      case .word("enum"):
        place += 1
        readEnum()
      case .word("static"), .word("class"):
        place += 1
        isStatic = true
        continue
      case .word("var"), .word("let"):
        place += 1
        readProperty(of: type, attributes, isStatic: isStatic, line)
      case .word("func"), .word("init"), .word("subscript"), .word("deinit"):
        skipFunction()
      case .sign("("), .sign("["), .sign("{"):
        _ = bracketed()
      case .word("public"), .word("private"), .word("internal"), .word("package"), .word("open"),
        .word("final"),
        .word("fileprivate"), .word("nonisolated"), .word("set"), .word("lazy"), .word("weak"),
        .word("override"):
        place += 1
        if self.token == .sign("(") { _ = bracketed() }
        continue
      default: place += 1
      }
      attributes = []
      isStatic = false
    }
  }

  private var nextIsName: Bool {
    guard tokens.indices.contains(place + 1), case .word(let next) = tokens[place + 1].token else {
      return false
    }
    return next != "var" && next != "func"
  }

  private mutating func readType(_ name: String, _ attributes: [Attribute], _ line: Int) {
    while let token, token != .sign("{") {
      if token == .sign("}") { return }
      place += 1
    }
    guard level < SwiftModels.levelLimit else {
      _ = bracketed()
      return
    }
    level += 1
    defer { level -= 1 }
    place += 1
    let isModel = attributes.contains { $0.name == "Model" || $0.name == "Syncable" }
    if isModel { models.append(Model(name: name, line: line)) }
    // An extension, before or after the class, may declare the model's parent.
    readDeclarations(in: name)
  }

  private mutating func readEnum() {
    var enumeration = Enumeration(name: word() ?? "", rawType: take(":") ? word() ?? "" : "")
    while let token, token != .sign("{") {
      if token == .sign("}") { return }
      place += 1
    }
    place += 1
    while let token, token != .sign("}") {
      guard token == .word("case") else {
        if token == .sign("{") || token == .sign("(") { _ = bracketed() } else { place += 1 }
        continue
      }
      place += 1
      repeat {
        guard let name = word() else { break }
        var raw = name
        if take("=") {
          if case .text(let text)? = self.token { raw = text }
          if case .word(let digits)? = self.token { raw = digits }
          place += 1
        }
        enumeration.cases.append((name, raw))
      } while take(",")
    }
    place += 1
    enumerations.append(enumeration)
  }

  private mutating func readProperty(
    of owner: String?, _ attributes: [Attribute], isStatic: Bool, _ line: Int
  ) {
    guard let name = word() else { return }
    var (type, value): ([SwiftTokens.Token], [SwiftTokens.Token]) = ([], [])
    var isComputed = false
    if take(":") { type = expression() }
    if take("=") { value = expression() }
    if token == .sign("{") {
      let body = bracketed()
      isComputed = body.first != .word("didSet") && body.first != .word("willSet")
      if isStatic, name == "parentRelationship", let owner { parents[owner] = key(in: body) }
    } else if isStatic, name == "parentRelationship", let owner {
      parents[owner] = key(in: value)
    }
    guard let model = models.firstIndex(where: { $0.name == owner }), !isStatic, !isComputed || !value.isEmpty
    else { return }
    models[model].properties.append(
      Property(name: name, type: type, attributes: attributes, defaultValue: value, line: line))
  }

  /// The last name of a key path.
  private func key(in tokens: [SwiftTokens.Token]) -> String? {
    guard let slash = tokens.firstIndex(of: .sign("\\")) else { return nil }
    return tokens[slash...].lazy.compactMap { if case .word(let word) = $0 { word } else { nil } }.last
  }

  /// The tokens up to the end of the line, or up to a delimiter.
  private mutating func expression() -> [SwiftTokens.Token] {
    var result: [SwiftTokens.Token] = []
    let line = tokens.indices.contains(place) ? tokens[place].line : 0
    while let token, tokens[place].line == line, token != .sign("="), token != .sign("{"),
      token != .sign("}"), token != .sign(";")
    {
      if token == .sign("(") || token == .sign("[") {
        let start = place
        _ = bracketed()
        result += tokens[start..<place].map(\.token)
      } else {
        result.append(token)
        place += 1
      }
    }
    return result
  }

  private mutating func skipFunction() {
    place += 1
    while let token {
      if token == .sign("}") { return }
      if token == .sign("(") || token == .sign("[") {
        _ = bracketed()
      } else if token == .sign("{") {
        _ = bracketed()
        return
      } else {
        place += 1
      }
    }
  }
}
