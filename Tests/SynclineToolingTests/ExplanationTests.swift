import Foundation
import SynclineCompiler
import SynclineTooling
import Testing

/// `syncline explain`: a page for each code.
@Suite struct ExplanationTests {
  @Test func eachDiagnosticCodeHasAPage() {
    #expect(Explanation.all.map(\.code) == DiagnosticCode.allCases.sorted { $0.rawValue < $1.rawValue })
  }

  @Test(arguments: Explanation.all.map(\.code))
  func wrongExampleGivesOnlyItsCodeAndRightExampleNone(code: DiagnosticCode) throws {
    let page = try #require(Explanation(code.rawValue))
    let codes = CompilerPipeline.analyse(page.wrong.input).diagnostics.map(\.code)
    #expect(!codes.isEmpty && codes.allSatisfy { $0 == code }, "\(codes)")
    let left = CompilerPipeline.analyse(page.right.input).diagnostics
    #expect(left.isEmpty, "\(DiagnosticRenderer.report(left))")
    for file in page.right.input.files { #expect(ParsedFile(file).formatted == file.text) }
  }

  @Test func aPageIsFoundByItsCode() {
    #expect(Explanation("sl012")?.code == .unknownType)
    for text in ["", "SL", "SL999", "12", "SL0120"] { #expect(Explanation(text) == nil) }
  }

  /// `SYNCLINE_RECORD=1` writes it.
  @Test func documentationFileMatchesAllExplanations() throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = package.appending(path: "Documentation/Diagnostics.md")
    if ProcessInfo.processInfo.environment["SYNCLINE_RECORD"] != nil {
      try Data(Explanation.document.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == Explanation.document)
  }
}
