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
          "Element: 2 objects have the identity “1” and differ in “type”"
        ])
    }
    #expect(
      try store.rows(of: "Element") == [
        ["id": 1, "type": "way", "lat": 1.5], ["id": 2, "type": "node", "lat": 2],
      ])
  }

  /// The number of merged objects, which a second sync of the payload finds again.
  private func merged(_ payload: String, of model: String, in store: TextStore) async throws -> Int? {
    let report = try await store.sync(payload)
    #expect(report.problems.isEmpty)
    let again = try await store.sync(payload)
    #expect(again.isUnchanged && again.models[model]?.merged == report.models[model]?.merged)
    return report.models[model]?.merged
  }

  @Test(arguments: [
    ("null, 8", 1), ("8, null", 1), ("8, 9", 1), ("9, 8, 9", 2), ("8, 8", 0), ("5, 8", 1), ("8, 5", 1),
  ])
  func differingPendingKeysAreCountedAsMerged(keys: String, count: Int) async throws {
    let store = try TextStore(
      """
      model Element { id: Int; owner: Owner? }
      model Owner { id: Int; name: String }
      """)
    try await store.sync(#"[{"id": 5, "name": "n"}]"#, as: "Owner")
    let rows = try SyncJSON(parsing: "[\(keys)]").array ?? []
    let payload = "[\(rows.map { #"{"id": 1, "owner": \#($0)}"# }.joined(separator: ","))]"
    #expect(try await merged(payload, of: "Element", in: store) == count)
  }

  @Test func objectsInDeletedRowAreNotCountedAsMerged() async throws {
    let store = try TextStore(
      """
      @Deleted("gone") model Element { id: Int; owner: Owner? }
      model Owner { id: Int; name: String }
      """)
    let report = try await store.sync(
      """
      [{"id": 1, "owner": {"id": 5, "name": "a"}}, {"id": 2, "owner": {"id": 5, "name": "b"}},
        {"id": 3, "gone": true, "owner": {"id": 5, "name": "c"}}]
      """)
    #expect(report.models["Owner"]?.merged == 1)
    #expect(try store.rows(of: "Owner") == [["id": 5, "name": "b"]])
  }
}
