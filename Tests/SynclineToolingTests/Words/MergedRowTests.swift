import Syncline
import Testing

/// Two rows of one identity are the commonest sign that the wrong key was taken for it.
@Suite struct MergedRowTests {
  @Test func twoRowsOfOneIdentityAreMergedAndCounted() async throws {
    var configuration = SyncConfiguration()
    configuration.unreadKeys = .first(rows: 100)
    let store = try TextStore(
      "model Element { id: Int; type: String?; lat: Double? }", configuration)
    let payload =
      #"[{"id": 1, "type": "node", "lat": 1.5}, {"id": 1, "type": "way"}, {"id": 2, "type": "node", "lat": 2}]"#
    for isFirst in [true, false] {
      let report = try await store.sync(payload, as: "Element")
      #expect(report.models["Element"]?.merged == 1)
      #expect(report.isUnchanged != isFirst && report.problems.isEmpty)
      #expect(
        report.unreadKeys?.merged.map(\.description) == [
          "Element: 2 rows have the identity “1” and differ in “type”"
        ])
    }
    #expect(
      try store.rows(of: "Element") == [
        ["id": 1, "type": "way", "lat": 1.5], ["id": 2, "type": "node", "lat": 2],
      ])
  }
}
