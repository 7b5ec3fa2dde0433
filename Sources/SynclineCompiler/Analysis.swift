/// The input of a compilation.
public struct CompilerInput: Sendable {
  /// The target that contains the schema; the index is named `<target>Schema`.
  public let target: String
  /// The files of the target, in any order.
  public let files: [SourceFile]
  /// The schema files of the targets it depends on, which can be imported.
  public let modules: [String: [SourceFile]]
  /// The names of those targets that are in other packages. Fewer of their declarations are visible.
  public let otherPackages: Set<String>

  /// Makes an input.
  public init(
    target: String, files: [SourceFile], modules: [String: [SourceFile]] = [:],
    otherPackages: Set<String> = []
  ) {
    self.target = target
    self.files = files
    self.modules = modules
    self.otherPackages = otherPackages
  }

  /// The inputs of the targets that can be imported.
  public var imports: [CompilerInput] {
    modules.sorted { $0.key < $1.key }.map { name, files in
      CompilerInput(target: name, files: files, modules: modules, otherPackages: otherPackages)
    }
  }
}

/// The result of analysing a target's schema files, for language tools. It is complete even if the files have errors.
public struct Analysis: Sendable {
  /// The trees of the files, in the order of their paths.
  package let trees: [SyntaxTree]
  /// The schema, without the parts that could not be read.
  package let draft: Schema
  package let symbolLog: SymbolLog
  /// All diagnostics, in the order of the files.
  public let diagnostics: [Diagnostic]

  /// The schema for Swift generation; nil if there are errors.
  public var schema: Schema? { diagnostics.hasErrors ? nil : draft }
}
