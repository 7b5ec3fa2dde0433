import Foundation
import SynclineCompiler
import Testing

@Suite struct FixItTests {
  /// The files of a fixture with one change.
  private func files(of fixture: Fixture, applying fixIt: Diagnostic.FixIt) -> [SourceFile] {
    fixture.files.map { file in
      guard file === fixIt.range.file else { return file }
      var bytes = Array(file.text.utf8)
      bytes.replaceSubrange(fixIt.range.offsets, with: Array(fixIt.replacement.utf8))
      return SourceFile(path: file.path, text: String(decoding: bytes, as: UTF8.self))
    }
  }

  /// But for the fixture that has two mistakes in one member.
  @Test(arguments: Fixture.all.filter { $0.name != "recovery" })
  func fixItRemovesItsDiagnosticAndAddsNone(fixture: Fixture) {
    let before = fixture.compile().diagnostics
    for diagnostic in before {
      for fixIt in diagnostic.fixIts {
        let after = fixture.compile(files(of: fixture, applying: fixIt)).diagnostics
        let added = after.map(\.message).filter { message in !before.contains { $0.message == message } }
        #expect(added.isEmpty, "\(fixIt.message)")
        #expect(after.count < before.count, "\(fixIt.message)")
      }
    }
  }

  @Test(arguments: [
    "many-to-many-without-anchor", "many-to-many-without-anchor-var", "many-to-many-without-anchor-self",
    "ambiguous-inverse", "ambiguous-inverse-one-to-one", "ambiguous-inverse-mixed", "ambiguous-inverse-self",
    "unexpected-character-backticks", "hash-value", "description", "two-remote-keys", "required-both-ways",
    "invalid-delete-rule",
  ])
  func applyingFixItsInTurnLeavesNoError(name: String) throws {
    let fixture = try #require(Fixture.all.first { $0.name == name })
    var files = fixture.files
    for _ in 0..<20 {
      guard let fixIt = fixture.compile(files).diagnostics.first(where: { !$0.fixIts.isEmpty })?.fixIts.first
      else { break }
      files = files.map { file in
        guard file === fixIt.range.file else { return file }
        var bytes = Array(file.text.utf8)
        bytes.replaceSubrange(fixIt.range.offsets, with: Array(fixIt.replacement.utf8))
        return SourceFile(path: file.path, text: String(decoding: bytes, as: UTF8.self))
      }
    }
    let rest = fixture.compile(files).diagnostics
    #expect(rest.isEmpty, "\(rest.map(DiagnosticRenderer.excerpt).joined(separator: "\n"))")
  }

  /// The codes whose words or changes show what to write instead.
  @Test func diagnosticsWithKnownFixOfferASuggestion() {
    let suggesting: [DiagnosticCode] = [
      .unknownType, .unknownAttribute, .invalidArgument, .unknownKeyPath, .unknownImport, .invalidSettings,
      .invalidDefault, .unexpectedToken, .noIdentity, .manyToManyWithoutAnchor, .ambiguousInverse,
      .invalidDeleteRule,
      .requiredBothWays, .twoRemoteKeys, .hashValueName, .descriptionName, .invalidType,
    ]
    let diagnostics = Fixture.all.flatMap { $0.diagnostics() }
    for code in suggesting {
      let hasSuggestion = diagnostics.contains {
        $0.code == code && (!$0.fixIts.isEmpty || $0.message.contains("did you mean"))
      }
      #expect(hasSuggestion, "\(code)")
    }
  }
}
