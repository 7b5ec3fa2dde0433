/// A parsed file.
package struct ParsedFile: Sendable {
  /// The lossless tree.
  package let tree: SyntaxTree
  /// The syntax errors.
  package let diagnostics: [Diagnostic]

  /// Parses a file.
  package init(_ file: SourceFile) { self.init(file, besideGenerics: []) }

  /// Parses a section of a file.
  ///
  /// - Parameter generics: the names that the file declares with type parameters.
  init(_ file: SourceFile, besideGenerics generics: Set<String>) {
    (tree, diagnostics) = Parser.parse(file, besideGenerics: generics)
  }

  /// The file.
  package var source: SourceFile { tree.file }

  /// The formatted text, with the line endings of the file; nil if the file has syntax errors.
  package var formatted: String? {
    guard !diagnostics.hasErrors else { return nil }
    let text = Formatter.text(tree)
    return text.hasSameLines(as: source.text) ? source.text : text.withLineEndings(of: source.text)
  }
}
