/// A file as it was read.
package struct ParsedFile: Sendable {
  /// The lossless tree.
  package let tree: SyntaxTree
  /// What could not be read.
  package let diagnostics: [Diagnostic]

  /// Reads a file.
  package init(_ file: SourceFile) { (tree, diagnostics) = Parser.parse(file) }

  /// The file.
  package var source: SourceFile { tree.file }

  /// The text in the one form that schema files have, with the line endings of the file; nil for what could not be read
  /// whole.
  package var formatted: String? {
    guard !diagnostics.hasErrors else { return nil }
    let text = Formatter.text(tree)
    return text.hasSameLines(as: source.text) ? source.text : text.withLineEndings(of: source.text)
  }
}
