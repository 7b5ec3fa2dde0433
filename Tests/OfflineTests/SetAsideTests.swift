import Foundation
import TestSupport
import Testing

@testable import Syncline

/// Edited rows that a sync sets aside, and rows that want one partner (contract, section 13).
@Suite struct SetAsideTests {
  private func makeFilled() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "one"}, {"id": 2, "title": "two"}]"#, as: Task.self)
    return store
  }

  @Test func rowThatTheServerMovedToADeletedOwnerStaysAside() async throws {
    let store = try await makeFilled()
    let id = UUID().uuidString
    try await store.sync(payload: #"[{"id": "\#(id)", "text": "s", "task_id": 1}]"#, as: Step.self)
    try await store.run("UPDATE Step SET text = 'mine'")
    try await store.run("DELETE FROM Task WHERE id = 2")
    let moved = #"[{"id": "\#(id)", "text": "s", "task_id": 2}]"#
    for payload in [moved, moved, #"{"id": "\#(id)", "text": "s"}"#, moved] {
      let report =
        payload.hasPrefix("{")
        ? try await store.sync(item: payload, as: Step.self)
        : try await store.sync(payload: payload, as: Step.self)
      #expect(report[Step.self].inserted == 0 && report[Step.self].kept == 1)
      #expect(try await store.rows("SELECT * FROM Step") == [])
      #expect(try await store.edits("Step") == ["update \(id) aside"])
    }
    // It comes back with its owner.
    try await store.discard(try #require(try await store.pendingChanges(for: Task.self).first))
    try await store.sync(payload: moved, as: Step.self)
    #expect(try await store.rows("SELECT text, task FROM Step") == ["mine 2"])
  }

  /// A store with a task that was edited or inserted, and sent, before a pull deleted its project.
  private func makeSentTask(_ sql: String) async throws -> TextStore {
    let store = try TextStore(
      """
      @Offline model Project { id: Int; name: String; tasks: [Task] }
      @Offline model Task { id: Int; title: String; project: Project }
      """)
    try await store.sync(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, as: "Project")
    try await store.sync(#"[{"id": 5, "title": "t", "project_id": 1}]"#, as: "Task")
    try await store.run(sql)
    _ = try await store.push("Task", [:])
    return store
  }

  @Test(arguments: [
    ("update", "5", "UPDATE Task SET title = 'mine'"),
    ("insert", "9", "INSERT INTO Task VALUES (9, 'new', 1)"),
  ])
  func confirmedRowGoesWithItsDeletedOwner(kind: String, id: String, sql: String) async throws {
    let store = try await makeSentTask(sql)
    try await store.sync(#"[{"id": 2, "name": "b"}]"#, as: "Project")
    #expect(try await store.pending() == ["Task \(kind) \(id) aside"])
    #expect(try await store.push("Task", [id: .confirmed]).confirmed == 1)
    #expect(try await store.pending() == [])
    #expect(try await store.rows("SELECT id FROM Task") == [])
  }

  @Test func newRowThatIsDeletedWhileItIsAsideGoesWithItsAnswer() async throws {
    let store = try await makeSentTask("INSERT INTO Task VALUES (9, 'new', 1)")
    try await store.sync(#"[{"id": 2, "name": "b"}]"#, as: "Project")
    try await store.sync(changes: #"{"deleted": [9]}"#, as: "Task")
    #expect(try await store.pending() == ["Task insert 9 aside"])
    try await store.sync(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, as: "Project")
    #expect(try await store.pending() == ["Task insert 9 sent"])
    #expect(try await store.push("Task", ["9": .confirmed]).confirmed == 1)
    #expect(try await store.pending() == [])
    #expect(try await store.rows("SELECT id FROM Task") == [])
  }

  @Test func editOfAConfirmedRowWhoseOwnerIsDeletedStaysAside() async throws {
    let store = try await makeSentTask("UPDATE Task SET title = 'mine'")
    try await store.run("UPDATE Task SET title = 'mine again'")
    try await store.sync(#"[{"id": 2, "name": "b"}]"#, as: "Project")
    #expect(try await store.push("Task", ["5": .confirmed]).confirmed == 1)
    let changes = try await store.container.pendingChanges()
    #expect(changes.map(\.state) == [.aside] && changes.map(\.isGone) == [true])
  }

  @Test func rowThatRequiresATakenPartnerStaysAside() async throws {
    let store = try TextStore(
      """
      @Offline
      model Passport {
        id: Int
        number: String?
        person: Person
      }

      @Offline
      model Person {
        id: Int
        @Relationship(inverse: \\Passport.person) passport: Passport?
      }
      """)
    try await store.sync(list: #"[{"id": 1}, {"id": 2}]"#, as: "Person")
    try await store.run("INSERT INTO Passport (id, person) VALUES (9, 1)")
    try await store.sync(list: #"[{"id": 5, "person_id": 1}]"#, as: "Passport")
    for _ in 0..<3 {
      let report = try await store.sync(list: #"[{"id": 5, "person_id": 1}]"#, as: "Passport")
      #expect(report.totals.inserted == 0 && report.totals.kept == 1)
      #expect(try await store.rows("SELECT id, person FROM Passport") == ["9 1"])
    }
    try await store.sync(list: #"[{"id": 5, "person_id": 2}]"#, as: "Passport")
    #expect(try await store.rows("SELECT id, person FROM Passport ORDER BY id") == ["5 2", "9 1"])
  }

  @Test func editedLinkKeepsThePartnerOfARowWithOtherEdits() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "a"}]"#, as: Project.self)
    try await store.sync(
      payload: #"[{"id": "p", "number": "1"}, {"id": "q", "number": "2"}]"#, as: Passport.self)
    try await store.run("UPDATE Passport SET project = 1 WHERE id = 'p'")
    try await store.run("UPDATE Passport SET number = 'mine' WHERE id = 'q'")
    try await store.sync(
      payload: #"[{"id": "p", "number": "1"}, {"id": "q", "number": "2", "project_id": 1}]"#,
      as: Passport.self)
    #expect(try await store.rows("SELECT id, project FROM Passport ORDER BY id") == ["p 1", "q -"])
    #expect(try await store.edits("Passport") == ["update p project", "update q number project"])
  }
}
