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

  // MARK: Conflicts of new rows

  /// The server has such a row already, and answers 409 with it.
  @Test(arguments: [true, false])
  func newRowInConflictIsAnEditOfTheServersRow(isPulled: Bool) async throws {
    let store = try makeUsers()
    try await store.run("INSERT INTO User (id, name) VALUES (-1, 'mine')")
    let row = #"{"id": 50, "name": "theirs"}"#
    if isPulled { try await store.sync(item: row, as: "User") }
    let report = try await store.push("User", ["-1": .conflict(row)])
    #expect(report.conflicts == 1 && report.problems.isEmpty)
    #expect(try await store.rows("SELECT id, name FROM User") == ["50 mine"])
    #expect(try await store.pushes() == [#"PATCH {"name":"mine"}"#])
    try await store.discardAll(of: "User")
    #expect(try await store.rows("SELECT id, name FROM User") == ["50 theirs"])
  }

  @Test func conflictOfANewRowWithoutAnIdentityIsARejection() async throws {
    let store = try makeUsers()
    try await store.run("INSERT INTO User (id, name) VALUES (-1, 'mine')")
    let report = try await store.push("User", ["-1": .conflict(#"{"name": "theirs"}"#)])
    #expect(report.rejected == 1)
    #expect(try await store.pending() == ["User insert -1 rejected"])
  }

  // MARK: Rows that a pull has inserted with the same parts

  private static let project = #"[{"id": 50, "name": "p"}]"#
  private static let member = #"[{"project_id": 50, "user_id": 3, "role": "owner"}]"#
  private static let members = "SELECT project, user, role, syncID FROM Member"

  /// The server has created the project, and a member of it; its answer was lost.
  private func makeMembers(
    _ attribute: String = "@Offline", isPulled: Bool = true
  ) async throws -> TextStore {
    let store = try TextStore(
      """
      @Offline model User { id: Int }
      @Offline model Project { @PrimaryKey(madeBy: .server) id: Int; name: String }
      \(attribute) @PrimaryKey(\\.project, \\.user) model Member {
        @Relationship(inverse: nil) project: Project
        @Relationship(inverse: nil) user: User
        role: String
      }
      """)
    try await store.sync(#"[{"id": 3}, {"id": 4}]"#, as: "User")
    try await store.run("INSERT INTO Project (id, name) VALUES (-1, 'p')")
    try await store.run("INSERT INTO Member (project, user, role, syncID) VALUES (-1, 3, 'mine', '[-1,3]')")
    _ = try await store.push("Project", [:])
    try await store.sync(Self.project, as: "Project")
    if isPulled { try await store.sync(Self.member, as: "Member") }
    return store
  }

  @Test func newPartIsAnEditOfThePulledRow() async throws {
    let store = try await makeMembers()
    let report = try await store.push("Project", ["-1": .identity(50)])
    #expect(report.confirmed == 1 && report.problems.isEmpty)
    #expect(try await store.rows(Self.members) == ["50 3 mine [50,3]"])
    #expect(try await store.pushes(of: "Member") == [#"PATCH {"role":"mine"}"#])
    try await store.discardAll(of: "Member")
    #expect(try await store.rows(Self.members) == ["50 3 owner [50,3]"])
    #expect(try await store.pending() == [])
  }

  /// The server knows neither of the two rows.
  @Test func oneOfTwoNewRowsWithTheSamePartsIsSent() async throws {
    let store = try await makeMembers(isPulled: false)
    try await store.run("INSERT INTO Member (project, user, role, syncID) VALUES (50, 3, 'other', '[50,3]')")
    let report = try await store.push("Project", ["-1": .identity(50)])
    #expect(report.confirmed == 1 && report.problems.isEmpty)
    #expect(try await store.rows(Self.members) == ["50 3 other [50,3]"])
    #expect(try await store.pending() == ["Member insert [50,3] pending"])
  }

  @Test func newPartAndTheDeletionOfThePulledRowAreAnUpdate() async throws {
    let store = try await makeMembers()
    try await store.run("DELETE FROM Member WHERE project = 50")
    _ = try await store.push("Project", ["-1": .identity(50)])
    #expect(try await store.rows(Self.members) == ["50 3 mine [50,3]"])
    #expect(try await store.pushes(of: "Member") == [#"PATCH {"role":"mine"}"#])
  }

  @Test func pulledRowReplacesAPartThatIsNotPushed() async throws {
    let store = try await makeMembers("")
    try await store.run("INSERT INTO Member (project, user, role, syncID) VALUES (-1, 3, 'mine', '[-1,3]')")
    let report = try await store.push("Project", ["-1": .identity(50)])
    #expect(report.confirmed == 1 && report.problems.isEmpty)
    #expect(try await store.rows(Self.members) == ["50 3 owner [50,3]"])
  }

  @Test func newRowOfAParentIsAnEditOfThePulledRow() async throws {
    let store = try TextStore(
      """
      @Offline model Board { @PrimaryKey(madeBy: .server) id: Int; lanes: [Lane] }
      @Offline @ParentScoped(\\.board) model Lane { id: Int; board: Board; text: String }
      """)
    try await store.run("INSERT INTO Board (id) VALUES (-1)")
    try await store.run("INSERT INTO Lane (id, board, text) VALUES (1, -1, 'mine'), (2, -1, 'new')")
    _ = try await store.push("Board", [:])
    try await store.sync(#"[{"id": 50, "lanes": [{"id": 1, "text": "theirs"}]}]"#, as: "Board")
    let report = try await store.push("Board", ["-1": .identity(50)])
    #expect(report.confirmed == 1 && report.problems.isEmpty)
    let lanes = try await store.rows("SELECT id, board, text FROM Lane ORDER BY id")
    #expect(lanes == ["1 50 mine", "2 50 new"])
    #expect(
      try await store.pushes(of: "Lane")
        == [#"PATCH {"text":"mine"}"#, #"POST {"id":2,"board_id":50,"text":"new"}"#])
  }

  // MARK: Values that the pulled row cannot have

  /// Another row has the unique value now, so the row was set aside.
  @Test(arguments: ["String", "String?"])
  func takenUniqueValueStaysThatOfThePulledRow(type: String) async throws {
    let store = try TextStore(
      "@Offline model User { @PrimaryKey(madeBy: .server) id: Int; name: String; @Unique code: \(type) }")
    try await store.run("INSERT INTO User (id, name, code) VALUES (-1, 'mine', 'A')")
    _ = try await store.push("User", [:])
    let row = #"{"id": 50, "name": "a", "code": "B"}"#
    try await store.sync(#"[\#(row), {"id": 51, "name": "b", "code": "A"}]"#, as: "User")
    #expect(try await store.pending() == ["User insert -1 aside"])
    let report = try await store.push("User", ["-1": .conflict(row)])
    #expect(report.conflicts == 1 && report.problems.isEmpty)
    #expect(try await store.rows("SELECT id, name, code FROM User ORDER BY id") == ["50 mine B", "51 b A"])
    #expect(try await store.pushes() == [#"PATCH {"name":"mine"}"#])
  }

  @Test func linksToMissingRowsStayThoseOfThePulledRow() async throws {
    let store = try TextStore(
      """
      @Offline model User {
        @PrimaryKey(madeBy: .server) id: Int
        name: String
        @Relationship(inverse: nil) team: Team
        @Relationship(inverse: nil) others: [Team]
      }
      @Offline model Team { id: Int }
      """)
    try await store.sync(#"[{"id": 8}, {"id": 9}, {"id": 10}]"#, as: "Team")
    try await store.run("INSERT INTO User (id, name, team) VALUES (-1, 'a', 9)")
    _ = try await store.push("User", [:])
    try await store.run(#"INSERT INTO "User.others" (source, target) VALUES (-1, 10)"#)
    // The first list sets the row aside, the second deletes its member.
    try await store.sync(#"[{"id": 8}, {"id": 10}]"#, as: "Team")
    try await store.sync(#"[{"id": 8}]"#, as: "Team")
    try await store.sync(item: #"{"id": 50, "name": "a", "team_id": 8}"#, as: "User")
    let report = try await store.push("User", ["-1": .identity(50)])
    #expect(report.confirmed == 1 && report.problems.isEmpty)
    #expect(try await store.rows("SELECT id, team FROM User") == ["50 8"])
    #expect(try await store.pending() == [])
  }

  // MARK: Orders of lists

  /// The pulled row has no owner yet.
  @Test func orderOfAOneToManyHasTheServersIdentity() async throws {
    let store = try TextStore(
      """
      @Offline model Playlist { id: Int; name: String; @Ordered tracks: [Track] }
      @Offline model Track { @PrimaryKey(madeBy: .server) id: Int; title: String; list: Playlist? }
      """)
    try await store.sync(#"[{"id": 1, "name": "p"}]"#, as: "Playlist")
    try await store.sync(#"[{"id": 1, "title": "a", "list_id": 1}]"#, as: "Track")
    try await store.run("INSERT INTO Track (id, title) VALUES (-1, 't')")
    _ = try await store.push("Track", [:])
    try await store.run("UPDATE Track SET list = 1 WHERE id = -1")
    try await store.run("UPDATE Playlist SET tracksOrder = '[-1,1]'")
    try await store.sync(item: #"{"id": 50, "title": "t", "list_id": null}"#, as: "Track")
    _ = try await store.push("Track", ["-1": .identity(50)])
    #expect(try await store.rows("SELECT id, list FROM Track ORDER BY id") == ["1 1", "50 1"])
    #expect(try await store.rows("SELECT tracksOrder FROM Playlist") == ["[50,1]"])
  }

  @Test func orderThatIsNotJSONIsLeftAlone() async throws {
    let store = try TextStore(
      """
      @Offline model Playlist { id: Int; @Relationship(inverse: nil) @Ordered tracks: [Track] }
      @Offline model Track { @PrimaryKey(madeBy: .server) id: Int; title: String }
      """)
    try await store.run("INSERT INTO Track (id, title) VALUES (-1, 't')")
    try await store.sync(#"[{"id": 1, "track_ids": []}, {"id": 2, "track_ids": []}]"#, as: "Playlist")
    try await store.run(#"INSERT INTO "Playlist.tracks" (source, target) VALUES (1, -1), (2, -1)"#)
    try await store.run("UPDATE Playlist SET tracksOrder = iif(id = 1, 'wrong', '[-1]')")
    let report = try await store.push("Track", ["-1": .identity(50)])
    #expect(report.confirmed == 1 && report.problems.isEmpty)
    #expect(try await store.rows("SELECT tracksOrder FROM Playlist ORDER BY id") == ["wrong", "[50]"])
  }
}
