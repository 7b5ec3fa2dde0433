import SynclineCompiler
import Testing

/// Analyses a proposed schema, in which the compiler must find no errors.
@discardableResult
func analysisWithoutErrors(
  of text: String, _ title: Comment = "", sourceLocation: Testing.SourceLocation = #_sourceLocation
) -> Analysis {
  analysisWithoutErrors(
    of: [SourceFile(path: "Draft.syncline", text: text)], title, sourceLocation: sourceLocation)
}

/// Analyses the files of a proposed schema, in which the compiler must find no errors.
@discardableResult
func analysisWithoutErrors(
  of files: [SourceFile], _ title: Comment = "", sourceLocation: Testing.SourceLocation = #_sourceLocation
) -> Analysis {
  let analysis = CompilerPipeline.analyse(CompilerInput(target: "Draft", files: files))
  let errors = analysis.diagnostics.filter { $0.severity == .error }.map(\.message)
  #expect(
    errors == [], "\(title)\n\(files.map(\.text).joined(separator: "\n"))", sourceLocation: sourceLocation)
  return analysis
}
