import SynclineNaming

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
    /// The keyword follows the name.
    case behind
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
    "const", "export", "abstract", "let", "var", "val",
  ]
}

extension Parser {
  /// The kind of declaration that begins here; nil if none does.
  func keyword() -> Keyword? {
    guard current.kind == .identifier else { return nil }
    let word = text
    if let kind = Keyword.Kind(rawValue: word) { return Keyword(kind: kind) }
    let next = peek(1)
    let isNamed = followsOnLine(.identifier, at: 1)
    if isNamed, let kind = keywordAfterName() { return Keyword(kind: kind, form: .behind) }
    if isNamed, Keyword.foreignModels.contains(word.lowercased()) {
      return Keyword(kind: .model, form: .foreign)
    }
    if isNamed || (next?.kind == .leftBrace && word.lowercased() != "model"),
      !Keyword.swift.contains(word),
      let meant = Vocabulary(Keyword.Kind.allCases.map(\.rawValue)).nearest(to: word),
      let kind = Keyword.Kind(rawValue: meant), (kind == .settings) != isNamed,
      kind != .module || peek(2)?.kind != .leftBrace
    {
      return Keyword(kind: kind, form: .misspelled)
    }
    return keywordOfBody(next)
  }

  /// The kind of a declaration such as `User model {`, in which the name precedes the keyword.
  private func keywordAfterName() -> Keyword.Kind? {
    guard let kind = Keyword.Kind(rawValue: text(at: position + 1)), let behind = peek(2), !behind.startsLine
    else { return nil }
    switch kind {
    case .model, .structure: return behind.kind == .leftBrace ? kind : nil
    case .enumeration: return behind.kind == .colon || behind.kind == .leftBrace ? kind : nil
    case .union: return text(at: position + 2) == "on" ? kind : nil
    case .module, .settings: return nil
    }
  }

  /// The kind of a declaration without a keyword, such as `User {`.
  private func keywordOfBody(_ next: Token?) -> Keyword? {
    if next?.kind == .leftBrace {
      let isEnum = peek(2)?.kind == .identifier && text(at: position + 2) == "case"
      return Keyword(kind: isEnum ? .enumeration : kindOfBody(openedAt: position + 1), form: .missing)
    }
    guard peek(3)?.kind == .leftBrace else { return nil }
    if next?.kind == .identifier, text(at: position + 1) == "on", peek(2)?.kind == .string {
      return Keyword(kind: .union, form: .missing)
    }
    guard next?.kind == .colon, peek(2)?.kind == .identifier else { return nil }
    return Keyword(kind: .enumeration, form: .missing)
  }

  /// Whether a body looks like that of a model or of a struct. A struct has neither attributes nor an identity.
  private func kindOfBody(openedAt open: Int) -> Keyword.Kind {
    let isAttributed =
      position > 0
      && (tokens[position - 1].kind == .rightParenthesis
        || (position > 1 && tokens[position - 2].kind == .at))
    guard !isAttributed, open + 1 < tokens.count, tokens[open + 1].kind != .rightBrace else { return .model }
    for index in open + 1..<min(open + 256, tokens.count) {
      if tokens[index].kind == .rightBrace { return .structure }
      if startsDeclaration(at: index) { break }
      guard tokens[index].kind == .identifier else { continue }
      let word = text(at: index)
      let isIdentity = ["id", "remoteID"].contains(word) && peek(index + 1 - position)?.kind == .colon
      if isIdentity || AttributeKind(rawValue: word) == .primaryKey { return .model }
    }
    return .model
  }

  /// Skips a keyword that is repeated.
  mutating func passRepeated(_ keyword: Keyword) {
    guard keyword.form == .right, followsOnLine(.identifier), text == keyword.kind.rawValue,
      followsOnLine(.identifier, at: 1)
    else { return }
    skipRepeatedToken()
  }

  /// Skips a keyword, or reports the word found in its place.
  mutating func take(_ keyword: Keyword) {
    let (range, word) = (currentRange, keyword.kind.rawValue)
    switch keyword.form {
    case .right: break
    case .misspelled:
      mend(
        "expected \(Keyword.list), found “\(text)”; did you mean “\(word)”?", at: range,
        fixIts: [.write(word, for: range)])
    case .foreign: return takeForeign(keyword)
    case .behind:
      // The name is read first, and the keyword behind it is skipped with it.
      let written = range.through(file.range(tokens[position + 1].range))
      mend(
        "the keyword comes first: “\(word) \(text)”", at: written,
        fixIts: [.write("\(word) \(text)", for: written)])
      return
    case .missing:
      guard !isFollowUp else { return }
      mend(
        "“\(text)” is declared without a keyword: write “\(word) \(text)”", at: range,
        fixIts: [.write("\(word) \(text)", for: range)])
      return
    }
    advance()
  }

  /// Skips the words of another language for a model: `class`, `data class`.
  private mutating func takeForeign(_ keyword: Keyword) {
    let start = position
    while position == start || Keyword.foreignModels.contains(text.lowercased()),
      followsOnLine(.identifier, at: 1)
    { advance() }
    let written = range(ofTokens: start...max(start, position - 1))
    let word = keyword.kind.rawValue
    // The properties of `data class User(val id: Int)` are not members of a body.
    let isConstructor = followsOnLine(.leftParenthesis, at: 1)
    report(
      .unexpectedToken,
      isConstructor
        ? "a schema has models: write “\(word) \(text) { … }” with a property on each line, as in “id: Int”"
        : "a schema has models: write “\(word)”, not “\(written.text)”", at: written,
      fixIts: isConstructor ? [] : [.write(word, for: written)])
  }
}
