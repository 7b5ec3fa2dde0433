import SynclineCompiler
import Testing

@Suite struct FixtureTests {
  @Test(arguments: Fixture.all)
  func fixtureOutputMatchesRecordedFiles(fixture: Fixture) throws {
    if Fixture.isRecording { return try fixture.record() }
    let outcome = fixture.outcome()
    let expectations = fixture.expectations()
    #expect(outcome.keys.sorted() == expectations.keys.sorted())
    for (path, text) in outcome {
      // Strings are equal under Unicode's rules; files are equal byte for byte.
      #expect(text.utf8.elementsEqual((expectations[path] ?? "").utf8), "\(path) is now:\n\(text)")
    }
  }

  @Test func everyDiagnosticCodeOccursInAFixture() {
    let shown = Set(Fixture.all.flatMap { $0.diagnostics().map(\.code) })
    let missing = DiagnosticCode.allCases.filter { !shown.contains($0) }
    #expect(missing.isEmpty)
  }

  @Test func diagnosticCodesAreDistinct() {
    #expect(Set(DiagnosticCode.allCases.map(\.rawValue)).count == DiagnosticCode.allCases.count)
  }

  @Test func errorsSuppressGeneratedSwift() {
    for fixture in Fixture.all {
      let output = fixture.compile()
      #expect(output.diagnostics.hasErrors == output.files.isEmpty, "\(fixture.name)")
    }
  }

  @Test func warningsDoNotSuppressGeneratedSwift() throws {
    let fixture = try #require(Fixture.all.first { $0.name == "description" })
    #expect(fixture.compile().diagnostics.map(\.severity) == [.warning, .warning])
    #expect(fixture.compile().files.count == 2)
  }
}
