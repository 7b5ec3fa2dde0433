import Foundation
import TestSupport
import Testing

@testable import Syncline

/// Rows that refer to temporary identities when the server's replace these (contract, section 21).
@Suite struct TemporaryIdentityTests {
  // MARK: Rows that refer to themselves

  private func makeUsers() throws -> TextStore {
    try TextStore(
      """
      @Offline model User {
        @PrimaryKey(madeBy: .server) id: Int
        name: String
        @Relationship(inverse: nil) mate: User?
        @Relationship(inverse: nil) friends: [User]
      }
      """)
  }

  @Test func newRowIsSentWithoutItsLinksToItself() async throws {
    let store = try makeUsers()
    try await store.run("INSERT INTO User (id, name, mate) VALUES (-1, 'a', -1)")
    try await store.run(#"INSERT INTO "User.friends" (source, target) VALUES (-1, -1)"#)
    #expect(try await store.pushes() == [#"POST {"name":"a","mate_id":null,"friend_ids":[]}"#])
    let report = try await store.push("User", ["-1": .identity(50)])
    #expect(report.confirmed == 1)
    #expect(try await store.pushes() == [#"PATCH {"mate_id":50,"friend_ids":[50]}"#])
  }

  @Test func linkToItselfIsKeptIfAPullHasInsertedTheRow() async throws {
    let store = try makeUsers()
    try await store.run("INSERT INTO User (id, name) VALUES (-1, 'a')")
    _ = try await store.push("User", [:])
    try await store.run("UPDATE User SET mate = -1")
    try await store.run(#"INSERT INTO "User.friends" (source, target) VALUES (-1, -1)"#)
    try await store.sync(#"[{"id": 50, "name": "a", "mate_id": null, "friend_ids": []}]"#, as: "User")
    let report = try await store.push("User", ["-1": .identity(50)])
    #expect(report.confirmed == 1 && report.problems.isEmpty)
    #expect(try await store.rows("SELECT id, mate FROM User") == ["50 50"])
    #expect(try await store.pushes() == [#"PATCH {"mate_id":50,"friend_ids":[50]}"#])
  }

  @Test func listIsMergedIfAPullHasInsertedTheRow() async throws {
    let store = try makeUsers()
    try await store.sync(#"[{"id": 2, "name": "b"}, {"id": 3, "name": "c"}]"#, as: "User")
    try await store.run("INSERT INTO User (id, name) VALUES (-1, 'a')")
    _ = try await store.push("User", [:])
    try await store.run(#"INSERT INTO "User.friends" (source, target) VALUES (-1, 2)"#)
    try await store.sync(item: #"{"id": 50, "name": "a", "mate_id": null, "friend_ids": [3]}"#, as: "User")
    _ = try await store.push("User", ["-1": .identity(50)])
    #expect(try await store.pushes() == [#"PATCH {"friend_ids":[2,3]}"#])
  }
}
