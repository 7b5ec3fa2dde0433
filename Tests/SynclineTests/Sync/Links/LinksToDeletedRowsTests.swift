import GRDB
import TestSupport
import Testing

@testable import Syncline

/// Repeating a sync changes nothing, even if rows were deleted by the payload or by SQL.
@Suite struct LinksToDeletedRowsTests {
  private static let schema = """
    model Team {
      id: Int
      name: String
      members: [Person]
    }

    model Person {
      id: Int
      name: String
      team: Team?
      @Relationship(inverse: nil) mentor: Person?
      @Relationship(inverse: nil) friends: [Person]
    }
    """

  private static let waiting =
    "SELECT relationship, ownerID, targetID FROM syncline_pending_link ORDER BY 1, 2, 3"

  /// Payloads for which each of the rows may be stored or not.
  private static let people = [
    "[]", #"[{"id": 5, "name": "e"}]"#, #"[{"id": 1, "name": "a"}, {"id": 5, "name": "e"}]"#,
  ]

  @Test(arguments: people) func linkToANestedObjectOfADeletedRowIsPending(_ people: String) async throws {
    let store = try TextStore(Self.schema)
    try await store.sync(people, as: "Person")
    let changes = #"""
      {"updated": [{"id": 1, "name": "a", "mentor": {"id": 5, "name": "x"}, "friends": [{"id": 5, "name": "y"}]}],
       "deleted": [5]}
      """#
    try await store.sync(changes: changes, as: "Person")
    #expect(try store.values(of: "Person", "id", "name", "mentor") == [[1, "a", .null]])
    #expect(try await store.rows(Self.waiting) == ["friends 1 5", "mentor 1 5"])
    #expect(try await store.sync(changes: changes, as: "Person").isUnchanged)
    #expect(try await store.rows(Self.waiting) == ["friends 1 5", "mentor 1 5"])
    // The link is made when the row is stored again.
    try await store.sync(item: #"{"id": 5, "name": "e"}"#, as: "Person")
    #expect(try store.values(of: "Person", "id", "mentor") == [[1, 5], [5, .null]])
    #expect(try await store.rows(Self.waiting) == [])
  }

  @Test(arguments: people) func nothingInAnObjectOfADeletedRowIsApplied(_ people: String) async throws {
    let store = try TextStore(Self.schema)
    try await store.sync(people, as: "Person")
    let changes = #"""
      {"created": [
        {"id": 1, "name": "right"},
        {"id": 4, "name": "d", "mentor": {"id": 5, "mentor": {"id": 1, "name": "wrong"}, "friends": [{"id": 1, "name": "w"}]}}],
       "deleted": [5]}
      """#
    try await store.sync(changes: changes, as: "Person")
    #expect(try store.values(of: "Person", "id", "name") == [[1, "right"], [4, "d"]])
    #expect(try await store.sync(changes: changes, as: "Person").isUnchanged)
  }

  @Test func newRowDoesNotInheritPendingLinksOfADeletedRow() async throws {
    let store = try TextStore(Self.schema)
    try await store.sync(
      #"[{"id": 1, "name": "a", "team_id": 9}, {"id": 2, "name": "b", "team_id": 9}]"#, as: "Person")
    try await store.run("DELETE FROM Person")
    for person in [3, 2, 1] {
      try await store.sync(
        item: #"{"id": 8, "name": "t", "members": [{"id": \#(person), "name": "new"}]}"#, as: "Team",
        operations: [.insert, .update])
    }
    #expect(try await store.rows(Self.waiting) == [])
    try await store.sync(item: #"{"id": 9, "name": "late"}"#, as: "Team")
    #expect(try store.values(of: "Person", "id", "team") == [[1, 8], [2, 8], [3, 8]])
  }

  /// Links of both ends are decided together, so the objects of a row are merged.
  @Test func unreadableDateKeepsDateOfAnEarlierObject() async throws {
    let store = try TextStore(
      #"model Day { id: Int; date: Date; before: [Day]; @Relationship(inverse: \Day.before) after: [Day] }"#)
    let days = #"""
      [{"id": 4, "date": "2020-01-03T00:00:00Z", "after_ids": [1]}, {"id": 1, "date": "2020-01-04T00:00:00Z"},
       {"id": 4, "date": {}, "after_ids": [1]}]
      """#
    try await store.sync(days)
    #expect(try await store.rows("SELECT date FROM Day WHERE id = 4") == ["2020-01-03 00:00:00.000"])
    #expect(try await store.sync(days).isUnchanged)
  }

  @Test func cancellationInCallbackBecomesSQLiteInterrupt() {
    for error: any Error in [CancellationError(), SyncError.cancelled] {
      SQLFault.clear()
      SQLFault.noting(()) { throw error }
      #expect(SQLFault.take()?.resultCode == .SQLITE_INTERRUPT)
    }
  }
}
