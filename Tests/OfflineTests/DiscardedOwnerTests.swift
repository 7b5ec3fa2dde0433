import Foundation
import TestSupport
import Testing

@testable import Syncline

/// Discarding changes of rows whose owners, unique values or partners were edited, too (contract, section 13).
@Suite struct DiscardedOwnerTests {
  private static let schema = """
    @Offline model Project { id: Int; name: String; tasks: [Task] }
    @Offline model Task { id: Int; title: String; project: Project; subtasks: [Subtask] }
    @Offline model Subtask { id: Int; text: String; task: Task }
    """

  /// A task of the first of two projects, with a subtask.
  private func makeProjects() async throws -> TextStore {
    let store = try TextStore(Self.schema)
    try await store.sync(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, as: "Project")
    try await store.sync(#"[{"id": 5, "title": "t", "project_id": 1}]"#, as: "Task")
    try await store.sync(#"[{"id": 7, "text": "s", "task_id": 5}]"#, as: "Subtask")
    return store
  }

  @Test func rowMovedBelowANewRowReturnsWhenThatIsDiscarded() async throws {
    let store = try await makeProjects()
    try await store.run("INSERT INTO Project VALUES (9, 'new')")
    try await store.run("INSERT INTO Task VALUES (-5, 'new', 9)")
    try await store.run("UPDATE Subtask SET task = -5 WHERE id = 7")
    try await store.discardAll(of: "Project")
    #expect(try await store.rows("SELECT id, task FROM Subtask") == ["7 5"])
    #expect(try await store.pending() == [])
  }

  @Test func rowMovedToADeletedOwnerReturnsWhenThatDeletionIsDiscarded() async throws {
    let store = try await makeProjects()
    try await store.sync(
      #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}]"#, as: "Project")
    try await store.run("UPDATE Task SET project = 2 WHERE id = 5")
    try await store.run("DELETE FROM Project WHERE id IN (2, 3)")
    let deletions = try await store.container.pendingChanges()
    #expect(deletions.count == 3)
    // The task was not deleted with this one.
    try await store.discard("Project", "3")
    #expect(try await store.rows("SELECT id FROM Task") == [])
    try await store.discard("Project", "2")
    #expect(try await store.rows("SELECT id, title, project FROM Task") == ["5 t 1"])
    #expect(try await store.rows("SELECT id, task FROM Subtask") == ["7 5"])
    #expect(try await store.pending() == [])
  }

  @Test func rowSetAsideReturnsWithItsOwner() async throws {
    let store = try await makeProjects()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 5")
    try await store.run("DELETE FROM Project WHERE id = 2")
    try await store.sync(#"[{"id": 5, "title": "t", "project_id": 2}]"#, as: "Task")
    #expect(try await store.pending().contains("Task update 5 aside"))
    try await store.discardAll(of: "Task")
    try await store.discardAll(of: "Project")
    #expect(try await store.rows("SELECT id, title, project FROM Task") == ["5 t 2"])
  }

  @Test func deletedRowWhoseValueIsTakenIsSetAside() async throws {
    let store = try TextStore("@Offline model Tag { id: Int; @Unique name: String }")
    try await store.sync(#"[{"id": 1, "name": "a"}]"#)
    try await store.run("DELETE FROM Tag WHERE id = 1")
    try await store.run("INSERT INTO Tag VALUES (2, 'a')")
    try await store.discard("Tag", "1")
    #expect(try await store.pending() == ["Tag insert 2 pending", "Tag update 1 aside"])
    // The value is free again.
    try await store.run("UPDATE Tag SET name = 'b' WHERE id = 2")
    try await store.sync(#"[{"id": 1, "name": "a"}]"#)
    #expect(try await store.rows("SELECT id, name FROM Tag ORDER BY id") == ["1 a", "2 b"])
    #expect(try await store.pending() == ["Tag insert 2 pending"])
  }

  @Test func deletedRowWhosePartnerIsTakenIsSetAside() async throws {
    let store = try TextStore(Self.passports(""))
    try await store.sync(#"[{"id": 1}, {"id": 3}]"#, as: "Person")
    try await store.sync(#"[{"id": 5, "person_id": 1}]"#, as: "Passport")
    try await store.run("UPDATE Passport SET person = 3 WHERE id = 5")
    try await store.run("INSERT INTO Passport VALUES (9, NULL, 1)")
    // The passport keeps its partner, since another row has the former one.
    try await store.discard("Passport", "5")
    #expect(try await store.rows("SELECT id, person FROM Passport ORDER BY id") == ["5 3", "9 1"])
    try await store.run("DELETE FROM Passport WHERE id = 5")
    try await store.discard("Passport", "5")
    #expect(try await store.pending() == ["Passport insert 9 pending", "Passport update 5 aside"])
  }

  @Test func movedRowWhoseFormerPartnerIsTakenIsSetAside() async throws {
    let store = try TextStore(Self.passports(""))
    try await store.sync(#"[{"id": 1}]"#, as: "Person")
    let passports = #"[{"id": 5, "number": "a", "person_id": 1}]"#
    try await store.sync(passports, as: "Passport")
    try await store.run("INSERT INTO Person VALUES (9)")
    try await store.run("UPDATE Passport SET person = 9 WHERE id = 5")
    try await store.run("INSERT INTO Passport VALUES (8, NULL, 1)")
    try await store.discard("Person", "9")
    #expect(try await store.rows("SELECT id, person FROM Passport") == ["8 1"])
    #expect(try await store.pending() == ["Passport insert 8 pending", "Passport update 5 aside"])
    #expect(try await store.container.pendingChanges().allSatisfy { !$0.isGone })
    // The partner is free again.
    try await store.run("DELETE FROM Passport WHERE id = 8")
    try await store.sync(passports, as: "Passport")
    #expect(try await store.rows("SELECT id, person FROM Passport") == ["5 1"])
    #expect(try await store.pending() == [])
  }

  /// The server moved the partner from one passport to another, but an edit kept it.
  @Test func restoredPartnerIsLinkedToTheFirstRowThatHadIt() async throws {
    let store = try TextStore(Self.passports("?"))
    try await store.sync(#"[{"id": 7}]"#, as: "Person")
    try await store.sync(
      #"[{"id": 1, "number": "a", "person_id": 7}, {"id": 2, "number": "b"}]"#, as: "Passport")
    try await store.run("UPDATE Passport SET number = 'x' WHERE id = 1")
    try await store.sync(#"[{"id": 2, "number": "b", "person_id": 7}]"#, as: "Passport")
    #expect(try await store.rows("SELECT id, person FROM Passport ORDER BY id") == ["1 7", "2 -"])
    try await store.run("DELETE FROM Person WHERE id = 7")
    try await store.discard("Person", "7")
    #expect(try await store.rows("SELECT id FROM Person") == ["7"])
    #expect(
      try await store.rows("SELECT id, number, person FROM Passport ORDER BY id") == ["1 x 7", "2 b -"])
    #expect(try await store.pending() == ["Passport update 1 pending", "Passport update 2 pending"])
  }

  private static func passports(_ optional: String) -> String {
    """
    @Offline model Passport { id: Int; number: String?; person: Person\(optional) }
    @Offline model Person { id: Int; @Relationship(inverse: \\Passport.person) passport: Passport? }
    """
  }

  /// The item names one of the rows only, but its former partner is that of another row now.
  @Test(arguments: ["", "?"]) func itemResetsTheRowThatTookThePartner(optional: String) async throws {
    let store = try TextStore(Self.passports(optional))
    try await store.sync(#"[{"id": 1}, {"id": 3}]"#, as: "Person")
    try await store.sync(#"[{"id": 5, "person_id": 1}]"#, as: "Passport")
    try await store.run("UPDATE Passport SET person = 3 WHERE id = 5")
    try await store.run("INSERT INTO Passport VALUES (9, NULL, 1)")
    let report = try await store.sync(#"{"id": 5, "number": "x"}"#, as: "Passport")
    #expect(report.conflicts == 0)
    #expect(
      try await store.rows("SELECT id, number, person FROM Passport ORDER BY id") == ["5 x 3", "9 - 1"])
    #expect(try await store.pending() == ["Passport insert 9 pending", "Passport update 5 pending"])
  }

  /// The row that took the partner has no edit any more, so it keeps the partner while payloads are synced.
  @Test(arguments: [#", "person_id": 3"#, ""])
  func rowIsSyncedAfterTheServerConfirmedThatAnotherTookItsPartner(person: String) async throws {
    let store = try TextStore(Self.passports(""))
    try await store.sync(#"[{"id": 1}, {"id": 3}]"#, as: "Person")
    try await store.sync(#"[{"id": 5, "person_id": 1}]"#, as: "Passport")
    try await store.run("UPDATE Passport SET person = 3 WHERE id = 5")
    try await store.run("INSERT INTO Passport VALUES (9, NULL, 1)")
    // The answer to the update is lost.
    #expect(try await store.push("Passport", ["9": .confirmed]).confirmed == 1)
    let report = try await store.sync(
      #"[{"id": 5, "number": "x"\#(person)}, {"id": 9, "person_id": 1}]"#, as: "Passport")
    #expect(report.conflicts == 0)
    #expect(
      try await store.rows("SELECT id, number, person FROM Passport ORDER BY id") == ["5 x 3", "9 - 1"])
    #expect(try await store.pending() == ["Passport update 5 sent"])
  }

  @Test func requestAfterARejectionCountsItsOwnConflicts() async throws {
    let store = try await makeProjects()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 5")
    let row = ServerAnswer.conflict(#"{"id": 5, "title": "theirs"}"#)
    var report = try await store.drain(["Task"], AnsweringServer([row, row, row, row, row, row]))
    #expect(report.rejected > 0)
    try await store.run("UPDATE Task SET title = 'mine again' WHERE id = 5")
    report = try await store.drain(["Task"], AnsweringServer([row, .confirmed]))
    #expect(report.conflicts == 1 && report.rejected == 0 && report.confirmed == 1)
  }

  @Test func answerWithoutIdentityIsReadWithTheIdentitysPattern() async throws {
    let store = try TextStore(
      #"@Offline model Task { @KeyPattern("/tasks/{}") id: String; title: String }"#)
    try await store.sync(#"[{"id": "/tasks/5", "title": "t"}]"#)
    try await store.run("UPDATE Task SET title = 'mine'")
    let report = try await store.push("Task", ["5": .row(#"{"title": "X"}"#)])
    #expect(report.problems == [])
    #expect(try await store.rows("SELECT id, title FROM Task") == ["5 X"])
  }

  @Test func unreadableRowIsNamedByTheChangesOfItsModel() async throws {
    let store = try TextStore("@Offline model Task { id: Int; votes: Int }")
    try await store.sync(#"[{"id": 1, "votes": 1}, {"id": 2, "votes": 2}]"#)
    try await store.run("UPDATE Task SET votes = 'many' WHERE id = 1")
    try await store.run("UPDATE Task SET votes = 3 WHERE id = 2")
    #expect(try await store.pending() == ["Task update 1 pending", "Task update 2 pending"])
    await #expect(throws: SyncError.self) { _ = try await store.pushes() }
  }
}
