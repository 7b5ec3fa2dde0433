import Foundation
import GRDB
import TestSupport
import Testing

@testable import Syncline

/// Local edits are pending, however they are made; what a sync writes is not (contract, section 13).
@Suite struct CaptureTests {
  private func makeFilled() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, as: Project.self)
    try await store.sync(payload: #"[{"id": 1}, {"id": 2}, {"id": 3}]"#, as: Tag.self)
    try await store.sync(
      payload: """
        [{"id": 1, "title": "one", "project_id": 1, "tag_ids": [1, 2], "updated_at": "2026-01-01T00:00:00Z"}, \
        {"id": 2, "title": "two", "project_id": 1, "tag_ids": [], "updated_at": "2026-01-01T00:00:00Z"}]
        """, as: Task.self)
    for model in ["Project", "Task"] { #expect(try await store.entryCount(model) == 0) }
    return store
  }

  // MARK: Ways of editing

  @Test func recordUpdatesAndDeletionsAreCaptured() async throws {
    let store = try await makeFilled()
    try await store.database.write { db in
      var task = try #require(try Task.fetchOne(db, id: 1))
      task.title = "edited"
      try task.update(db)
      try Task.deleteOne(db, id: 2)
    }
    #expect(try await store.edits("Task") == ["update 1 title", "delete 2"])
  }

  @Test func editsBySQLAreCaptured() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET votes = votes + 1")
    try await store.run("INSERT INTO Task (id, title, votes, isExpanded) VALUES (9, 'nine', 0, 0)")
    #expect(try await store.edits("Task") == ["update 1 votes", "update 2 votes", "insert 9"])
  }

  @Test func insertWithGeneratedRowidIsCaptured() async throws {
    let store = try await makeFilled()
    try await store.run("INSERT INTO Task (title, votes, isExpanded) VALUES ('new', 0, 0)")
    #expect(try await store.edits("Task") == ["insert 3"])
    #expect(try await store.entryCount("Task") == 1)
  }

  @Test func insertOrReplaceIsCapturedAsAnUpdate() async throws {
    let store = try await makeFilled()
    try await store.run(
      "INSERT OR REPLACE INTO Task (id, title, votes, isExpanded, project) VALUES (1, 'replaced', 0, 0, 1)")
    #expect(try await store.edits("Task").map { $0.prefix(14) } == ["update 1 title"])
  }

  @Test func upsertIsCapturedAsInsertOrUpdate() async throws {
    let store = try await makeFilled()
    try await store.run(
      """
      INSERT INTO Task (id, title, votes, isExpanded) VALUES (1, 'x', 0, 0), (7, 'seven', 0, 0)
      ON CONFLICT (id) DO UPDATE SET title = excluded.title
      """)
    #expect(try await store.edits("Task") == ["update 1 title", "insert 7"])
  }

  @Test func identityChangeIsCapturedAsDeleteAndInsert() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET id = 20 WHERE id = 2")
    #expect(try await store.edits("Task") == ["delete 2", "insert 20"])
  }

  @Test func replacedOneToOnePartnerIsCapturedAsDeleted() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "a"}]"#, as: Project.self)
    try await store.sync(payload: #"[{"id": "p", "number": "1", "project_id": 1}]"#, as: Passport.self)
    try await store.run("INSERT OR REPLACE INTO Passport (id, number, project) VALUES ('q', '2', 1)")
    #expect(try await store.edits("Passport") == ["delete p", "insert q"])
  }

  @Test func linkChangesAreCapturedAsEditsOfTheOwner() async throws {
    let store = try await makeFilled()
    try await store.run("DELETE FROM \"Task.tags\" WHERE source = 1 AND target = 2")
    try await store.run("INSERT INTO \"Task.tags\" (source, target) VALUES (2, 3)")
    #expect(try await store.edits("Task") == ["update 1 tags", "update 2 tags"])
  }

  @Test func cascadingDeletionIsCaptured() async throws {
    let store = try await makeFilled()
    let step = UUID().uuidString
    try await store.sync(payload: #"[{"id": "\#(step)", "text": "s", "task_id": 2}]"#, as: Step.self)
    try await store.run("DELETE FROM Task WHERE id = 2")
    #expect(try await store.edits("Step") == ["delete \(step)"])
    // The link to a project that is deleted is cleared.
    try await store.run("DELETE FROM Project WHERE id = 1")
    #expect(try await store.edits("Task") == ["delete 2", "update 1 project"])
  }

  @Test func editsOfParentScopedRowsAreCaptured() async throws {
    let store = try await makeFilled()
    try await store.sync(
      payload: #"[{"id": 1, "name": "s"}]"#, as: Seat.self, parent: 1, relationship: \.task)
    try await store.sync(
      payload: #"[{"id": 1, "name": "t"}]"#, as: Seat.self, parent: 2, relationship: \.task)
    try await store.run("UPDATE Seat SET name = 'x' WHERE task = 2")
    try await store.run("INSERT INTO Seat (id, task) VALUES (2, 1)")
    #expect(try await store.edits("Seat") == ["update 1 of 2 name", "insert 2 of 1"])
  }

  @Test func editsByUserTriggersAreCaptured() async throws {
    let store = try await makeFilled()
    try await store.run(
      """
      CREATE TRIGGER count_votes AFTER UPDATE OF title ON Task
      BEGIN UPDATE Task SET votes = votes + 1 WHERE id = NEW.id; END
      """)
    try await store.run("UPDATE Task SET title = 'x' WHERE id = 1")
    #expect(try await store.edits("Task") == ["update 1 title votes"])
  }

  @Test func editsByAnotherConnectionAreCaptured() async throws {
    let folder = TemporaryFolder()
    let store = try makeStore(in: folder)
    try await store.sync(payload: #"[{"id": 1, "name": "a"}]"#, as: Project.self)
    let other = try DatabaseQueue(path: store.database.path)
    try await other.write { try $0.execute(sql: "UPDATE Project SET name = 'x'") }
    #expect(try await store.edits("Project") == ["update 1 name"])
  }

  // MARK: What an edit is

  @Test func repeatedEditsOfARowAreOneChange() async throws {
    let store = try await makeFilled()
    for title in 1...50 { try await store.run("UPDATE Task SET title = ? WHERE id = 1", ["\(title)"]) }
    try await store.run("UPDATE Task SET votes = 3 WHERE id = 1")
    #expect(try await store.edits("Task") == ["update 1 title votes"])
    #expect(try await store.entryCount("Task") == 1)
  }

  @Test func revertedEditsAreNotPending() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'x' WHERE id = 1")
    try await store.run("UPDATE Task SET title = 'one' WHERE id = 1")
    try await store.run("INSERT INTO Task (id, title, votes, isExpanded) VALUES (9, 'nine', 0, 0)")
    try await store.run("DELETE FROM Task WHERE id = 9")
    #expect(try await store.edits("Task") == [])
    // The entries end with the next sync that writes.
    try await store.sync(
      payload: #"[{"id": 2, "title": "changed"}]"#, as: Task.self, deletionPolicy: DeletionPolicy.none)
    #expect(try await store.entryCount("Task") == 0)
  }

  @Test func deletedAndReinsertedRowIsAnUpdate() async throws {
    let store = try await makeFilled()
    try await store.run("DELETE FROM Task WHERE id = 2")
    try await store.run(
      "INSERT INTO Task (id, title, votes, isExpanded, project) VALUES (2, 'again', 0, 0, 1)")
    #expect(try await store.edits("Task") == ["update 2 title"])
  }

  @Test func editedNewRowIsStillAnInsert() async throws {
    let store = try await makeFilled()
    try await store.run("INSERT INTO Task (id, title, votes, isExpanded) VALUES (9, 'nine', 0, 0)")
    try await store.run("UPDATE Task SET title = 'x' WHERE id = 9")
    #expect(try await store.edits("Task") == ["insert 9"])
  }

  @Test func reformattedJSONIsNoEdit() async throws {
    let store = try await makeFilled()
    try await store.sync(
      item:
        #"{"id": 1, "title": "one", "due": "2026-05-01T10:00:00Z", "details": {"a": 1}, "updated_at": "2026-02-01T00:00:00Z"}"#,
      as: Task.self)
    try await store.run("UPDATE Task SET details = '{ \"a\" : 1 }' WHERE id = 1")
    #expect(try await store.edits("Task") == [])
  }

  /// GRDB cuts strings at a NUL, and Swift's `==` treats canonically equivalent strings as equal.
  @Test func stringsAreComparedByteByByte() async throws {
    let store = try await makeFilled()
    try await store.sync(
      payload: #"[{"id": 1, "name": "a\u0000b"}, {"id": 2, "name": "\u00e9"}]"#, as: Project.self)
    try await store.run("UPDATE Project SET name = name")
    #expect(try await store.edits("Project") == [])
    try await store.run("UPDATE Project SET name = 'a' || char(0) || 'c' WHERE id = 1")
    try await store.run("UPDATE Project SET name = 'e' || char(0x301) WHERE id = 2")
    #expect(try await store.edits("Project") == ["update 1 name", "update 2 name"])
  }

  /// Stamps, and what is not exported, stay on this device.
  @Test func stampsAndUnexportedPropertiesAreNotCaptured() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET isExpanded = 1, updatedAt = '2030-01-01 00:00:00.000'")
    #expect(try await store.edits("Task") == [])
    #expect(try await store.entryCount("Task") == 0)
  }

  @Test func editsOfModelsWithoutOfflineAreNotCaptured() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Tag SET name = 'x'")
    #expect(try await store.database.read { try !$0.tableExists("syncline_edit_Tag") })
  }
}
