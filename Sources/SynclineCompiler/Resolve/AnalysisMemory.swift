/// What the models of a file are, and what was found on the way to them.
struct ResolvedModels: Sendable {
  let file: SourceFile
  let models: [Model]
  let log: ResolutionLog
  /// What is wrong with them whatever else there is, once that was looked for.
  fileprivate(set) var problems: [Diagnostic]?

  init(file: SourceFile, models: [Model], log: ResolutionLog) {
    self.file = file
    self.models = models
    self.log = log
  }
}

/// The models of files as they were resolved last: while one file is typed, those of the others are what they were, as
/// long as all names mean what they did.
package struct AnalysisMemory: Sendable {
  /// All that models are resolved by, but for themselves: what the files declare, and how that is written which is no model.
  struct Surroundings: Sendable, Equatable {
    let target: [[String]]
    let imports: [String]
    /// Of the targets that are imported the files themselves.
    let modules: [ObjectIdentifier]
  }

  private var surroundings: Surroundings?
  private var known: [ObjectIdentifier: ResolvedModels] = [:]
  private var kept: [ObjectIdentifier: ResolvedModels] = [:]
  /// Keeps the files, whose places in memory tell them apart.
  private var modules: [SyntaxTree] = []

  package init() {}

  /// Begins an analysis: what was known is of use where the surroundings are the same.
  mutating func begin(_ surroundings: Surroundings, modules: [SyntaxTree]) {
    known = self.surroundings == surroundings ? kept : [:]
    kept = [:]
    self.surroundings = surroundings
    self.modules = modules
  }

  /// The models of a file: those that are known, or newly resolved ones.
  mutating func models(of file: SourceFile, resolve: () -> ResolvedModels) -> ResolvedModels {
    let models = known[ObjectIdentifier(file)] ?? resolve()
    kept[ObjectIdentifier(file)] = models
    return models
  }

  /// What is wrong with all models whatever else there is.
  mutating func problems(in files: [SourceFile], _ find: ([Model]) -> [Diagnostic]) -> [Diagnostic] {
    files.flatMap { file in
      let found = kept[ObjectIdentifier(file)].map { $0.problems ?? find($0.models) } ?? []
      kept[ObjectIdentifier(file)]?.problems = found
      return found
    }
  }
}

extension SyntaxTree {
  /// What a file has that models of other files may be resolved by.
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
