import Foundation
import TestSupport
import Testing

@testable import Syncline

/// Discarded and rejected changes, and repeated answers, in an unusual order (contract, section 13).
@Suite struct DiscardScenarioTests {
  // MARK: Discarded changes

  private static let task = #"[{"id": 5, "title": "t", "tag_ids": [1, 2]}]"#
  private static let tags = "@Offline model Tag { id: Int; name: String }"

  /// A task with two tags, of which one is deleted.
  private func makeTaskWithADeletedTag() async throws -> TextStore {
    let store = try TextStore("\(Self.tags)\n@Offline model Task { id: Int; title: String; tags: [Tag] }")
    try await store.sync(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, as: "Tag")
    try await store.sync(Self.task, as: "Task")
    try await store.run("DELETE FROM Tag WHERE id = 1")
    #expect(try await store.pending() == ["Tag delete 1 pending", "Task update 5 pending"])
    return store
  }

  @Test(arguments: [["Tag"], ["Tag", "Task"], ["Task", "Tag"]])
  func discardedDeletionRestoresTheListsThatHadTheRow(order: [String]) async throws {
    let store = try await makeTaskWithADeletedTag()
    for name in order { try await store.discardAll(of: name) }
    #expect(try await store.pending() == [])
    #expect(try await store.sync(Self.task, as: "Task").isUnchanged)
  }

  @Test(arguments: [["Project"], ["Project", "Task"], ["Task", "Project"]])
  func discardedDeletionRestoresTheLinksToTheRow(order: [String]) async throws {
    let store = try TextStore(
      """
      @Offline model Project { id: Int; name: String }
      @Offline model Task { id: Int; title: String; project: Project? }
      """)
    try await store.sync(#"[{"id": 1, "name": "a"}]"#, as: "Project")
    try await store.sync(#"[{"id": 5, "title": "t", "project_id": 1}]"#, as: "Task")
    try await store.run("DELETE FROM Project WHERE id = 1")
    for name in order { try await store.discardAll(of: name) }
    #expect(try await store.pending() == [])
    #expect(try await store.rows("SELECT id, project FROM Task") == ["5 1"])
  }

  @Test func discardingTheMoveOfARowKeepsItWhileItsFormerOwnerIsDeleted() async throws {
    let store = try TextStore(
      """
      @Offline model Project { id: Int; name: String; tasks: [Task] }
      @Offline model Task { id: Int; title: String; project: Project; subtasks: [Subtask] }
      @Offline model Subtask { id: Int; text: String; task: Task }
      """)
    try await store.sync(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, as: "Project")
    try await store.sync(#"[{"id": 5, "title": "t", "project_id": 1}]"#, as: "Task")
    try await store.sync(#"[{"id": 7, "text": "s", "task_id": 5}]"#, as: "Subtask")
    try await store.run("UPDATE Task SET project = 2, title = 'mine' WHERE id = 5")
    try await store.run("UPDATE Subtask SET text = 'mine' WHERE id = 7")
    try await store.run("DELETE FROM Project WHERE id = 1")
    try await store.discardAll(of: "Task")
    #expect(try await store.rows("SELECT id, title, project FROM Task") == ["5 t 2"])
    #expect(try await store.rows("SELECT id, text FROM Subtask") == ["7 mine"])
    try await store.discardAll(of: "Project")
    try await store.discardAll(of: "Task")
    #expect(try await store.rows("SELECT id, title, project FROM Task") == ["5 t 1"])
    #expect(try await store.pending() == ["Subtask update 7 pending"])
  }

  @Test func allChangesAreDiscardedIfOtherModelsLinkToANewRow() async throws {
    let store = try TextStore(
      """
      \(Self.tags)
      model Favorite { id: Int; tag: Tag? }
      model Note { id: Int; tag: Tag }
      model Folder { id: Int; tags: [Tag] }
      """)
    try await store.sync(#"[{"id": 1, "name": "a"}]"#, as: "Tag")
    try await store.run("INSERT INTO Tag (id, name) VALUES (-1, 'new')")
    try await store.run("UPDATE Tag SET name = 'mine' WHERE id = 1")
    try await store.run("INSERT INTO Favorite (id, tag) VALUES (1, -1)")
    try await store.run("INSERT INTO Note (id, tag) VALUES (1, -1), (2, 1)")
    try await store.sync(#"[{"id": 1, "tag_ids": [-1, 1]}]"#, as: "Folder")
    try await store.container.discardAllPendingChanges()
    #expect(try await store.pending() == [])
    #expect(try await store.rows("SELECT id, name FROM Tag") == ["1 a"])
    #expect(try await store.rows("SELECT id, tag FROM Favorite") == ["1 -"])
    #expect(try await store.rows("SELECT id, tag FROM Note") == ["2 1"])
    #expect(try await store.sync(#"[{"id": 1, "tag_ids": [1]}]"#, as: "Folder").isUnchanged)
  }

  // MARK: Rejected changes

  @Test func rejectedChangeIsNotSentAgainAfterAPullOfOtherValues() async throws {
    let store = try TextStore("@Offline model Task { id: Int; title: String; votes: Int }")
    try await store.sync(#"[{"id": 1, "title": "t", "votes": 1}]"#, as: "Task")
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let first = try await store.push("Task", ["1": .rejected("too short")])
    #expect(first.rejected == 1)
    try await store.sync(#"[{"id": 1, "title": "t", "votes": 2}]"#, as: "Task")
    #expect(try await store.push("Task", ["1": .confirmed]).sent == 0)
    #expect(try await store.pending() == ["Task update 1 rejected"])
    try await store.run("UPDATE Task SET title = 'mine, longer' WHERE id = 1")
    #expect(try await store.push("Task", ["1": .confirmed]).confirmed == 1)
    #expect(try await store.pending() == [])
  }

  /// The server has rejected the row because it has another one with the identity.
  @Test(arguments: [#"[{"id": 9, "title": "theirs"}]"#, #"{"id": 9, "title": "theirs"}"#])
  func rejectedNewRowThatIsDeletedHasNoChange(payload: String) async throws {
    let store = try TextStore("@Offline model Task { id: Int; title: String }")
    try await store.run("INSERT INTO Task (id, title) VALUES (9, 'mine')")
    #expect(try await store.push("Task", ["9": .rejected("the identity is taken")]).rejected == 1)
    try await store.run("DELETE FROM Task WHERE id = 9")
    #expect(try await store.pending() == [])
    try await store.sync(payload, as: "Task")
    #expect(try await store.rows("SELECT id, title FROM Task") == ["9 theirs"])
    #expect(try await store.pending() == [])
    #expect(try await store.rows("SELECT key FROM syncline_edit_Task") == [])
  }

  @Test func rejectedEditThatIsUndoneDoesNotKeepTheRow() async throws {
    let store = try TextStore("@Offline model Task { id: Int; title: String }")
    try await store.sync(#"[{"id": 1, "title": "t"}]"#, as: "Task")
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    #expect(try await store.push("Task", ["1": .rejected("too short")]).rejected == 1)
    try await store.run("UPDATE Task SET title = 't' WHERE id = 1")
    #expect(try await store.pending() == [])
    try await store.sync("[]", as: "Task")
    #expect(try await store.rows("SELECT id FROM Task") == [])
    #expect(try await store.pending() == [])
  }

  @Test func rejectedRowOfARingIsNotSentAgain() async throws {
    let store = try TextStore(
      "@Offline model Person { id: Int; name: String; @Relationship(inverse: nil) friend: Person? }")
    try await store.run("INSERT INTO Person (id, name) VALUES (1, 'a'), (2, 'b')")
    try await store.run("UPDATE Person SET friend = 3 - id")
    #expect(try await store.push("Person", ["1": .rejected("no")]).rejected == 1)
    #expect(try await store.push("Person", ["1": .confirmed]).sent == 0)
    try await store.run("UPDATE Person SET name = 'other' WHERE id = 1")
    #expect(try await store.push("Person", ["1": .confirmed]).confirmed == 1)
  }

  /// The second body is that of RFC 9457, which has keys of many models.
  @Test(arguments: [
    #"{"error": "exists", "code": 12}"#, #"{"title": "Conflict", "status": 409, "detail": "exists"}"#,
  ])
  func conflictWithoutARowIsARejection(body: String) async throws {
    let store = try TextStore(
      #"@Offline model Note { @PrimaryKey(madeBy: .server) id: Int; title: String = ""; status: Int? }"#)
    try await store.run("INSERT INTO Note (id, title) VALUES (-5, 'new')")
    let report = try await store.push("Note", ["-5": .conflict(body)])
    #expect(report.rejected == 1 && report.conflicts == 0)
    let changes = try await store.container.pendingChanges()
    #expect(changes.map(\.kind) == [.insert] && changes.map(\.state) == [.rejected])
    #expect(changes.first?.reason?.contains("exists") == true)
    #expect(try await store.rows("SELECT id, title, status FROM Note") == ["-5 new -"])
  }

  // MARK: Repeated answers

  @Test func unansweredNewRowIsSentAgainIfAPullHasItsUniqueValue() async throws {
    let store = try TextStore(
      "@Offline model Tag { @PrimaryKey(madeBy: .server) id: Int; @Unique name: String; color: String? }")
    try await store.run("INSERT INTO Tag (id, name) VALUES (-1, 'swift')")
    let server = AnsweringServer([.lost, .identity(50)])
    try await store.drain(["Tag"], server, rounds: 1)
    try await store.sync(#"[{"id": 50, "name": "swift", "color": "red"}]"#, as: "Tag")
    #expect(try await store.pending() == ["Tag insert -1 aside"])
    try await store.drain(["Tag"], server, rounds: 1)
    #expect(await server.log == ["POST Tag -1", "POST Tag -1"])
    #expect(try await store.rows("SELECT id, name, color FROM Tag") == ["50 swift red"])
    #expect(try await store.pending() == [])
  }

  @Test func lateAnswerWithARowChangesNothing() async throws {
    let store = try TextStore("@Offline model Task { id: Int; title: String }")
    try await store.sync(#"[{"id": 1, "title": "t"}]"#, as: "Task")
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    func send<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> SyncPushReport {
      try await store.container.withPendingChanges(for: model) { changes in
        // Meanwhile the same change is sent again and confirmed, and the row is deleted.
        _ = try await store.push("Task", ["1": .confirmed])
        try await store.run("DELETE FROM Task WHERE id = 1")
        _ = try await store.push("Task", ["1": .confirmed])
        let row = Data(#"{"id": 1, "title": "mine"}"#.utf8)
        return Dictionary(uniqueKeysWithValues: changes.map { ($0.id, .confirmedWith(row)) })
      }
    }
    let report = try await send(store.model("Task"))
    #expect(report.confirmed == 0)
    #expect(try await store.rows("SELECT id FROM Task") == [])
    #expect(try await store.pending() == [])
  }

  @Test func rowThatAPullDeletedIsDeletedWhenItsRequestIsConfirmed() async throws {
    let store = try TextStore("@Offline model Task { id: Int; title: String }")
    try await store.sync(#"[{"id": 1, "title": "t"}]"#, as: "Task")
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let server = AnsweringServer([.lost, .confirmed])
    try await store.drain(["Task"], server, rounds: 1)
    try await store.sync("[]", as: "Task")
    try await store.drain(["Task"], server, rounds: 1)
    #expect(try await store.rows("SELECT id FROM Task") == [])
    #expect(try await store.pending() == [])
  }
}
