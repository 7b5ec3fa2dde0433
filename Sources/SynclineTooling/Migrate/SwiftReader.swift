/// Reads declarations from the tokens of Swift source. Functions and computed properties are skipped.
struct SwiftReader {
  typealias Tokens = [SwiftTokens.Token]

  /// The type whose members are being read.
  private struct Scope {
    var name: String
    /// The index of the declaration that gets the properties.
    var index: Int?
    var isEnum = false
  }

  private(set) var models = SwiftModels()
  private let tokens: [(token: SwiftTokens.Token, line: Int)]
  private var place = 0
  /// The current nesting depth of types, and its maximum.
  private var level = 0
  private static let levelLimit = 64
  private static let modifiers: Set<String> = [
    "public", "private", "internal", "package", "open", "final", "fileprivate", "nonisolated", "set", "lazy",
    "weak", "unowned", "override", "indirect", "mutating", "required", "convenience",
  ]

  init(_ tokens: [(token: SwiftTokens.Token, line: Int)]) { self.tokens = tokens }

  mutating func read() {
    // An extra closing brace ends no declaration.
    while token != nil { readDeclarations(in: Scope(name: "")) }
  }

  // MARK: Tokens

  private var token: SwiftTokens.Token? { tokens.indices.contains(place) ? tokens[place].token : nil }

  private var line: Int { tokens.indices.contains(place) ? tokens[place].line : 0 }

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

  /// Reads names that are separated by points: `Outer.Inner`.
  private mutating func path() -> String {
    var names = [word() ?? ""]
    while token == .sign("."), tokens.indices.contains(place + 1), case .word = tokens[place + 1].token {
      place += 1
      names.append(word() ?? "")
    }
    return names.joined(separator: ".")
  }

  /// Skips a bracketed group, and returns its tokens.
  private mutating func bracketed() -> Tokens {
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

  /// Reads declarations up to the closing brace of the enclosing type.
  private mutating func readDeclarations(in scope: Scope) {
    var attributes: [SwiftModels.Attribute] = []
    var isStatic = false
    while let token {
      switch token {
      case .sign("}"):
        place += 1
        return
      case .sign("@"):
        place += 1
        // Its module may be written, too: `@SwiftData.Model`.
        let name = path().split(separator: ".").last.map(String.init) ?? ""
        attributes.append(
          SwiftModels.Attribute(name: name, arguments: self.token == .sign("(") ? bracketed() : []))
        continue
      case .sign("#"):
        place += 1
        readMacro(in: scope)
      case .word("class") where nextIsName, .word("struct"), .word("actor"), .word("extension"),
        .word("protocol"), .word("enum"):
        readType(in: scope, attributes)
      case .word("static"), .word("class"):
        place += 1
        isStatic = true
        continue
      case .word("var"), .word("let"):
        readBindings(of: scope, attributes, isStatic: isStatic)
      case .word("case") where scope.isEnum:
        place += 1
        readCases(of: scope)
      case .word("typealias"):
        place += 1
        let name = path()
        if take("=") { models.aliases[qualified(name, in: scope)] = expression() }
      case .word("import"):
        skipLine()
      case .word("func"), .word("init"), .word("subscript"), .word("deinit"):
        skipFunction()
      case .sign("("), .sign("["), .sign("{"):
        _ = bracketed()
      case .word(let word) where SwiftReader.modifiers.contains(word):
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
    return next != "var" && next != "func" && next != "let"
  }

  private func qualified(_ name: String, in scope: Scope) -> String {
    scope.name.isEmpty ? name : "\(scope.name).\(name)"
  }

  private mutating func readType(in scope: Scope, _ attributes: [SwiftModels.Attribute]) {
    let start = line
    let keyword = word() ?? ""
    let name = path()
    var inherited: Tokens = []
    while let token, token != .sign("{") {
      if token == .sign("}") { return }
      inherited.append(token)
      place += 1
    }
    guard level < SwiftReader.levelLimit else {
      _ = bracketed()
      return
    }
    level += 1
    defer { level -= 1 }
    place += 1
    var inner = Scope(name: keyword == "extension" ? name : qualified(name, in: scope))
    inner.isEnum = keyword == "enum"
    let isModel = attributes.contains { $0.name == "Model" || $0.name == "Syncable" }
    let kind: SwiftModels.Kind? =
      switch keyword {
      case _ where isModel: .model
      case "struct": .structure
      case "enum": .enumeration
      default: nil
      }
    if let kind, !name.isEmpty {
      inner.index = models.declarations.count
      models.declarations.append(
        SwiftModels.Declaration(name: inner.name, kind: kind, inherited: inherited, line: start))
    }
    // An extension, before or after the class, may declare the parent of the model.
    readDeclarations(in: inner)
  }

  private mutating func readCases(of scope: Scope) {
    repeat {
      guard let name = word() else { return }
      var entry = SwiftModels.Case(name: name)
      if token == .sign("(") {
        _ = bracketed()
        entry.hasAssociatedValues = true
      }
      if take("=") { entry.rawValue = expression() }
      if let index = scope.index { models.declarations[index].cases.append(entry) }
    } while take(",")
  }

  /// Reads `#Unique<Trip>([\.name, \.start])` and `#Index<Trip>([\.name])`.
  private mutating func readMacro(in scope: Scope) {
    guard let name = word(), name == "Unique" || name == "Index", let index = scope.index else { return }
    while let token, token != .sign("("), token != .sign("{"), token != .sign("}") { place += 1 }
    guard token == .sign("(") else { return }
    let groups = bracketed().keyPathGroups
    if name == "Unique" {
      models.declarations[index].uniqueGroups += groups
    } else {
      models.declarations[index].indexes += groups
    }
  }

  // MARK: Properties

  /// Reads the properties after a `var` or `let`: `a: Int, b: Int = 2`.
  private mutating func readBindings(
    of scope: Scope, _ attributes: [SwiftModels.Attribute], isStatic: Bool
  ) {
    place += 1
    var properties: [SwiftModels.Property] = []
    repeat {
      let start = line
      guard let name = word() else { break }
      let type = take(":") ? expression() : []
      let value = take("=") ? expression(isValue: true) : []
      var isComputed = false
      var body: Tokens = []
      if token == .sign("{") {
        body = bracketed()
        isComputed = value.isEmpty && body.first != .word("didSet") && body.first != .word("willSet")
      }
      if isStatic, name == "parentRelationship", !scope.name.isEmpty {
        models.parents[scope.name] = (value + body).keyPathName
      }
      guard !isStatic, !isComputed else { continue }
      properties.append(
        SwiftModels.Property(
          name: name, type: type, attributes: attributes, defaultValue: value, line: start))
    } while take(",")
    shareTypes(of: &properties)
    if let index = scope.index, !scope.isEnum { models.declarations[index].properties += properties }
  }

  /// Applies the type to all properties: in `var a, b: Int`, both are integers.
  private func shareTypes(of properties: inout [SwiftModels.Property]) {
    for place in properties.indices.dropLast().reversed()
    where properties[place].type.isEmpty && properties[place].defaultValue.isEmpty {
      properties[place].type = properties[place + 1].type
    }
  }

  /// Reads the tokens of a type or a value, up to a comma, another delimiter or the end of the line.
  private mutating func expression(isValue: Bool = false) -> Tokens {
    var result: Tokens = []
    var (last, angles) = (line, 0)
    while let token, angles > 0 || token != .sign(",") {
      guard result.isEmpty || line == last || token == .sign(".") else { break }
      last = line
      switch token {
      case .sign("="), .sign("}"), .sign(";"), .sign(")"), .sign("]"): return result
      // The value is a closure that is called: `= { … }()`.
      case .sign("{") where !isValue || !result.isEmpty: return result
      case .sign("("), .sign("["), .sign("{"):
        let start = place
        _ = bracketed()
        result += tokens[start..<place].map(\.token)
        last = tokens[place - 1].line
        continue
      case .sign("<"):
        if !isValue || followsType(result) { angles += 1 }
      case .sign(">"):
        // The arrow of a function's type closes nothing.
        if angles > 0, result.last != .sign("-") { angles -= 1 }
      default: break
      }
      result.append(token)
      place += 1
    }
    return result
  }

  /// Whether the last token may be the name of a type.
  private func followsType(_ tokens: Tokens) -> Bool {
    guard case .word(let word)? = tokens.last else { return false }
    return word.first?.isUppercase ?? false
  }

  // MARK: Skipping

  private mutating func skipLine() {
    let start = line
    while token != nil, line == start { place += 1 }
  }

  private mutating func skipFunction() {
    place += 1
    while let token {
      switch token {
      case .sign("}"): return
      case .sign("("), .sign("["): _ = bracketed()
      case .sign("{"):
        _ = bracketed()
        return
      default: place += 1
      }
    }
  }
}
