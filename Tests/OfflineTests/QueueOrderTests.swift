import Foundation
import GRDB
import TestSupport
import Testing

@testable import Syncline

/// The order of the queue where rows belong to each other (contract, section 13; offline edits, *Order*).
@Suite struct QueueOrderTests {
  private let taskID = 1
  private let stepID = "00000000-0000-0000-0000-000000000001"

  private func makeFilled() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "one"}, {"id": 2, "title": "two"}]"#, as: Task.self)
    try await store.sync(
      payload: #"[{"id": "\#(stepID)", "text": "a", "task_id": 1}]"#, as: Step.self)
    return store
  }

  /// Sends everything, and returns the requests with their bodies.
  private func drain(_ store: SyncContainer) async throws -> [String] {
    let log = Log()
    try await store.drainPendingChanges {
      SyncPush(Task.self) { await log.confirm($0) }
      SyncPush(Step.self) { await log.confirm($0) }
      SyncPush(Person.self) { await log.confirm($0) }
      SyncPush(Team.self) { await log.confirm($0) }
    }
    #expect(try await !store.hasPendingChanges())
    return await log.lines
  }

  private actor Log {
    private(set) var lines: [String] = []

    func confirm<Model>(_ change: SyncPendingChange<Model>) -> SyncPushOutcome<Model> {
      let body = String(decoding: change.body, as: UTF8.self)
      lines.append("\(change.method) \(Model.databaseTableName) \(body)".trimmingCharacters(in: .whitespaces))
      return .confirmed
    }
  }

  // MARK: Deletions

  @Test func editedChildDeletedWithItsOwnerIsNotSent() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Step SET text = 'mine'")
    try await store.run("DELETE FROM Task WHERE id = 1")
    #expect(try await store.edits("Step").count == 1)
    #expect(try await store.pendingChanges(for: Step.self).isEmpty)
    #expect(try await drain(store) == ["DELETE Task"])
    #expect(try await store.entryCount("Step") == 0)
  }

  @Test func childDeletedBeforeItsOwnerIsSentFirst() async throws {
    let store = try await makeFilled()
    try await store.run("DELETE FROM Step")
    try await store.run("DELETE FROM Task WHERE id = 1")
    #expect(try await drain(store) == ["DELETE Step", "DELETE Task"])
  }

  @Test func childDeletionIsSentIfTheOwnerIsReinserted() async throws {
    let store = try await makeFilled()
    try await store.run("DELETE FROM Task WHERE id = 1")
    try await store.run("INSERT INTO Task (id, title, votes, isExpanded) VALUES (1, 'one', 0, 0)")
    #expect(try await drain(store) == ["DELETE Step"])
  }

  @Test func discardedDeletionRestoresEditedChildRows() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Step SET text = 'mine'")
    try await store.run("DELETE FROM Task WHERE id = 1")
    for change in try await store.pendingChanges(for: Task.self) { try await store.discard(change) }
    #expect(try await store.text("SELECT text FROM Step") == "a")
    #expect(try await !store.hasPendingChanges())
  }

  @Test func discardedNewRowReturnsItsChildren() async throws {
    let store = try await makeFilled()
    try await store.run("INSERT INTO Task (id, title, votes, isExpanded) VALUES (9, 'new', 0, 0)")
    try await store.run("UPDATE Step SET task = 9, text = 'mine'")
    let change = try #require(try await store.pendingChanges(for: Task.self).first)
    try await store.discard(change)
    #expect(try await store.rows("SELECT task, text FROM Step") == ["1 mine"])
    #expect(try await store.edits("Step").map { $0.suffix(4) } == ["text"])
  }

  @Test func allEditsAreDiscarded() async throws {
    let store = try await makeFilled()
    try await store.sync(
      payload: #"[{"id": 1, "name": "a", "friend_id": 2}, {"id": 2, "name": "b", "friend_id": 1}]"#,
      as: Person.self)
    let before = try await store.rows("SELECT * FROM Person") + store.rows("SELECT * FROM Task")
    try await store.run("DELETE FROM Person")
    try await store.run("DELETE FROM Task WHERE id = 1")
    try await store.run("INSERT INTO Person (id, name) VALUES (3, 'new')")
    try await store.run("UPDATE Task SET title = 'mine'")
    try await store.discardAllPendingChanges()
    #expect(try await store.rows("SELECT * FROM Person") + store.rows("SELECT * FROM Task") == before)
    #expect(try await store.text("SELECT text FROM Step") == "a")
    #expect(try await !store.hasPendingChanges())
  }

  // MARK: Rings

  @Test func firstRowOfACycleIsSentWithoutItsLink() async throws {
    let store = try makeStore()
    try await store.run("INSERT INTO Person (id, name) VALUES (1, 'a'), (2, 'b')")
    try await store.run("UPDATE Person SET friend = 3 - id")
    #expect(
      try await drain(store) == [
        #"POST Person {"id":1,"name":"a","friend_id":null,"team_id":null}"#,
        #"POST Person {"id":2,"name":"b","friend_id":1,"team_id":null}"#,
        #"PATCH Person {"friend_id":2}"#,
      ])
  }

  @Test func cycleOfTwoModelsEndsWithAPatch() async throws {
    let store = try makeStore()
    try await store.database.write { database in
      try database.execute(
        sql: """
          INSERT INTO Team (id, name, captain) VALUES (1, 'red', 5);
          INSERT INTO Person (id, name, team) VALUES (5, 'a', 1), (6, 'b', 1);
          """)
    }
    let log = try await drain(store)
    #expect(log.count == 4)
    #expect(Set(log.map { $0.prefix(11) }).contains("POST Team {"))
    #expect(log.last?.hasPrefix("PATCH") == true)
  }

  @Test func selfReferencingRowIsSentInOneRequest() async throws {
    let store = try makeStore()
    try await store.run("INSERT INTO Person (id, name, friend) VALUES (1, 'a', 1)")
    #expect(
      try await drain(store) == [#"POST Person {"id":1,"name":"a","friend_id":1,"team_id":null}"#])
  }

  @Test func rowsOfALongChainAreSentInOrder() async throws {
    let store = try makeStore()
    try await store.database.write { database in
      for id in 1...300 {
        try database.execute(
          sql: "INSERT INTO Person (id, name, friend) VALUES (?, 'p', ?)",
          arguments: [id, id < 300 ? id + 1 : nil])
      }
    }
    let log = try await drain(store)
    #expect(log.count == 300)
    #expect(log.first?.contains(#""id":300"#) == true && log.last?.contains(#""id":1,"#) == true)
  }

  // MARK: Other programs

  /// What this program sent is sent again at once, what another one sent after a minute.
  @Test func changesSentByAnotherProcessAreNotResentAtOnce() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    try await store.withPendingChanges(for: Task.self) { _ in [:] }
    let own = try #require(try await store.pendingChanges(for: Task.self).first)
    #expect(try await sent(store) == [own.key])
    let other = "ffffffff" + own.key.dropFirst(8)
    try await store.run("UPDATE syncline_edit_Task SET pushKey = ?", [other])
    #expect(try await sent(store).isEmpty)
    // The clock was set back since.
    try await store.run("UPDATE syncline_edit_Task SET sentAt = sentAt + 1000")
    #expect(try await sent(store) == [other])
    try await store.run("UPDATE syncline_edit_Task SET sentAt = sentAt - 61")
    #expect(try await sent(store) == [other])
  }

  /// The keys that are sent, none of which is answered.
  private func sent(_ store: SyncContainer) async throws -> [String] {
    var keys: [String] = []
    try await store.withPendingChanges(for: Task.self) { changes in
      keys = changes.map(\.key)
      return [:]
    }
    return keys
  }

  // MARK: All models

  @Test func pendingChangesOfAllModelsAreListedInOrder() async throws {
    let store = try await makeFilled()
    try await store.database.write { database in
      try database.execute(
        sql: """
          INSERT INTO Team (id, name) VALUES (1, 'red');
          INSERT INTO Person (id, name, team) VALUES (5, 'a', 1);
          UPDATE Task SET title = 'mine' WHERE id = 2;
          DELETE FROM Task WHERE id = 1;
          """)
    }
    func states() async throws -> [String] {
      try await store.pendingChanges().map { "\($0.model) \($0.kind) \($0.id) \($0.properties) \($0.state)" }
    }
    #expect(
      try await Set(states()) == [
        #"Task update 2 ["title"] pending"#, #"Team insert 1 ["name", "captain"] pending"#,
        #"Person insert 5 ["name", "friend", "team"] pending"#, "Task delete 1 [] pending",
      ])
    #expect(try await states().last == "Task delete 1 [] pending")
    // What refers to a new row waits for the answer about it.
    try await store.withPendingChanges(for: Team.self) { _ in [:] }
    let person = try await store.database.read { try #require(try Person.fetchOne($0)) }
    #expect(try await store.pendingState(of: person) == .waiting)
    #expect(try await states().contains(#"Person insert 5 ["name", "friend", "team"] waiting"#))
    try await store.withPendingChanges(for: Team.self) { _ in [1: .rejected("no")] }
    #expect(try await store.pendingState(of: person) == .waiting)
    #expect(try await store.pendingChanges(for: Team.self).map(\.state) == [.rejected])
  }

  // MARK: Rows that are gone

  @Test func rowDeletedOnTheServerCanBeSentAsAnInsert() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 2")
    try await store.sync(payload: #"[{"id": 1, "title": "one"}]"#, as: Task.self)
    let change = try #require(try await store.pendingChanges(for: Task.self).first)
    #expect(change.isGone && change.kind == .update)
    try await store.withPendingChanges(for: Task.self) { _ in [2: .rejected("gone")] }
    let rejected = try #require(try await store.pendingChanges(for: Task.self).first)
    try await store.retry(rejected, as: .insert)
    let again = try #require(try await store.pendingChanges(for: Task.self).first)
    #expect(again.kind == .insert && !again.isGone && again.state == .pending)
    #expect(String(decoding: again.body, as: UTF8.self).contains(#""id":2,"title":"mine""#))
  }

  // MARK: Views

  @MainActor @Test func pendingStatesArePublished() async throws {
    let store = try await makeFilled()
    let publisher = SyncPendingPublisher(Task.self, in: store)
    var values = store.pendingEdits(for: Task.self).makeAsyncIterator()
    #expect(try await values.next()?.isEmpty == true)
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let edits = try #require(try await values.next())
    let tasks = try await store.database.read { try Task.order(sql: "id").fetchAll($0) }
    #expect(edits.count == 1 && tasks.map { edits[$0] } == [.pending, nil])
    try await store.withPendingChanges(for: Task.self) { _ in [1: .rejected("no")] }
    while let edits = try await values.next(), edits.rejected.isEmpty {}
    while publisher.edits.rejected.map(\.reason) != ["no"] { await _Concurrency.Task.yield() }
    #expect(publisher.isLoaded && publisher.error == nil && publisher.edits[tasks[0]] == .rejected)
  }

  @Test func pendingStateIsLookedUpWithinTheParentScope() async throws {
    let store = try await makeFilled()
    for task in [1, 2] {
      try await store.sync(
        payload: #"[{"id": 1, "name": "a"}]"#, as: Seat.self, parent: task, relationship: \.task)
    }
    try await store.run("UPDATE Seat SET name = 'mine' WHERE task = 2")
    var values = store.pendingEdits(for: Seat.self).makeAsyncIterator()
    let edits = try #require(try await values.next())
    let seats = try await store.database.read { try Seat.order(sql: "task").fetchAll($0) }
    #expect(seats.map { edits[$0] } == [nil, .pending])
  }
}
