/// The resolved models of a file, with the diagnostics and symbols found while resolving them.
struct ResolvedModels: Sendable {
  let file: SourceFile
  let models: [Model]
  let log: ResolutionLog
  /// The diagnostics that depend on no other file, once they were computed.
  fileprivate(set) var problems: [Diagnostic]?

  init(file: SourceFile, models: [Model], log: ResolutionLog) {
    self.file = file
    self.models = models
    self.log = log
  }
}

/// Caches the resolved models of each file. While one file is edited, the models of the other files stay
/// valid, provided that all names keep their meaning.
package struct AnalysisMemory: Sendable {
  /// Everything that models are resolved from, except the models themselves: the declared names, and the
  /// declarations that are not models.
  struct Surroundings: Sendable, Equatable {
    let target: [[String]]
    let imports: [String]
    /// The identities of the imported targets' files.
    let modules: [ObjectIdentifier]
  }

  private var surroundings: Surroundings?
  private var known: [ObjectIdentifier: ResolvedModels] = [:]
  private var kept: [ObjectIdentifier: ResolvedModels] = [:]
  /// Retains the files, because their object identities are compared.
  private var modules: [SyntaxTree] = []

  package init() {}

  /// Begins an analysis. Cached models are reused if the surroundings are equal.
  mutating func begin(_ surroundings: Surroundings, modules: [SyntaxTree]) {
    known = self.surroundings == surroundings ? kept : [:]
    kept = [:]
    self.surroundings = surroundings
    self.modules = modules
  }

  /// The models of a file: cached, or newly resolved.
  mutating func models(of file: SourceFile, resolve: () -> ResolvedModels) -> ResolvedModels {
    let models = known[ObjectIdentifier(file)] ?? resolve()
    kept[ObjectIdentifier(file)] = models
    return models
  }

  /// The diagnostics of each model's own rules, which depend on no other file.
  mutating func problems(in files: [SourceFile], _ find: ([Model]) -> [Diagnostic]) -> [Diagnostic] {
    files.flatMap { file in
      let found = kept[ObjectIdentifier(file)].map { $0.problems ?? find($0.models) } ?? []
      kept[ObjectIdentifier(file)]?.problems = found
      return found
    }
  }
}

extension SyntaxTree {
  /// The parts of a file that models of other files may depend on.
  var surroundings: [String] {
    var texts = imports.map(\.module.text) + [mayDeclareMore ? "…" : ""]
    for (declaration, name) in named {
      switch declaration {
      case .model(let model) where model.kind == .model: texts.append(name.text)
      default: texts += declaration.tokens.map { file.text(tokens[$0].range) } + [""]
      }
    }
    return texts
  }
}
