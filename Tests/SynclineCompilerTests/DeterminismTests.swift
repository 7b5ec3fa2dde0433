import Foundation
import SynclineCompiler
import TestRuns
import Testing

@Suite(.enabled(if: TestKind.long.runs))
struct DeterminismTests {
  /// A case named `none` is not the absence of a value.
  @Test func transformedDefaultIsAValueOfItsType() {
    let text = """
      enum Level: String { case none, high }
      model Task { id: Int; @Transform(LevelText) level: Level = .none }
      """
    let file = SourceFile(path: "Schema.syncline", text: text)
    let output = CompilerPipeline.compile(CompilerInput(target: "Sample", files: [file]))
    #expect(output.files.contains { $0.text.contains("SyncTransformed(.none)") })
  }

  @Test(arguments: Fixture.all)
  func theOrderOfFilesChangesNothing(fixture: Fixture) {
    var generator = SeededGenerator(seed: 7)
    let expected = fixture.compile()
    for _ in 0..<5 {
      let output = fixture.compile(fixture.files.shuffled(using: &generator))
      #expect(output.files == expected.files)
      #expect(
        output.diagnostics.map(DiagnosticRenderer.excerpt)
          == expected.diagnostics.map(DiagnosticRenderer.excerpt))
    }
  }

  @Test func declarationOrderDoesNotChangeGeneratedDeclarations() {
    let declarations = [
      "model Project {\n  id: Int\n  tasks: [Task]\n}",
      "model Task {\n  id: Int\n  project: Project?\n  tags: [Tag]\n}",
      "model Tag {\n  id: Int\n  @Relationship(inverse: \\Task.tags) tasks: [Task]\n  state: State = .a\n}",
      "enum State: String {\n  case a\n}", "model Captain {\n  id: Int\n  ship: Ship?\n}",
      "model Ship {\n  id: Int\n  captain: Captain?\n}",
    ]
    func blocks(_ declarations: [String]) -> [String] {
      let file = SourceFile(path: "Schema.syncline", text: declarations.joined(separator: "\n\n"))
      let output = CompilerPipeline.compile(CompilerInput(target: "Sample", files: [file]))
      #expect(output.diagnostics.isEmpty)
      // The hash is of the text in its order.
      return output.files.map { $0.text.replacing(/(?m)^\/\/ Hash: [0-9a-f]+$/, with: "") }
        .flatMap { $0.components(separatedBy: "\n\n") }
        .map { $0.trimmingCharacters(in: .newlines) }.sorted()
    }
    var generator = SeededGenerator(seed: 11)
    let expected = blocks(declarations)
    for _ in 0..<20 { #expect(blocks(declarations.shuffled(using: &generator)) == expected) }
  }

  @Test func lineEndingsDoNotChangeGeneratedSwift() {
    for fixture in Fixture.all where !fixture.compile().files.isEmpty {
      for end in ["\r\n", "\r"] {
        let files = fixture.files.map {
          SourceFile(path: $0.path, text: "\u{FEFF}" + $0.text.replacing("\n", with: end))
        }
        #expect(fixture.compile(files).files == fixture.compile().files, "\(fixture.name)")
      }
    }
  }
}
