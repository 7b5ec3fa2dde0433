/// A parsed file.
package struct ParsedFile: Sendable {
  /// The lossless tree.
  package let tree: SyntaxTree
  /// The syntax errors.
  package let diagnostics: [Diagnostic]

  /// Parses a file, or a section of one.
  ///
  /// - Parameter generics: the names that the rest of the file declares with type parameters.
  package init(_ file: SourceFile, besideGenerics generics: Set<String> = []) {
    (tree, diagnostics) = Parser.parse(file, besideGenerics: generics)
  }

  /// The file.
  package var source: SourceFile { tree.file }
}
