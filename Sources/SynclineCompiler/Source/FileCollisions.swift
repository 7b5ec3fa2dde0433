extension CompilerPipeline {
  /// Schema files whose Swift would be written to one file, letter case ignored.
  public static func collisions(of outputs: [String], _ files: [SourceFile]) -> [Diagnostic] {
    var first: [String: SourceFile] = [:]
    var diagnostics: [Diagnostic] = []
    for (output, file) in zip(outputs, files) {
      guard let other = first[output.lowercased()] else {
        first[output.lowercased()] = file
        continue
      }
      let start = SourceRange(file: file, offsets: 0..<0)
      diagnostics.append(
        Diagnostic(
          code: .collidingFiles, severity: .error,
          message: "the schema files “\(other.path)” and “\(file.path)” give one Swift file: rename one of them",
          range: start))
    }
    return diagnostics
  }
}
