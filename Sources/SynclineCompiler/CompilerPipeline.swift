/// What a compilation is of.
public struct CompilerInput: Sendable {
  /// The target whose schema it is: the index is called `<target>Schema`.
  public let target: String
  /// The files of the target, in any order.
  public let files: [SourceFile]
  /// The schema files of the targets it depends on, which `import` finds.
  public let modules: [String: [SourceFile]]

  public init(target: String, files: [SourceFile], modules: [String: [SourceFile]] = [:]) {
    self.target = target
    self.files = files
    self.modules = modules
  }
}

/// A file of generated Swift.
public struct GeneratedFile: Sendable, Hashable {
  /// The name of the schema file without its extension, or the name of the index.
  public let name: String
  /// The path of the schema file; nil for the index.
  public let source: String?
  public let text: String
}

/// What a compilation gives: Swift, unless there are errors, and diagnostics in the order of the files.
public struct CompilerOutput: Sendable {
  public let files: [GeneratedFile]
  public let diagnostics: [Diagnostic]
}

/// The compiler: Source → Syntax → Resolve → Validate → Model → Emit, all in memory.
public enum CompilerPipeline {
  /// The version of the compiler and of the runtime that its Swift is for.
  public static let version = "0.1.0"

  public static func compile(_ input: CompilerInput) -> CompilerOutput {
    let files = input.files.sorted { $0.path < $1.path }
    let parsed = files.map { Parser.parse($0) }
    let trees = parsed.map(\.tree)
    var diagnostics = parsed.flatMap(\.diagnostics)

    // What is wrong in another target is reported there.
    let modules = input.modules.mapValues { files in
      files.sorted { $0.path < $1.path }.map { Parser.parse($0).tree }
    }
    var resolver = Resolver(target: input.target, trees: trees, modules: modules)
    let (schema, imported) = resolver.run()
    diagnostics += resolver.diagnostics
    diagnostics += Validation.run(schema, imported: imported)
    diagnostics = diagnostics.sorted()

    let emitted = diagnostics.hasErrors ? [] : SchemaEmitter(schema).files(for: trees)
    return CompilerOutput(files: emitted, diagnostics: diagnostics)
  }

  /// The source of a file as its syntax tree prints it: the same, byte for byte.
  public static func reprint(_ file: SourceFile) -> String {
    Parser.parse(file).tree.text
  }
}
