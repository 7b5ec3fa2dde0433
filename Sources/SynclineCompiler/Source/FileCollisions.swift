extension CompilerPipeline {
  /// Schema files whose Swift would be written to one file, letter case ignored; the index of the target is one
  /// of them.
  public static func collisions(
    of outputs: [String], _ files: [SourceFile], index: String? = nil
  ) -> [Diagnostic] {
    var first: [String: SourceFile] = [:]
    var diagnostics: [Diagnostic] = []
    for (output, file) in zip(outputs, files) {
      if let index, index.lowercased() == output.lowercased() {
        diagnostics.append(
          collision(
            "the schema file “\(file.path)” gives the Swift file of the target's schema: rename it", file))
      }
      guard let other = first[output.lowercased()] else {
        first[output.lowercased()] = file
        continue
      }
      diagnostics.append(
        collision(
          "the schema files “\(other.path)” and “\(file.path)” give one Swift file: rename one of them", file)
      )
    }
    return diagnostics
  }

  private static func collision(_ message: String, _ file: SourceFile) -> Diagnostic {
    Diagnostic(
      code: .collidingFiles, severity: .error, message: message,
      range: SourceRange(file: file, offsets: 0..<0))
  }
}
