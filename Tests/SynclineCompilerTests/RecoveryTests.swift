@testable import SynclineCompiler
import Testing

@Suite struct RecoveryTests {
  /// The codes that one file gives, with the lines they stand on.
  private func places(_ text: String) -> [String] {
    let file = SourceFile(path: "Schema.syncline", text: text)
    return CompilerPipeline.compile(CompilerInput(target: "Sample", files: [file])).diagnostics.map {
      "\($0.range.start.line) \($0.code)"
    }
  }

  @Test func errorsOfAllStagesAreReportedTogether() {
    let text = """
      model Task {
        id: Int
        title = "no type"
        owner: Usr?
        @RemoteKey("a..b") note: String
        count: Int = "one"
        hashValue: Int
      }

      model User {
        name: String
      }

      enum State: String {
        case open, open
      }
      """
    #expect(
      places(text) == [
        "3 unexpectedToken", "4 unknownType", "5 invalidKey", "6 invalidDefault", "7 hashValueName",
        "10 noIdentity",
        "15 duplicateCase",
      ])
  }

  @Test func unreadableMemberDoesNotAffectTheNext() {
    #expect(places("model A {\n  title\n  id: Int\n}") == ["2 unexpectedToken"])
    #expect(places("model A {\n  title:\n  id: Int\n}") == ["2 unexpectedToken"])
    #expect(places("model A {\n  12\n  id: Int\n}") == ["2 unexpectedToken"])
    #expect(places("model A {\n  @\n  id: Int\n}") == ["2 unexpectedToken"])
    #expect(places("model A {\n  a: Int {\n    b\n  }\n  id: Int\n}") == ["2 unexpectedToken"])
    #expect(places("model A {\n  a b; id: Int\n}") == ["2 unexpectedToken"])
    #expect(
      places("enum A: Int {\n  case a = b\n  case c\n  case c\n}") == [
        "2 invalidRawValue", "4 duplicateCase",
      ])
  }

  @Test func partlyReadPropertyIsStillDeclared() {
    #expect(places("model A {\n  id: Int = many\n}") == ["2 invalidDefault"])
    #expect(places("model A {\n  id: [\n}") == ["2 unexpectedToken"])
    #expect(
      places("@Index(\\.name)\nmodel A {\n  id: Int\n  name: String String\n}") == ["4 unexpectedToken"])
    #expect(places("model A {\n  @PrimaryKey(remote: 5) key: Int\n}") == ["2 invalidArgument"])
    #expect(places("model A {\n  @PrimaryKey(remote) key: Int\n}") == ["2 invalidArgument"])
  }

  @Test func aMissingBraceEndsAtTheNextDeclaration() {
    #expect(places("model A {\n  id: Int\n\nmodel B {\n  id: Int\n}") == ["1 unexpectedToken"])
    #expect(
      places("model A {\n  id: Int\n\n@Offline\nmodel B {\n  id: Strng\n}") == [
        "1 unexpectedToken", "6 unknownType",
      ])
    #expect(places("enum A: Int {\n  case a\n\nmodel B {\n  id: Int\n}") == ["1 unexpectedToken"])
    #expect(places("schema {\n  access: public\n\nmodel B {\n  id: Int\n}") == ["1 unexpectedToken"])
  }

  @Test func unreadableDeclarationDoesNotAffectTheNext() {
    #expect(places("modle A {\n  id: Int\n}\nmodel B {\n}") == ["1 unexpectedToken", "4 noIdentity"])
    #expect(places("model {\n  id: Int\n}\nmodel B {\n}") == ["1 unexpectedToken", "4 noIdentity"])
    #expect(places("model A\nmodel B {\n}") == ["1 unexpectedToken", "2 noIdentity"])
    #expect(places("}\nmodel B {\n}") == ["1 unexpectedToken", "2 noIdentity"])
    #expect(places("@\nmodel B {\n}") == ["1 unexpectedToken", "2 noIdentity"])
    #expect(places("enum A {\n  case a\n}\nmodel B {\n  id: Int\n  a: A\n}") == ["1 unexpectedToken"])
  }

  @Test func errorsOfAllFilesAreReportedTogether() {
    let files = ["A", "B", "C"].map {
      SourceFile(path: "\($0).syncline", text: "model \($0) {\n  a: \($0)X\n}")
    }
    let output = CompilerPipeline.compile(CompilerInput(target: "Sample", files: files))
    #expect(output.diagnostics.map(\.range.file.path).count == 6)
    #expect(Set(output.diagnostics.map(\.range.file.path)).count == 3)
  }

  @Test func aMistakeIsReportedOnce() {
    for fixture in Fixture.all {
      let diagnostics = fixture.diagnostics()
      #expect(Set(diagnostics.map(DiagnosticRenderer.logLine)).count == diagnostics.count, "\(fixture.name)")
    }
  }
}
