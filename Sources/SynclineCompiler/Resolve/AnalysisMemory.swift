/// The resolved models of a file, with the diagnostics and symbols found while resolving them.
struct ResolvedModels: Sendable {
  let models: [Model]
  let log: ResolutionLog
  /// The diagnostics that do not depend on other files; nil until they are computed.
  fileprivate(set) var problems: [Diagnostic]?
}

/// Caches the resolved models of each file, or of each section of a file. While one file is edited, the models of the others stay
/// valid, except models that refer to a changed declaration.
package struct AnalysisMemory: Sendable {
  private var surroundings: Surroundings?
  private var known: [ObjectIdentifier: ResolvedModels] = [:]
  private var kept: [ObjectIdentifier: ResolvedModels] = [:]
  /// The names of the changed declarations, and of the declarations that depend on them.
  private var changed: Set<String> = []
  /// Whether there are now unreadable parts or missing imports and there were none before, or vice versa. Such a part may declare
  /// any name, so unknown names are then not reported.
  private var uncertaintyHasChanged = false
  /// Retains the files, because their object identities are compared.
  private var trees: [SyntaxTree] = []
  private var declared: [ObjectIdentifier: [Surroundings.Declaration]] = [:]
  private var words: [ObjectIdentifier: Set<String>] = [:]
  /// The number of models that have been resolved.
  package private(set) var resolvedModels = 0

  package init() {}

  /// Starts an analysis of trees with the given imports.
  ///
  /// - Parameters:
  ///   - names: the names of the imports.
  ///   - misses: whether an imported target was not found.
  mutating func begin(
    _ trees: [SyntaxTree], importing modules: [SyntaxTree], named names: [String], misses: Bool
  ) {
    let used = Set((trees + modules).map { ObjectIdentifier($0.file) })
    declared = declared.filter { used.contains($0.key) }
    words = words.filter { used.contains($0.key) }
    let next = Surroundings(trees, importing: modules, imports: names, misses: misses) {
      declarations(of: $0)
    }
    let changes = surroundings.flatMap { next.changes(since: $0) }
    known = changes == nil ? [:] : kept
    changed = changes ?? []
    uncertaintyHasChanged = surroundings?.mayDeclareMore != next.mayDeclareMore
    kept = [:]
    surroundings = next
    self.trees = trees + modules
  }

  private mutating func declarations(of tree: SyntaxTree) -> [Surroundings.Declaration] {
    let key = ObjectIdentifier(tree.file)
    let found = declared[key] ?? tree.surroundings
    declared[key] = found
    return found
  }

  /// The models of a file: cached, or newly resolved.
  mutating func models(of tree: SyntaxTree, resolve: () -> ResolvedModels) -> ResolvedModels {
    let key = ObjectIdentifier(tree.file)
    if let models = known[key], isValid(models, of: tree) {
      kept[key] = models
      return models
    }
    let models = resolve()
    resolvedModels += models.models.count
    kept[key] = models
    return models
  }

  /// Whether cached models are still valid: they refer neither to a changed name nor to an unknown one. The diagnostic of an
  /// unknown name suggests a declared name, so it depends on all declarations.
  private mutating func isValid(_ models: ResolvedModels, of tree: SyntaxTree) -> Bool {
    if changed.isEmpty, !uncertaintyHasChanged { return true }
    guard models.log.bag.diagnostics.isEmpty else { return false }
    if models.models.contains(where: { $0.properties.contains(where: \.isInvalid) }) { return false }
    if changed.isEmpty { return true }
    let key = ObjectIdentifier(tree.file)
    let words = self.words[key] ?? tree.words(of: tree.tokens.indices)
    self.words[key] = words
    return words.isDisjoint(with: changed)
  }

  /// The diagnostics of the rules that check each model separately, which depend on no other file.
  mutating func problems(in files: [SourceFile], _ find: ([Model]) -> [Diagnostic]) -> [Diagnostic] {
    files.flatMap { file in
      let found = kept[ObjectIdentifier(file)].map { $0.problems ?? find($0.models) } ?? []
      kept[ObjectIdentifier(file)]?.problems = found
      return found
    }
  }
}
