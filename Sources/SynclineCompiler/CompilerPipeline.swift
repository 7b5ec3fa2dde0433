/// The result of a compilation: the generated Swift, if there are no errors, and the diagnostics in file order.
public struct CompilerOutput: Sendable {
  /// The generated files; empty if there are errors.
  public let files: [GeneratedFile]
  /// All diagnostics.
  public let diagnostics: [Diagnostic]
}

/// The compiler, which runs in memory. The stages Source → Syntax → Resolve → Validate produce an analysis;
/// Emit writes its schema as Swift.
public enum CompilerPipeline {
  /// The version of the compiler, and of the runtime that the generated Swift requires.
  public static let version = "0.1.0"

  /// Analyses the schema files of a target and finds all their errors.
  public static func analyse(_ input: CompilerInput) -> Analysis {
    var memory = AnalysisMemory()
    return analyse(
      target: input.target, files: input.files.map { ParsedFile($0) },
      modules: input.modules.mapValues { $0.map { ParsedFile($0) } }, otherPackages: input.otherPackages,
      &memory)
  }

  /// Analyses parsed files. An edited file may be given as its sections, in order and with the same path. If one file or section
  /// changes, the others are not parsed again, and their models come from the cache.
  package static func analyse(
    target: String, files: [ParsedFile], modules: [String: [ParsedFile]],
    otherPackages: Set<String>, _ memory: inout AnalysisMemory
  ) -> Analysis {
    var bag = DiagnosticBag()
    let files = ordered(files)
    FileCollisions.check(files.map(\.source), target: target, &bag)
    for file in files { file.diagnostics.forEach { bag.add($0) } }
    // Errors in another target are reported in that target.
    let modules = modules.mapValues { ordered($0).map(\.tree) }
    let trees = files.map(\.tree)
    var resolver = Resolver(target: target, trees: trees, modules: modules, otherPackages: otherPackages)
    let schema = resolver.schema(&memory)
    bag.add(resolver.log.bag)
    let known = memory.problems(in: files.map(\.source), Validation.problems)
    Validation.run(schema, known: known, &bag)
    return Analysis(
      trees: trees, draft: schema, symbolLog: resolver.log.symbols,
      diagnostics: bag.diagnostics.sorted(in: files.map(\.source)).reportingUnknownTypesOnce())
  }

  /// Files by their paths; the sections of a file keep their order.
  private static func ordered(_ files: [ParsedFile]) -> [ParsedFile] {
    files.enumerated().sorted { ($0.element.source.path, $0.offset) < ($1.element.source.path, $1.offset) }
      .map(\.element)
  }

  /// Generates the Swift of a schema: one file for each schema file, and the index.
  public static func emit(_ schema: Schema) -> [GeneratedFile] {
    SchemaEmitter(schema: schema, cycles: StructCycles(schema)).files()
  }

  /// Compiles schema files to Swift.
  public static func compile(_ input: CompilerInput) -> CompilerOutput {
    let analysis = analyse(input)
    return CompilerOutput(
      files: analysis.schema.map(emit) ?? [], diagnostics: analysis.diagnostics)
  }
}
