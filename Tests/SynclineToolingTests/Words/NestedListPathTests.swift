import Syncline
import TestSupport
import Testing

/// Exports of lists whose path leads into the object of a to-one (contract, R17.2).
@Suite struct NestedListPathTests {
  /// A list whose path leads into the row of a to-one, which has a list of its own there.
  @Test func listInsideTheObjectOfAToOneIsWrittenUnderItsWholePath() async throws {
    let store = try TextStore(
      """
      model User { id: Int; @RemoteKey("rel.k10") boss: Boss?; @RemoteKey("rel.k10.data") tags: [Tag] }
      model Boss { id: Int; data: [Tag] }
      model Tag { id: Int }
      """)
    try await store.sync(#"[{"id": 1, "rel": {"k10": {"id": 5, "data": [{"id": 1}, {"id": 2}]}}}]"#)
    let same = try await store.export()
    #expect(same == #"[{"id":1,"rel":{"k10":{"id":5,"data":[{"id":1},{"id":2}]}}}]"#)
    #expect(try await store.sync(same).isUnchanged)
    try await store.sync(#"[{"id": 1, "rel": {"k10": 5}, "rel.k10.data": [1]}]"#)
    let json = try await store.export()
    let expected =
      #"[{"id":1,"rel":{"k10":{"id":5,"data":[{"id":1},{"id":2}]}},"rel.k10.data":[{"id":1}]}]"#
    #expect(json == expected)
    #expect(try await store.exportData() == json)
    #expect(try await store.sync(json).isUnchanged)
  }
}
