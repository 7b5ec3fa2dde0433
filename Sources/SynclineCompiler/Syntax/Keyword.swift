/// The keyword of a declaration, or a word used in its place.
package struct Keyword {
  package enum Kind: String, CaseIterable {
    case model
    case structure = "struct"
    case enumeration = "enum"
    case union
    case module = "import"
    case settings = "schema"
  }

  let kind: Kind
  /// Whether the source has the keyword, another word, or no word.
  var form: Form = .right

  enum Form {
    case right
    /// Another spelling of the word.
    case misspelled
    /// A keyword of another language.
    case foreign
    case missing
  }

  /// All keywords, as a message names them.
  static let list = "“model”, “struct”, “enum”, “union”, “import” or “schema”"

  /// Names for a model in other languages.
  static let foreignModels: Set<String> = [
    "class", "actor", "entity", "table", "type", "record", "object", "interface", "data", "final",
  ]
  /// Swift declarations that schemas do not have.
  static let swift: Set<String> = [
    "func", "let", "var", "extension", "protocol", "typealias", "init", "subscript", "macro", "operator",
    "associatedtype", "precedencegroup",
  ]
  /// Modifiers of declarations in Swift and other languages.
  static let modifiers: Set<String> = [
    "public", "private", "internal", "package", "fileprivate", "open", "final", "static", "lazy", "weak",
    "dynamic", "override", "indirect", "nonisolated", "mutating", "required", "unowned", "optional",
    "readonly",
    "const", "export", "abstract", "let", "var",
  ]
}

extension Parser {
  /// The kind of declaration that begins here; nil if none does.
  func keyword() -> Keyword? {
    guard current.kind == .identifier else { return nil }
    let word = text
    if let kind = Keyword.Kind(rawValue: word) { return Keyword(kind: kind) }
    let next = peek(1)
    let isNamed = next.map { $0.kind == .identifier && !$0.startsLine } ?? false
    if isNamed, Keyword.foreignModels.contains(word.lowercased()) {
      return Keyword(kind: .model, form: .foreign)
    }
    if isNamed || (next?.kind == .leftBrace && word.lowercased() != "model"),
      !Keyword.swift.contains(word),
      let meant = Suggestion.nearest(to: word, in: Keyword.Kind.allCases.map(\.rawValue)),
      let kind = Keyword.Kind(rawValue: meant), (kind == .settings) != isNamed
    {
      return Keyword(kind: kind, form: .misspelled)
    }
    return keywordOfBody(next)
  }

  /// The kind that a name with a body declares: `User {`.
  private func keywordOfBody(_ next: Token?) -> Keyword? {
    if next?.kind == .leftBrace {
      let isEnum = peek(2)?.kind == .identifier && text(at: position + 2) == "case"
      return Keyword(kind: isEnum ? .enumeration : .model, form: .missing)
    }
    guard next?.kind == .colon, peek(2)?.kind == .identifier, peek(3)?.kind == .leftBrace else { return nil }
    return Keyword(kind: .enumeration, form: .missing)
  }

  /// Skips a keyword, or reports the word found in its place.
  mutating func take(_ keyword: Keyword) {
    let (range, word) = (currentRange, keyword.kind.rawValue)
    switch keyword.form {
    case .right: break
    case .misspelled:
      mend(
        "expected \(Keyword.list), found “\(text)”; did you mean “\(word)”?",
        at: range,
        fixIts: [.write(word, for: range)])
    case .foreign:
      report(
        .unexpectedToken, "a schema has models: write “model”, not “\(text)”", at: range,
        fixIts: [.write(word, for: range)])
    case .missing:
      mend(
        "“\(text)” is declared without a keyword: write “\(word) \(text)”", at: range,
        fixIts: [.write("\(word) \(text)", for: range)])
      return
    }
    advance()
  }
}
