import Foundation
import GRDB
import TestSupport
import Testing

@testable import Syncline

/// What is sent, and what the server's answers do (contract, section 13).
@Suite struct PushTests {
  private func makeFilled() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, as: Project.self)
    try await store.sync(payload: #"[{"id": 1}, {"id": 2}, {"id": 3}]"#, as: Tag.self)
    try await store.sync(
      payload: """
        [{"id": 1, "title": "one", "votes": 1, "project_id": 1, "tag_ids": [1, 2]}, \
        {"id": 2, "title": "two", "votes": 2, "project_id": 1, "tag_ids": []}]
        """, as: Task.self)
    return store
  }

  private func insert(_ id: Int, project: Int? = nil, in store: SyncContainer) async throws {
    try await store.run(
      "INSERT INTO Task (id, title, votes, isExpanded, project) VALUES (?, 'new', 0, 0, ?)", [id, project])
  }

  /// Sends all that can be sent of the tasks, with one outcome for all.
  @discardableResult
  private func push(
    _ store: SyncContainer, _ outcome: @escaping (SyncPendingChange<Task>) -> SyncPushOutcome<Task>?
  ) async throws -> [SyncPendingChange<Task>] {
    var sent: [SyncPendingChange<Task>] = []
    try await store.withPendingChanges(for: Task.self) { changes in
      sent = changes
      var outcomes: [Task.ID: SyncPushOutcome<Task>] = [:]
      for change in changes { outcomes[change.id] = outcome(change) }
      return outcomes
    }
    return sent
  }

  // MARK: What is sent

  @Test func pendingChangesDescribeEachEdit() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine', isExpanded = 1 WHERE id = 1")
    try await store.run("INSERT INTO \"Task.tags\" (source, target) VALUES (1, 3)")
    try await store.run("DELETE FROM Task WHERE id = 2")
    try await insert(9, project: 2, in: store)
    let changes = try await store.pendingChanges(for: Task.self)
    #expect(changes.map(\.kind) == [.update, .insert, .delete])
    #expect(changes.map(\.id) == [1, 9, 2])
    #expect(changes.map(\.method) == ["PATCH", "POST", "DELETE"])
    #expect(changes[0].properties == ["title", "tags"])
    #expect(changes[0].row?.title == "mine" && changes[0].base?.title == "one")
    #expect(
      changes.map { String(decoding: $0.body, as: UTF8.self) } == [
        #"{"title":"mine","tag_ids":[1,2,3]}"#,
        #"{"id":9,"title":"new","votes":0,"details":null,"due":null,"project_id":2,"tag_ids":[]}"#, "",
      ])
    #expect(try await store.hasPendingChanges())
  }

  @Test func pendingChangesThrowForModelsWithoutOffline() async throws {
    let store = try await makeFilled()
    await #expect(throws: SyncError.self) { try await store.pendingChanges(for: Tag.self) }
  }

  @Test func newRowsAreSentAfterTheRowsTheyReference() async throws {
    let store = try await makeFilled()
    try await store.run("INSERT INTO Project (id, name) VALUES (9, 'new')")
    try await insert(9, project: 9, in: store)
    try await store.run("INSERT INTO Step (id, text, task) VALUES (?, 's', 9)", [UUID()])
    // The task refers to a project that the server does not have.
    #expect(try await push(store) { _ in .confirmed }.isEmpty)
    try await store.withPendingChanges(for: Project.self) { [$0[0].id: .confirmed] }
    #expect(try await push(store) { _ in .confirmed }.map(\.id) == [9])
    #expect(try await store.pendingChanges(for: Step.self).count == 1)
  }

  @Test func rowsThatAreDeletedWithTheirOwnerAreNotSent() async throws {
    let store = try await makeFilled()
    try await store.sync(
      payload: #"[{"id": "\#(UUID().uuidString)", "text": "s", "task_id": 1}]"#, as: Step.self)
    try await store.run("DELETE FROM Task WHERE id = 1")
    #expect(try await store.pendingChanges(for: Step.self).isEmpty)
    #expect(try await store.pendingChanges(for: Task.self).map(\.kind) == [.delete])
  }

  // MARK: Answers

  @Test func confirmedChangeIsNoLongerPending() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    try await store.run("DELETE FROM Task WHERE id = 2")
    try await insert(9, in: store)
    let sent = try await push(store) { _ in .confirmed }
    #expect(Set(sent.map(\.key)).count == 3)
    #expect(try await store.entryCount("Task") == 0)
    #expect(try await !store.hasPendingChanges())
    #expect(try await store.rows("SELECT id, title FROM Task ORDER BY id") == ["1 mine", "9 new"])
  }

  @Test func theRowInAnAnswerIsSynced() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    try await push(store) { _ in
      .confirmedWith(
        Data(#"{"id": 1, "title": "Mine", "votes": 5, "updated_at": "2026-03-01T00:00:00Z"}"#.utf8))
    }
    #expect(try await store.rows("SELECT title, votes FROM Task WHERE id = 1") == ["Mine 5"])
    #expect(try await store.entryCount("Task") == 0)
  }

  @Test func unansweredChangeIsResentUnchanged() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    struct Lost: Error {}
    var keys: [String] = []
    for _ in 0..<3 {
      await #expect(throws: Lost.self) {
        try await store.withPendingChanges(for: Task.self) { changes in
          keys.append(changes[0].key)
          #expect(String(decoding: changes[0].body, as: UTF8.self) == #"{"title":"mine"}"#)
          throw Lost()
        }
      }
      try await store.run("UPDATE Task SET title = title || '!' WHERE id = 1")
    }
    #expect(Set(keys).count == 1)
    #expect(
      try await store.pendingState(
        of: try #require(try await store.database.read { try Task.fetchOne($0, id: 1) })) == .sent)
    // What was edited since is sent after the answer.
    try await push(store) { _ in .confirmed }
    let sent = try await push(store) { _ in .confirmed }
    #expect(sent.map { String(decoding: $0.body, as: UTF8.self) } == [#"{"title":"mine!!!"}"#])
    #expect(sent[0].key != keys[0])
    #expect(try await store.entryCount("Task") == 0)
  }

  @Test func rejectedChangeIsResentOnlyAfterAnEdit() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = '' WHERE id = 1")
    try await push(store) { _ in .rejected("the title is empty") }
    let change = try await store.pendingChanges(for: Task.self)
    #expect(change.map(\.state) == [.rejected] && change.map(\.reason) == ["the title is empty"])
    #expect(try await push(store) { _ in .confirmed }.isEmpty)
    try await store.run("UPDATE Task SET title = 'x' WHERE id = 1")
    #expect(try await push(store) { _ in .confirmed }.map(\.properties) == [["title"]])
    #expect(try await store.entryCount("Task") == 0)
  }

  @Test func aRejectedChangeIsRetried() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'x' WHERE id = 1")
    try await push(store) { _ in .rejected("no") }
    try await store.retry(try #require(try await store.pendingChanges(for: Task.self).first))
    #expect(try await push(store) { _ in .confirmed }.count == 1)
  }

  @Test func conflictReappliesTheEditToTheServersRow() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let first = try await push(store) { _ in
      .conflict(with: Data(#"{"id": 1, "title": "theirs", "votes": 6}"#.utf8))
    }
    #expect(try await store.rows("SELECT title, votes FROM Task WHERE id = 1") == ["mine 6"])
    let second = try await push(store) { _ in .confirmed }
    #expect(second.map(\.base?.title) == ["theirs"] && first[0].key != second[0].key)
    #expect(try await store.entryCount("Task") == 0)
  }

  @Test func aLateAnswerChangesNothing() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let sent = try await push(store) { _ in .confirmed }
    try await store.run("UPDATE Task SET title = 'again' WHERE id = 1")
    var report = SyncPushReport()
    try await store.record(.confirmed, of: sent[0], at: 0, in: &report)
    #expect(try await store.edits("Task") == ["update 1 title"])
  }

  @Test func pushReportIsPrintedAsCounts() {
    var report = SyncPushReport()
    (report.sent, report.confirmed, report.rejected) = (3, 1, 2)
    report.problems = ["no row"]
    #expect("\(report)" == "3 sent, 1 confirmed, 2 rejected\n  no row")
  }

  // MARK: Identities

  @Test func serverIdentityReplacesTheLocalIdentity() async throws {
    let store = try await makeFilled()
    try await insert(-1, project: 1, in: store)
    try await store.run("INSERT INTO \"Task.tags\" (source, target) VALUES (-1, 3)")
    let step = UUID()
    try await store.run("INSERT INTO Step (id, text, task) VALUES (?, 's', -1)", [step])
    try await push(store) { _ in .confirmedAs(50) }
    #expect(try await store.rows("SELECT id FROM Task ORDER BY id") == ["1", "2", "50"])
    #expect(try await store.rows("SELECT target FROM \"Task.tags\" WHERE source = 50") == ["3"])
    #expect(try await store.rows("SELECT task FROM Step") == ["50"])
    #expect(try await store.entryCount("Task") == 0)
    let body = try #require(try await store.pendingChanges(for: Step.self).first?.body)
    #expect(String(decoding: body, as: UTF8.self) == #"{"id":"\#(step.uuidString)","text":"s","task_id":50}"#)
  }

  @Test func identityIsTakenFromTheRowInTheAnswer() async throws {
    let store = try await makeFilled()
    try await insert(-1, in: store)
    try await push(store) { _ in .confirmedWith(Data(#"{"id": 60, "title": "new"}"#.utf8)) }
    #expect(try await store.rows("SELECT id FROM Task ORDER BY id") == ["1", "2", "60"])
    #expect(try await store.entryCount("Task") == 0)
  }

  @Test func newRowIsMergedWithTheRowAPullInserted() async throws {
    let store = try await makeFilled()
    try await insert(-1, in: store)
    let sent = try await push(store) { _ in nil }
    try await store.run("UPDATE Task SET votes = 4 WHERE id = -1")
    try await store.sync(item: #"{"id": 70, "title": "new", "project_id": 2}"#, as: Task.self)
    var report = SyncPushReport()
    try await store.record(.confirmedAs(70), of: sent[0], at: 0, in: &report)
    #expect(try await store.rows("SELECT id, votes, project FROM Task WHERE id NOT IN (1, 2)") == ["70 4 2"])
    #expect(try await store.edits("Task") == ["update 70 votes"])
  }

  @Test func editDuringAPushAppliesToTheServersRow() async throws {
    let store = try await makeFilled()
    try await insert(-1, in: store)
    let sent = try await push(store) { _ in nil }
    try await store.run("UPDATE Task SET votes = 4 WHERE id = -1")
    var report = SyncPushReport()
    try await store.record(.confirmedAs(50), of: sent[0], at: 0, in: &report)
    let change = try #require(try await store.pendingChanges(for: Task.self).first)
    #expect(change.kind == .update && change.id == 50 && change.base?.id == 50)
    let rows = "SELECT id, title, votes FROM Task WHERE id NOT IN (1, 2)"
    try await store.sync(item: #"{"id": 50, "title": "theirs"}"#, as: Task.self)
    #expect(try await store.rows(rows) == ["50 theirs 4"])
    try await store.discard(change)
    #expect(try await store.rows(rows) == ["50 theirs 0"])
    #expect(try await store.entryCount("Task") == 0)
  }

  // MARK: Pulls between

  @Test func pullDuringAPushKeepsTheSentChange() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let sent = try await push(store) { _ in nil }
    // The server has not seen it yet.
    try await store.sync(item: #"{"id": 1, "title": "one", "votes": 9}"#, as: Task.self)
    #expect(try await store.rows("SELECT title, votes FROM Task WHERE id = 1") == ["mine 9"])
    // It has seen it now.
    try await store.sync(item: #"{"id": 1, "title": "mine", "votes": 9}"#, as: Task.self)
    #expect(try await store.pendingChanges(for: Task.self).map(\.state) == [.sent])
    var report = SyncPushReport()
    try await store.record(.confirmed, of: sent[0], at: 0, in: &report)
    #expect(try await store.entryCount("Task") == 0)
  }

  // MARK: Giving up

  @Test func discardingRestoresTheBase() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    try await store.run("DELETE FROM \"Task.tags\" WHERE source = 1")
    try await store.run("DELETE FROM Task WHERE id = 2")
    try await insert(9, in: store)
    for change in try await store.pendingChanges(for: Task.self) { try await store.discard(change) }
    #expect(try await store.rows("SELECT id, title, votes FROM Task ORDER BY id") == ["1 one 1", "2 two 2"])
    #expect(try await store.rows("SELECT target FROM \"Task.tags\" ORDER BY 1") == ["1", "2"])
    #expect(try await store.entryCount("Task") == 0)
  }

  @Test func stringsWithNULAreSentAndRestoredCompletely() async throws {
    let store = try await makeFilled()
    try await store.sync(item: #"{"id": 1, "title": "a\u0000b"}"#, as: Task.self)
    try await store.run("UPDATE Task SET title = 'a' || char(0) || 'c' WHERE id = 1")
    let sent = try #require(try await push(store) { _ in .rejected("no") }.first)
    #expect(String(decoding: sent.body, as: UTF8.self) == #"{"title":"a\u0000c"}"#)
    #expect(sent.row?.title == "a\0c" && sent.base?.title == "a\0b")
    try await store.run("DELETE FROM Task WHERE id = 1")
    try await store.discard(try #require(try await store.pendingChanges(for: Task.self).first))
    #expect(try await store.text("SELECT hex(title) FROM Task WHERE id = 1") == "610062")
  }

  @Test func discardingADeletionRestoresCascadedRows() async throws {
    let store = try await makeFilled()
    let step = UUID().uuidString
    try await store.sync(payload: #"[{"id": "\#(step)", "text": "s", "task_id": 1}]"#, as: Step.self)
    try await store.run("DELETE FROM Task WHERE id = 1")
    try await store.run("DELETE FROM Project WHERE id = 1")
    try await store.discard(try #require(try await store.pendingChanges(for: Project.self).first))
    #expect(try await store.rows("SELECT project FROM Task") == ["1"])
    try await store.discard(try #require(try await store.pendingChanges(for: Task.self).first))
    #expect(try await store.rows("SELECT task FROM Step") == ["1"])
    #expect(try await !store.hasPendingChanges())
  }

  @Test func allEditsAreDiscarded() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    try await push(store) { _ in nil }
    try await store.run("UPDATE Project SET name = 'mine'")
    try await store.discardAllPendingChanges()
    #expect(try await !store.hasPendingChanges())
    #expect(try await store.rows("SELECT title FROM Task") == ["one", "two"])
    #expect(try await store.rows("SELECT name FROM Project") == ["a", "b"])
  }

  // MARK: Following

  @Test func pendingCountIsObserved() async throws {
    let store = try await makeFilled()
    var counts = store.pendingCount(for: Task.self).makeAsyncIterator()
    #expect(try await counts.next() == 0)
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    #expect(try await counts.next() == 1)
    try await push(store) { _ in .confirmed }
    #expect(try await counts.next() == 0)
  }

  @Test(arguments: [
    (200, "", false, "confirmed"), (200, "{\"id\": 1}", false, "row"),
    (200, "{\"id\": 1}", true, "confirmed"),
    (404, "", true, "confirmed"), (404, "gone", false, "rejected"), (410, "", true, "confirmed"),
    (409, "{\"id\": 1}", false, "conflict"), (412, "no", false, "rejected"), (401, "", false, "retry"),
    (408, "", false, "retry"), (425, "", false, "retry"), (429, "", false, "retry"),
    (503, "", false, "retry"),
    (422, "bad", false, "rejected"),
  ])
  func httpStatusDeterminesThePushOutcome(
    _ status: Int, _ body: String, _ isDeletion: Bool, _ expected: String
  ) async throws {
    let store = try await makeFilled()
    try await store.run(
      isDeletion ? "DELETE FROM Task WHERE id = 1" : "UPDATE Task SET title = 'x' WHERE id = 1")
    let change = try #require(try await store.pendingChanges(for: Task.self).first)
    let outcome = SyncPushOutcome(status: status, body: Data(body.utf8), for: change)
    let name =
      switch outcome {
      case .confirmed: "confirmed"
      case .confirmedWith, .confirmedAs: "row"
      case .conflict: "conflict"
      case .rejected: "rejected"
      case .retry: "retry"
      case .pause: "pause"
      }
    #expect(name == expected)
  }
}
