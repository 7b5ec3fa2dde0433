import Syncline
import Testing

/// Two words at one property or one model: both do what they do alone, or a diagnostic says why not. What each word does,
/// and which pairs are refused, is in the tables of ``Sheet`` and ``ModelComposition``.
@Suite(.enabled(if: TestKind.long.runs)) struct CompositionTests {
  @Test(arguments: Composition.all) func attributePairOnPropertyComposesOrIsRefused(
    _ composition: Composition
  ) async throws {
    if let code = composition.refusal {
      #expect(Set(TextStore.analysis(composition.schema).diagnostics.map(\.code)) == [code])
      return
    }
    let store = try TextStore(composition.schema)
    for step in composition.steps {
      let report = try await store.sync(step.payload)
      #expect(report.problems == [], "\(step.payload)")
      let stored = try store.values(of: "Row", composition.sheet.name)
      #expect(stored == [[step.stored]], "\(step.payload)")
      try await store.expectUnchanged(by: step.payload)
    }
  }

  @Test(arguments: ModelComposition.all) func attributePairOnModelComposesOrIsRefused(
    _ composition: ModelComposition
  ) async throws {
    if let code = composition.refusal {
      #expect(Set(TextStore.analysis(composition.schema).diagnostics.map(\.code)) == [code])
      return
    }
    let store = try TextStore(composition.schema)
    for (day, note) in [(1, "a" as SyncJSON), (2, .null), (3, "b")] {
      let payload = composition.payload(note, day: day)
      let report = try await store.sync(payload)
      #expect(report.problems == [], "\(payload)")
      #expect(try store.values(of: "Row", "note", "deletedAt") == [[note, .null]], "\(payload)")
      try await store.expectUnchanged(by: payload)
    }
    guard let deletion = composition.deletion else { return }
    let report = try await store.sync(deletion)
    #expect(report.problems == [])
    let marks = try store.values(of: "Row", "deletedAt").map { $0[0].isNull }
    #expect(marks == (composition.has("@SoftDelete") ? [false] : []))
    #expect(try await store.sync(deletion).isUnchanged)
  }
}
