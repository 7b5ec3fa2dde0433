import Syncline
import TestSupport
import Testing

/// Pending keys of rows that require nothing more than an identity, which cannot be written as objects (contract, R17.7).
@Suite struct PendingObjectKeyTests {
  /// A row with a composite identity has no other key than an object.
  @Test func pendingKeyOfACompositeRowIsLeftOutIfAnObjectWouldBeTheWholeRow() async throws {
    let store = try TextStore(
      """
      model User { id: Int }
      model Group { id: Int }
      @PrimaryKey(\\.user, \\.group)
      model Membership { user: User; group: Group; note: String? }
      model Ref { id: Int; main: Membership?; others: [Membership] }
      """, in: .inMemory, SyncConfiguration(invalidRows: .skip))
    try await store.sync(#"[{"id": 1}]"#, as: "User")
    try await store.sync(
      #"""
      [{"id": 1, "main": {"user_id": 1, "group_id": 9}},
       {"id": 2, "others": [{"user_id": 1, "group_id": 8}]}, {"id": 3, "main": null, "others": []}]
      """#, as: "Ref")
    let waiting = try await store.rows(PendingObjectKeyTests.waiting)
    #expect(waiting == ["Ref main [1,9]", "Ref others [1,8]"])
    let json = try await store.export("Ref")
    #expect(json == #"[{"id":1,"others":[]},{"id":2,"main":null},{"id":3,"main":null,"others":[]}]"#)
    #expect(try await store.exportData("Ref") == json)
    #expect(try await store.sync(json, as: "Ref").isUnchanged)
    #expect(try await store.rows(PendingObjectKeyTests.waiting) == waiting)
    #expect(try await store.rows("SELECT id FROM \"Group\"") == [])
  }

  private static let waiting =
    #"SELECT "owner", "relationship", "targetID" FROM syncline_pending_link ORDER BY 1, 2, 3"#
}
