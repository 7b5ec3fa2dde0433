/// The input for resolving models, apart from the models themselves: the declared names, and the declarations of enums, structs
/// and unions.
struct Surroundings: Sendable {
  /// A declaration that has a name.
  struct Declaration: Sendable, Equatable {
    let name: String
    /// The lowercased names in it; empty for a model.
    let words: Set<String>
    /// Its text; empty for a model.
    let text: String
  }

  /// The declarations by lowercased name, since names must be unique ignoring case.
  private var declarations: [String: [Declaration]] = [:]
  private var settings: [String] = []
  /// Whether an unreadable part, or an import that was not found, may declare any name.
  private(set) var mayDeclareMore: Bool
  private let imports: [String]
  /// The identities of the imported targets' files.
  private let modules: [ObjectIdentifier]
  /// The declarations of imported targets that refer to others. A declaration of this target may shadow one of those.
  private let foreign: [Declaration]

  init(
    _ trees: [SyntaxTree], importing modules: [SyntaxTree], imports: [String], misses: Bool,
    declarations found: (SyntaxTree) -> [Declaration]
  ) {
    (self.imports, mayDeclareMore) = (imports, misses)
    self.modules = modules.map { ObjectIdentifier($0.file) }
    foreign = modules.flatMap { found($0) }.filter { !$0.words.isEmpty }
    for tree in trees {
      if tree.mayDeclareMore { mayDeclareMore = true }
      for block in tree.settings { settings.append(block.range.text) }
      for declaration in found(tree) {
        declarations[declaration.name.lowercased(), default: []].append(declaration)
      }
    }
  }

  /// The names of declarations that have changed since, and of the declarations that depend on them; nil if anything else has
  /// changed.
  func changes(since former: Surroundings) -> Set<String>? {
    guard settings == former.settings, imports == former.imports, modules == former.modules else {
      return nil
    }
    var changed: Set<String> = []
    for (name, declaration) in declarations where former.declarations[name] != declaration {
      changed.insert(name)
    }
    for name in former.declarations.keys where declarations[name] == nil { changed.insert(name) }
    guard !changed.isEmpty else { return changed }
    var users: [String: [String]] = [:]
    for (name, declaration) in declarations {
      for word in declaration.flatMap(\.words) { users[word, default: []].append(name) }
    }
    for declaration in foreign {
      for word in declaration.words { users[word, default: []].append(declaration.name.lowercased()) }
    }
    var next = Array(changed)
    while let name = next.popLast() {
      for user in users[name] ?? [] where changed.insert(user).inserted { next.append(user) }
    }
    return changed
  }
}

extension SyntaxTree {
  /// The declarations of a file that models of other files may depend on.
  var surroundings: [Surroundings.Declaration] {
    named.map { declaration, name in
      let isIncomplete: Bool
      switch declaration {
      case .model(let model):
        if model.kind == .model { return .init(name: name.text, words: [], text: "") }
        isIncomplete = model.isIncomplete
      case .enumeration(let enumeration): isIncomplete = enumeration.isIncomplete
      case .unexpected, .module, .settings: isIncomplete = true
      }
      // A line break can end a member, so the text contains line breaks.
      let text = declaration.tokens.map { position in
        (tokens[position].startsLine ? "\n" : " ") + file.text(tokens[position].range)
      }
      return .init(
        name: name.text, words: words(of: declaration.tokens), text: text.joined() + (isIncomplete ? "…" : "")
      )
    }
  }

  /// The names among tokens, lowercased.
  func words(of positions: Range<Int>) -> Set<String> {
    var words: Set<String> = []
    for position in positions where tokens[position].kind == .identifier {
      let text = file.text(tokens[position].range)
      words.insert(Lexer.name(text.hasPrefix("`") ? String(text.dropFirst().dropLast()) : text).lowercased())
    }
    return words
  }
}
