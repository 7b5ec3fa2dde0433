import Foundation
import TestSupport
import Testing

@testable import Syncline

/// Edits, payloads and answers that meet in an unusual order (contract, section 13).
@Suite struct OfflineScenarioTests {
  // MARK: Rows below a row that is set aside

  private static let both = #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#
  private static let first = #"[{"id": 1, "name": "a"}]"#
  private static let tasks = #"[{"id": 5, "title": "t", "project_id": 1}]"#

  private func makeProjects() async throws -> TextStore {
    let store = try TextStore(
      """
      @Offline model Project { id: Int; name: String; tasks: [Task] }
      @Offline model Task { id: Int; title: String; project: Project; subtasks: [Subtask] }
      @Offline model Subtask { id: Int; text: String; task: Task }
      """)
    try await store.sync(Self.both, as: "Project")
    try await store.sync(Self.tasks, as: "Task")
    try await store.sync(#"[{"id": 7, "text": "s", "task_id": 5}]"#, as: "Subtask")
    return store
  }

  @Test func rowsBelowARowSetAsideAreNotDeleted() async throws {
    let store = try await makeProjects()
    try await store.run("UPDATE Task SET project = 2 WHERE id = 5")
    try await store.sync(Self.first, as: "Project")
    #expect(try await store.pending() == ["Task update 5 aside"])
    #expect(try await store.pushes(of: "Subtask") == [])
  }

  @Test func editBelowARowSetAsideIsKept() async throws {
    let store = try await makeProjects()
    try await store.run("UPDATE Task SET project = 2 WHERE id = 5")
    try await store.run("UPDATE Subtask SET text = 'mine' WHERE id = 7")
    try await store.sync(Self.first, as: "Project")
    let pending = try await store.pending()
    #expect(pending.count == 2 && pending.contains("Task update 5 aside"), "\(pending)")
    #expect(pending.contains { $0.hasPrefix("Subtask update 7 ") }, "\(pending)")
    try await store.sync(Self.both, as: "Project")
    try await store.sync(Self.tasks, as: "Task")
    #expect(try await store.rows("SELECT id, project FROM Task") == ["5 2"])
    #expect(try await store.rows("SELECT id, text, task FROM Subtask") == ["7 mine 5"])
  }

  @Test func newRowsBelowARowSetAsideAreKept() async throws {
    let store = try await makeProjects()
    try await store.run("INSERT INTO Task (id, title, project) VALUES (-5, 'new', 2)")
    for task in [5, -5] {
      try await store.run("INSERT INTO Subtask (id, text, task) VALUES (\(task * 10), 'new', \(task))")
    }
    try await store.run("UPDATE Task SET project = 2 WHERE id = 5")
    for _ in 1...2 {
      try await store.sync(Self.first, as: "Project")
      #expect(
        try await store.pending() == [
          "Subtask insert -50 aside", "Subtask insert 50 aside", "Task insert -5 aside",
          "Task update 5 aside",
        ])
      #expect(try await store.rows("SELECT id FROM Task") == [])
    }
    try await store.sync(Self.both, as: "Project")
    #expect(try await store.rows("SELECT id, project FROM Task ORDER BY id") == ["-5 2", "5 2"])
    #expect(try await store.rows("SELECT id, task FROM Subtask ORDER BY id") == ["-50 -5", "50 5"])
  }

  // MARK: Identities of other rows

  /// A store with two new tasks.
  private func makeNewTasks() async throws -> TextStore {
    let store = try TextStore("@Offline model Task { id: Int; title: String }")
    try await store.run("INSERT INTO Task (id, title) VALUES (7, 'a')")
    try await store.run("INSERT INTO Task (id, title) VALUES (8, 'b')")
    return store
  }

  @Test func answeredIdentityOfAnotherNewRowIsFreed() async throws {
    let store = try await makeNewTasks()
    let report = try await store.push("Task", limit: 1, ["7": .row(#"{"id": 8, "title": "a"}"#)])
    #expect(report.confirmed == 1)
    #expect(try await store.rows("SELECT title FROM Task WHERE id = 8") == ["a"])
    #expect(try await store.rows("SELECT title FROM Task WHERE id <> 8") == ["b"])
    let changes = try await store.container.pendingChanges()
    #expect(changes.map(\.kind) == [.insert] && changes.map(\.state) == [.pending])
  }

  @Test func answeredIdentitiesOfABatchMayOverlap() async throws {
    let store = try await makeNewTasks()
    let report = try await store.push(
      "Task", ["7": .row(#"{"id": 8, "title": "a"}"#), "8": .row(#"{"id": 9, "title": "b"}"#)])
    #expect(report.confirmed == 2)
    #expect(try await store.rows("SELECT id, title FROM Task ORDER BY id") == ["8 a", "9 b"])
    #expect(try await store.pending() == [])
  }

  @Test func newRowWhosePartnerTurnsOutToBeTakenIsKept() async throws {
    let store = try TextStore(
      """
      @Offline model User { @PrimaryKey(madeBy: .server) id: Int; name: String; profile: Profile? }
      @Offline model Profile { @PrimaryKey(madeBy: .server) id: Int; bio: String; user: User }
      """)
    try await store.run("INSERT INTO User (id, name) VALUES (-1, 'u')")
    try await store.run("INSERT INTO Profile (id, bio, user) VALUES (-2, 'mine', -1)")
    let server = AnsweringServer([.lost, .identity(50)])
    #expect(try await store.drain(["User"], server, rounds: 1).unanswered == 1)
    try await store.sync(#"[{"id": 50, "name": "u"}]"#, as: "User")
    try await store.sync(#"[{"id": 9, "bio": "b", "user_id": 50}]"#, as: "Profile")
    let report = try await store.drain(["User"], server, rounds: 1)
    #expect(report.confirmed == 1 && report.errors.isEmpty)
    #expect(await server.log == ["POST User -1", "POST User -1"])
    #expect(try await store.rows("SELECT id FROM User") == ["50"])
    #expect(try await store.rows("SELECT id, user FROM Profile WHERE id = 9") == ["9 50"])
    let pending = try await store.pending()
    #expect(pending.map { $0.prefix(17) } == ["Profile insert -2"], "\(pending)")
  }

  // MARK: Unique values

  private func makeTags() throws -> TextStore {
    try TextStore(
      """
      @Offline @SoftDelete(\\.deletedAt) model Tag { id: Int; @Unique name: String; deletedAt: Date? }
      """)
  }

  @Test func uniqueValueOfAMarkedRowIsFree() async throws {
    let store = try makeTags()
    let payload = #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#
    try await store.sync(payload)
    try await store.run("UPDATE Tag SET deletedAt = '2026-03-01 00:00:00.000000' WHERE id = 1")
    try await store.run("UPDATE Tag SET name = 'a' WHERE id = 2")
    for _ in 1...2 {
      try await store.sync(payload)
      let rows = try await store.rows("SELECT id, name, deletedAt IS NULL FROM Tag ORDER BY id")
      #expect(rows == ["1 a 0", "2 a 1"])
      #expect(try await store.pending() == ["Tag update 1 pending", "Tag update 2 pending"])
    }
  }

  @Test func uniqueValueOfARowUnmarkedByAnEditIsTheServers() async throws {
    let store = try makeTags()
    let marked = #"{"id": 1, "name": "a", "deleted_at": "2026-01-01T00:00:00Z"}"#
    try await store.sync("[\(marked)]")
    try await store.run("UPDATE Tag SET deletedAt = NULL WHERE id = 1")
    for _ in 1...2 {
      try await store.sync(#"[\#(marked), {"id": 3, "name": "a"}]"#)
      #expect(try await store.rows("SELECT name, deletedAt IS NULL FROM Tag WHERE id = 3") == ["a 1"])
      // Otherwise two rows would have the value, so the server's mark stays.
      #expect(try await store.rows("SELECT name, deletedAt IS NULL FROM Tag WHERE id = 1") == ["a 0"])
    }
  }

  @Test func olderPayloadDoesNotChangeUniqueValuesConfirmedSince() async throws {
    let store = try TextStore("@Offline model User { id: Int; @Unique email: String }")
    let payload = #"[{"id": 1, "email": "a"}, {"id": 2, "email": "c"}]"#
    try await store.sync(payload)
    try await store.run("UPDATE User SET email = 'b' WHERE id = 1")
    try await store.run("UPDATE User SET email = 'd' WHERE id = 2")
    let moment = store.container.moment
    #expect(try await store.push("User", ["1": .confirmed, "2": .confirmed]).confirmed == 2)
    func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> SyncReport {
      try await store.container.sync(payload: payload, as: model, requestedAt: moment)
    }
    _ = try await sync(store.model("User"))
    #expect(try await store.rows("SELECT id, email FROM User ORDER BY id") == ["1 b", "2 d"])
    #expect(try await store.pending() == [])
  }

  @Test func linkToARowSetAsideIsCleared() async throws {
    let store = try TextStore(
      """
      @Offline model Tag { id: Int; @Unique name: String }
      model Bookmark { id: Int; url: String; tag: Tag? }
      """)
    try await store.sync(#"[{"id": 1, "url": "u"}]"#, as: "Bookmark")
    try await store.run("INSERT INTO Tag (id, name) VALUES (-1, 'swift')")
    try await store.run("UPDATE Bookmark SET tag = -1 WHERE id = 1")
    try await store.sync(#"[{"id": 7, "name": "swift"}]"#, as: "Tag")
    #expect(try await store.rows("SELECT id, name FROM Tag") == ["7 swift"])
    #expect(try await store.pending() == ["Tag insert -1 aside"])
    #expect(try await store.rows("SELECT id, url, tag FROM Bookmark") == ["1 u -"])
  }

  // MARK: Pushes

  @Test func conflictAfterLostAnswersIsNotARejection() async throws {
    let store = try TextStore("@Offline model Task { id: Int; title: String }")
    try await store.sync(#"[{"id": 1, "title": "one"}]"#)
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let server = AnsweringServer([.lost, .lost, .conflict(#"{"id": 1, "title": "theirs"}"#), .confirmed])
    let report = try await store.drain(["Task"], server)
    #expect(report.conflicts == 1 && report.rejected == 0 && report.confirmed == 1)
    #expect(await server.log.count == 4)
    #expect(try await store.rows("SELECT title FROM Task") == ["mine"])
    #expect(try await store.pending() == [])
  }

  @Test func deletionWaitsForTheRowThatMovedAway() async throws {
    let store = try await makeProjects()
    try await store.run("UPDATE Task SET project = 2 WHERE id = 5")
    try await store.run("DELETE FROM Project WHERE id = 1")
    let server = AnsweringServer([.lost])
    let report = try await store.drain(["Task", "Project"], server, rounds: 1)
    // The server would delete the task with its former project.
    #expect(await server.log == ["PATCH Task 5"])
    #expect(report.unanswered == 1 && report.confirmed == 0)
    try await store.drain(["Task", "Project"], server, rounds: 1)
    #expect(await server.log == ["PATCH Task 5", "PATCH Task 5", "DELETE Project 1"])
    #expect(try await store.pending() == [])
  }

  @Test func answerWithAnEqualDateIsApplied() async throws {
    let store = try TextStore(
      """
      @Offline @UpdatedAt(\\.updatedAt) model Todo { id: Int; title: String; updatedAt: Date? }
      """)
    try await store.sync(#"[{"id": 1, "title": "x", "updated_at": "2024-01-01T00:00:00Z"}]"#)
    try await store.run("UPDATE Todo SET title = ' y ' WHERE id = 1")
    let answer = #"{"id": 1, "title": "y", "updated_at": "2024-01-01T00:00:00Z"}"#
    #expect(try await store.push("Todo", ["1": .row(answer)]).confirmed == 1)
    #expect(try await store.rows("SELECT id, title FROM Todo") == ["1 y"])
    #expect(try await store.pending() == [])
  }

  /// The server has inserted the row, and deleted it since.
  @Test(
    arguments: [#"{"deleted": [5]}"#, #"{"updated": [{"id": 5, "removed": true}]}"#],
    [ServerAnswer.confirmed, .row(#"{"id": 5, "title": "new"}"#)])
  func newRowIsDeletedByItsAnswerIfChangesHaveDeletedIt(
    changes: String, answer: ServerAnswer
  ) async throws {
    let store = try TextStore(#"@Offline @Deleted("removed") model Task { id: Int; title: String }"#)
    try await store.run("INSERT INTO Task VALUES (5, 'new')")
    #expect(try await store.push("Task", [:]).confirmed == 0)
    try await store.sync(changes: changes)
    #expect(try await store.rows("SELECT title FROM Task") == ["new"])
    #expect(try await store.pending() == ["Task insert 5 sent"])
    #expect(try await store.push("Task", ["5": answer]).confirmed == 1)
    #expect(try await store.rows("SELECT title FROM Task") == [])
    #expect(try await store.pending() == [])
  }

  @Test func rowInAnAnswerDoesNotInsertARowThatAPullHasDeleted() async throws {
    let store = try TextStore("@Offline model Task { id: Int; title: String; note: String? }")
    try await store.sync(#"[{"id": 5, "title": "a"}, {"id": 6, "title": "b"}]"#)
    try await store.run("UPDATE Task SET title = 'mine'")
    _ = try await store.push("Task", [:])
    try await store.run("UPDATE Task SET note = 'later' WHERE id = 6")
    try await store.sync("[]")
    let rows = [5, 6].map { ServerAnswer.row(#"{"id": \#($0), "title": "mine"}"#) }
    #expect(try await store.push("Task", ["5": rows[0], "6": rows[1]]).confirmed == 2)
    #expect(try await store.rows("SELECT id, note FROM Task") == ["6 later"])
    let change = try #require(try await store.container.pendingChanges().first)
    #expect(change.isGone)
  }

  @Test func editOfANewRowThatChangesHaveDeletedIsKept() async throws {
    let store = try TextStore("@Offline model Task { id: Int; title: String }")
    try await store.run("INSERT INTO Task VALUES (5, 'new')")
    #expect(try await store.push("Task", [:]).confirmed == 0)
    try await store.run("UPDATE Task SET title = 'mine'")
    try await store.sync(changes: #"{"deleted": [5]}"#)
    #expect(try await store.push("Task", ["5": .confirmed]).confirmed == 1)
    #expect(try await store.rows("SELECT title FROM Task") == ["mine"])
    #expect(try await store.pushes() == [#"PATCH {"title":"mine"}"#])
  }

  // MARK: Pending links

  private func makeTasks(identity: String = "id: Int") async throws -> TextStore {
    let store = try TextStore(
      """
      @Offline model Project { \(identity); name: String; tasks: [Task] }
      @Offline model Task { id: Int; title: String; project: Project? }
      """)
    try await store.sync(#"[{"id": 2, "name": "b"}]"#, as: "Project")
    return store
  }

  @Test func confirmedLinkReplacesAPendingKey() async throws {
    let store = try await makeTasks()
    try await store.sync(#"[{"id": 1, "title": "t", "project_id": 5}]"#, as: "Task")
    try await store.run("UPDATE Task SET project = 2")
    #expect(try await store.push("Task", ["1": .confirmed]).confirmed == 1)
    try await store.sync(#"[{"id": 2, "name": "b"}, {"id": 5, "name": "e"}]"#, as: "Project")
    #expect(try await store.rows("SELECT id, project FROM Task") == ["1 2"])
    #expect(try await store.pending() == [])
  }

  /// Without a later payload, the links would never be made: the row has arrived already.
  @Test(arguments: [
    ("id: Int", "9", ServerAnswer.confirmed),
    ("id: Int", "9", ServerAnswer.row(#"{"id": 9, "name": "mine"}"#)),
    ("@PrimaryKey(madeBy: .server) id: Int", "-1", ServerAnswer.identity(9)),
    ("@PrimaryKey(madeBy: .server) id: Int", "-1", ServerAnswer.row(#"{"id": 9, "name": "mine"}"#)),
  ])
  func linksThatWaitForANewRowAreMadeWhenItIsConfirmed(
    identity: String, id: String, answer: ServerAnswer
  ) async throws {
    let store = try await makeTasks(identity: identity)
    try await store.run("INSERT INTO Project (id, name) VALUES (\(id), 'mine')")
    _ = try await store.push("Project", [:])
    try await store.sync(#"[{"id": 1, "title": "t", "project_id": 9}, {"id": 3, "title": "u"}]"#, as: "Task")
    let links = "SELECT id, project FROM Task ORDER BY id"
    #expect(try await store.rows(links) == ["1 -", "3 -"])
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    #expect(try await store.push("Project", [id: answer]).confirmed == 1)
    #expect(try await store.rows(links) == ["1 9", "3 -"])
    #expect(try await store.pushes(of: "Task") == [#"PATCH {"title":"mine"}"#])
    #expect(try await store.pushes(of: "Project") == [])
  }

  // MARK: Giving up

  @Test func deletionsAreDiscardedFromTheInnermostRow() async throws {
    let store = try await makeProjects()
    try await store.run("DELETE FROM Task WHERE id = 5")
    try await store.run("DELETE FROM Project WHERE id = 1")
    try await store.discardAll(of: "Task")
    try await store.discardAll(of: "Project")
    #expect(try await store.rows("SELECT id FROM Project ORDER BY id") == ["1", "2"])
    #expect(try await store.rows("SELECT id, project FROM Task") == ["5 1"])
    #expect(try await store.rows("SELECT id, task FROM Subtask") == ["7 5"])
    #expect(try await store.pending() == [])
  }

  // MARK: Primary keys of several properties

  /// The server keeps the day of the date only.
  @Test func partsFollowTheIdentityOfTheAnswer() async throws {
    let store = try TextStore(
      """
      @Offline model Device { id: Int }
      @Offline @PrimaryKey(\\.device, \\.day) model Reading {
        device: Device
        @DateFormat("yyyy-MM-dd") day: Date
        value: Int
      }
      """)
    try await store.sync(#"[{"id": 1}]"#, as: "Device")
    let (noon, midnight) = ("2021-05-03 12:00:00.000", "2021-05-03 00:00:00.000")
    try await store.run(
      "INSERT INTO Reading (device, day, value, syncID) VALUES (1, '\(noon)', 5, '[1,\"\(noon)\"]')")
    let server = AnsweringServer([.row(#"{"device_id": 1, "day": "2021-05-03", "value": 6}"#)])
    let report = try await store.drain(["Reading"], server)
    #expect(report.confirmed == 1 && report.problems.isEmpty)
    #expect(
      try await store.rows("SELECT device, day, value, syncID FROM Reading")
        == ["1 \(midnight) 6 [1,\"\(midnight)\"]"])
    #expect(try await store.pending() == [])
  }

  @Test func partsOfRowsThatAreNotPushedFollowTheIdentityOfTheAnswer() async throws {
    let store = try TextStore(
      """
      @Offline model Purchase { @PrimaryKey(madeBy: .server) id: Int; name: String }
      @PrimaryKey(\\.purchase) model Note { purchase: Purchase; text: String }
      """)
    try await store.run("INSERT INTO Purchase (id, name) VALUES (-1, 'new')")
    try await store.run("INSERT INTO Note (purchase, text, syncID) VALUES (-1, 'mine', '[-1]')")
    let report = try await store.push("Purchase", ["-1": .identity(50)])
    #expect(report.confirmed == 1 && report.problems.isEmpty)
    #expect(try await store.rows("SELECT purchase, text, syncID FROM Note") == ["50 mine [50]"])
  }

  @Test func pendingLinkOfARowWithTheSameIdentityInAnotherParentStays() async throws {
    let store = try TextStore(
      """
      @Offline model Board { id: Int; lanes: [Lane] }
      @Offline @ParentScoped(\\.board) model Lane { id: Int; board: Board; owner: User? }
      model User { id: Int }
      """)
    try await store.sync(#"[{"id": 1}, {"id": 2, "lanes": [{"id": 5, "owner_id": 9}]}]"#, as: "Board")
    try await store.run("INSERT INTO Lane (id, board) VALUES (5, 1)")
    #expect(try await store.push("Lane", ["5": .identity(6)]).confirmed == 1)
    try await store.sync(#"[{"id": 9}]"#, as: "User")
    #expect(try await store.rows("SELECT board, id, owner FROM Lane ORDER BY board") == ["1 6 -", "2 5 9"])
  }
}
