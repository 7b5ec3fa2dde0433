import SynclineNaming

/// What a compilation gives: Swift, unless there are errors, and diagnostics in the order of the files.
public struct CompilerOutput: Sendable {
  /// The generated files; none where there are errors.
  public let files: [GeneratedFile]
  /// All that is wrong.
  public let diagnostics: [Diagnostic]
}

/// The compiler, all in memory: Source → Syntax → Resolve → Validate make an analysis, whose schema Emit writes as
/// Swift.
public enum CompilerPipeline {
  /// The version of the compiler and of the runtime that its Swift is for.
  public static let version = "0.1.0"

  /// Finds out all about the schema files of a target, and all that is wrong with them.
  public static func analyse(_ input: CompilerInput) -> Analysis {
    var memory = AnalysisMemory()
    return analyse(
      target: input.target, files: input.files.map(ParsedFile.init),
      modules: input.modules.mapValues { $0.map(ParsedFile.init) }, otherPackages: input.otherPackages,
      &memory)
  }

  /// Analyses files that were read before: where one of many changes, the others need not be read again, and what their
  /// models are is remembered.
  package static func analyse(
    target: String, files: [ParsedFile], modules: [String: [ParsedFile]],
    otherPackages: Set<String>, _ memory: inout AnalysisMemory
  ) -> Analysis {
    var bag = DiagnosticBag()
    let files = files.sorted { $0.source.path < $1.source.path }
    FileCollisions.check(files.map(\.source), target: target, &bag)
    for file in files { file.diagnostics.forEach { bag.add($0) } }
    // What is wrong in another target is reported there.
    let modules = modules.mapValues { files in
      files.sorted { $0.source.path < $1.source.path }.map(\.tree)
    }
    let trees = files.map(\.tree)
    let resolved = Resolver.resolve(
      target: target, trees: trees, modules: modules, otherPackages: otherPackages, &memory)
    bag.add(resolved.log.bag)
    let known = memory.problems(in: files.map(\.source), Validation.problems)
    Validation.run(resolved.schema, known: known, &bag)
    return Analysis(
      trees: trees, draft: resolved.schema, symbolLog: resolved.log.symbols,
      diagnostics: bag.diagnostics.sorted())
  }

  /// Writes the Swift of a schema: a file for each schema file, and the index.
  public static func emit(_ schema: Schema) -> [GeneratedFile] {
    SchemaEmitter(schema).files()
  }

  /// Writes a schema as JSON: what a store of it remembers, and the JSON keys in a style.
  ///
  /// - Parameter modules: the schemas of the targets that it may import, whole.
  public static func snapshot(
    _ schema: Schema, importing modules: [String: Schema] = [:], keys: KeyStyle = .snakeCase
  ) -> String {
    SnapshotEmitter(schema: schema, modules: modules, keys: keys).text()
  }

  /// Compiles schema files to Swift.
  public static func compile(_ input: CompilerInput) -> CompilerOutput {
    let analysis = analyse(input)
    return CompilerOutput(
      files: analysis.schema.map(emit) ?? [], diagnostics: analysis.diagnostics)
  }

  /// Writes a file in the one form that schema files have, with all its comments.
  ///
  /// - Returns: nil for the text of a file that could not be read whole; and why.
  public static func format(_ file: SourceFile) -> (text: String?, diagnostics: [Diagnostic]) {
    let parsed = ParsedFile(file)
    return (parsed.formatted, parsed.diagnostics)
  }

  /// The source of a file as its syntax tree prints it: the same, byte for byte.
  public static func reprint(_ file: SourceFile) -> String {
    ParsedFile(file).tree.text
  }
}
