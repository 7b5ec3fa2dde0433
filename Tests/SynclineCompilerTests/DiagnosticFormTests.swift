@testable import SynclineCompiler
import Testing

@Suite struct DiagnosticFormTests {
  private func diagnostics(_ text: String, path: String = "Models/Task.syncline") -> [Diagnostic] {
    let file = SourceFile(path: path, text: text)
    return CompilerPipeline.compile(CompilerInput(target: "Sample", files: [file])).diagnostics
  }

  @Test func aLogLineHasPathLineColumnSeverityMessageAndCode() {
    let lines = diagnostics("model Task {\n  id: Int\n  title: Xyzzy\n}").map(DiagnosticRenderer.logLine)
    #expect(
      lines == ["Models/Task.syncline:3:10: error: unknown type “Xyzzy” [SL012]"])
  }

  @Test func warningLogLineHasWarningSeverity() {
    let lines = diagnostics("model Task {\n  id: Int\n  description: String\n}").map(
      DiagnosticRenderer.logLine)
    #expect(
      lines == [
        """
        Models/Task.syncline:3:3: warning: Swift prints a value by its “description”; \
        use “descriptionText” with “@RemoteKey("description")” [SL071]
        Models/Task.syncline:3:3: note: write “@RemoteKey("description") descriptionText”
        """
      ])
  }

  @Test func notesFollowOnSeparateLines() {
    let lines = diagnostics("model A {\n  id: Int\n  id: Int\n}").map(DiagnosticRenderer.logLine)
    #expect(
      lines == [
        """
        Models/Task.syncline:3:3: error: “A” has the property “id” twice [SL011]
        Models/Task.syncline:2:3: note: the first is here
        """
      ])
  }

  @Test func anExcerptHasTheLineAndCaretsBelowThePlace() {
    let excerpts = diagnostics("model A {\n  id: Int\n\ttitle: Xyzzy?\n}").map(DiagnosticRenderer.excerpt)
    #expect(
      excerpts == [
        """
        Models/Task.syncline:3:9: error: unknown type “Xyzzy” [SL012]
         3 | \ttitle: Xyzzy?
           | \t       ^~~~~
        """
      ])
  }

  @Test func columnsCountBytesOrUTF16OnRequest() throws {
    let text = "model A {\n  id: Int; /* 👩‍👩‍👧 é e\u{301} */ b: Xyzzy\n}"
    let diagnostic = try #require(diagnostics(text).first)
    let (file, offset) = (diagnostic.range.file, diagnostic.range.offsets.lowerBound)
    #expect(diagnostic.range.start == SourceLocation(line: 2, column: 47))
    #expect(file.location(of: offset, counting: .utf16) == SourceLocation(line: 2, column: 35))
    #expect(DiagnosticRenderer.logLine(diagnostic).hasPrefix("Models/Task.syncline:2:47:"))
  }

  @Test func caretsAlignWithDisplayWidth() {
    let text = "model A {\n  id: Int; /* é 名 */ b: Xyzzy\n}"
    #expect(
      diagnostics(text).map(DiagnosticRenderer.excerpt) == [
        """
        Models/Task.syncline:2:28: error: unknown type “Xyzzy” [SL012]
         2 |   id: Int; /* é 名 */ b: Xyzzy
           |                         ^~~~~
        """
      ])
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func allLineEndingsSeparateLines(end: String) {
    let text = ["model A {", "  id: Int", "  b: Xyzzy", "}", ""].joined(separator: end)
    #expect(
      diagnostics(text).map(DiagnosticRenderer.excerpt) == [
        """
        Models/Task.syncline:3:6: error: unknown type “Xyzzy” [SL012]
         3 |   b: Xyzzy
           |      ^~~~~
        """
      ])
  }

  @Test func byteOrderMarkIsNotCountedAsColumn() {
    let places = diagnostics("\u{FEFF}model A {}").map(\.range.start)
    #expect(places.map { [$0.line, $0.column] } == [[1, 7]])
  }

  @Test func missingBraceAtEndOfFileHasAPosition() {
    #expect(
      diagnostics("model A {\n  id: Int\n").map(DiagnosticRenderer.logLine) == [
        """
        Models/Task.syncline:1:9: error: the brace of “A” is not closed [SL004]
        Models/Task.syncline:3:1: note: “}” is missing before this
        Models/Task.syncline:2:10: note: write “}” after the last member
        """
      ])
  }

  @Test func quotedTextInDiagnosticsNeverBreaksTheLine() {
    let text = "model A {\n  id: Int\n  @RemoteKey(\"a\\n.\") b: Int\n  c\u{7}: Int\n  \u{2028}\n}"
    for diagnostic in diagnostics(text) {
      let line = DiagnosticRenderer.logLine(diagnostic)
      let count = 1 + diagnostic.notes.count + diagnostic.fixIts.count
      #expect(line.split(whereSeparator: \.isNewline).count == count, "\(line.debugDescription)")
      #expect(!line.contains("\u{7}"))
      #expect(!DiagnosticRenderer.excerpt(diagnostic).contains("\u{7}"))
    }
  }

  @Test func excerptOfLongLineShowsTheErrorRegion() {
    let text = "model A { id: Int; " + String(repeating: " ", count: 5000) + "b: Xyzzy }"
    let excerpt = diagnostics(text).map(DiagnosticRenderer.excerpt).joined()
    #expect(excerpt.contains("b: Xyzzy"))
    #expect(excerpt.utf8.count < 1000)
  }

  @Test func excerptOfVeryLongLineIsLimitedToAWindow() {
    let text = "model A { id: Int; " + String(repeating: "é: Xyzzy; ", count: 20_000) + "}"
    let file = SourceFile(path: "Schema.syncline", text: text)
    for offset in stride(from: 0, to: text.utf8.count, by: 9_973) {
      let excerpt = SourceExcerpt(SourceRange(file: file, offsets: offset..<(offset + 5)))
      #expect(excerpt.window.count <= 500)
      #expect(excerpt.lines.joined().utf8.count <= 1500)
    }
  }

  @Test func quotedTextAndDiagnosticCountAreLimited() throws {
    let name = String(repeating: "x", count: 100_000)
    let found = diagnostics("model A {\n  id: Int\n  a: \(name)\n}")
    #expect(found.map { DiagnosticRenderer.excerpt($0).utf8.count < 1000 } == [true])
    let many = [Diagnostic](repeating: try #require(found.first), count: 60_100)
    let report = DiagnosticRenderer.report(many, style: .log)
    #expect(report.split(separator: "\n").count == DiagnosticRenderer.limit + 1)
    #expect(report.hasSuffix("\n… and 59,900 more\n"))
  }

  @Test func diagnosticsComeInTheOrderOfTheText() {
    for fixture in Fixture.all {
      let places = fixture.compile().diagnostics.map { ($0.range.file.path, $0.range.offsets.lowerBound) }
      for (first, second) in zip(places, places.dropFirst()) { #expect(first <= second) }
    }
  }
}
