/// What a compilation is of.
public struct CompilerInput: Sendable {
  /// The target whose schema it is: the index is called `<target>Schema`.
  public let target: String
  /// The files of the target, in any order.
  public let files: [SourceFile]
  /// The schema files of the targets it depends on, which `import` finds.
  public let modules: [String: [SourceFile]]
  /// Those of them that are of other packages, and see less of each other.
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

  /// What is compiled for each of the targets that may be imported.
  public var imports: [CompilerInput] {
    modules.sorted { $0.key < $1.key }.map { name, files in
      CompilerInput(target: name, files: files, modules: modules, otherPackages: otherPackages)
    }
  }
}

/// All that is known of a target's schema files, right or wrong: what the tools of the language work by.
public struct Analysis: Sendable {
  /// The trees of the files, in the order of their paths.
  package let trees: [SyntaxTree]
  /// The schema as far as it could be read.
  package let draft: Schema
  let symbolLog: SymbolLog
  /// All that is wrong, in the order of the files.
  public let diagnostics: [Diagnostic]

  /// Each name with its declaration and all its uses, which are put together anew each time.
  public var symbols: [Symbol] { symbolLog.symbols() }

  /// The schema, from which Swift is written; nil where there are errors.
  public var schema: Schema? { diagnostics.hasErrors ? nil : draft }

  /// The symbol whose name stands at an offset of a file.
  public func symbol(at offset: Int, in file: SourceFile) -> Symbol? {
    symbols.first { $0.place(at: offset, in: file) != nil }
  }
}
