import Foundation
import GRDB
import TestSupport
import Testing

@testable import Syncline

/// Pushes of several models until nothing is left (contract, section 13).
@Suite struct DrainTests {
  /// A server that answers each request as it is told, and writes down what it got.
  private actor Server {
    struct Lost: Error {}

    private(set) var log: [String] = []
    private(set) var keys: [String] = []
    private var answers: [Int?]

    init(_ answers: [Int?] = []) { self.answers = answers }

    func answer<Model>(_ change: SyncPendingChange<Model>) throws -> SyncPushOutcome<Model> {
      log.append("\(change.method) \(Model.databaseTableName) \(change.id)")
      keys.append(change.key)
      let answer = answers.isEmpty ? 200 : answers.removeFirst()
      guard let answer else { throw Lost() }
      return SyncPushOutcome(status: answer, for: change)
    }
  }

  /// Time passes only when somebody sleeps.
  private final class TestClock: Clock, @unchecked Sendable {
    struct Instant: InstantProtocol {
      var time: Swift.Duration
      func advanced(by duration: Swift.Duration) -> Instant { Instant(time: time + duration) }
      func duration(to other: Instant) -> Swift.Duration { other.time - time }
      static func < (left: Instant, right: Instant) -> Bool { left.time < right.time }
    }

    private let lock = NSLock()
    private var time = Swift.Duration.zero
    var now: Instant { lock.withLock { Instant(time: time) } }
    let minimumResolution = Swift.Duration.zero
    var slept: Swift.Duration { now.time }

    func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
      try _Concurrency.Task.checkCancellation()
      lock.withLock { time = max(time, deadline.time) }
    }
  }

  private func makeFilled() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "a"}]"#, as: Project.self)
    try await store.sync(payload: #"[{"id": 1, "title": "one", "project_id": 1}]"#, as: Task.self)
    return store
  }

  @discardableResult
  private func drain(
    _ store: SyncContainer, _ server: Server, _ clock: TestClock = TestClock(),
    retry: SyncPushRetry = .exponential()
  ) async throws -> SyncPushReport {
    try await store.drainPendingChanges(retry: retry, clock: clock) {
      SyncPush(Task.self) { try await server.answer($0) }
      SyncPush(Project.self) { try await server.answer($0) }
      SyncPush(Step.self) { try await server.answer($0) }
    }
  }

  @Test func ownersAreSentFirstAndDeletionsLast() async throws {
    let store = try await makeFilled()
    try await store.run("DELETE FROM Task WHERE id = 1")
    try await store.run("DELETE FROM Project WHERE id = 1")
    try await store.run("INSERT INTO Task (id, title, votes, isExpanded) VALUES (9, 'new', 0, 0)")
    try await store.run("INSERT INTO Project (id, name) VALUES (8, 'new')")
    try await store.run("UPDATE Task SET project = 8 WHERE id = 9")
    let server = Server()
    let report = try await drain(store, server)
    #expect(await server.log == ["POST Project 8", "POST Task 9", "DELETE Task 1", "DELETE Project 1"])
    #expect(report.confirmed == 4 && report.sent == 4)
    #expect(try await !store.hasPendingChanges())
  }

  @Test func unansweredChangeIsRetriedWithTheSameKey() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let (server, clock) = (Server([nil, 503, 200]), TestClock())
    let report = try await drain(store, server, clock)
    #expect(await server.log.count == 3)
    #expect(await Set(server.keys).count == 1)
    #expect(clock.slept > .milliseconds(900) && clock.slept < .seconds(10))
    #expect(report.confirmed == 1 && report.unanswered == 2 && report.errors.count == 1)
    #expect(try await store.entryCount("Task") == 0)
  }

  // MARK: Rows that cannot be read

  /// A store with two edited tasks. One has a value that its property cannot read.
  private func makeUnreadable() async throws -> SyncContainer {
    let store = try await makeFilled()
    try await store.sync(item: #"{"id": 2, "title": "two"}"#, as: Task.self)
    try await store.run("UPDATE Task SET title = 'mine', votes = 'many' WHERE id = 1")
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 2")
    try await store.run("UPDATE Project SET name = 'mine' WHERE id = 1")
    return store
  }

  private func checkUnreadable(_ errors: [any Error]) {
    #expect(errors.count == 1)
    guard case SyncError.unreadableRow("Task", let reason)? = errors.first else {
      Issue.record("\(errors)")
      return
    }
    #expect(reason.contains("“votes”") && reason.hasSuffix("in the row 1"), "\(reason)")
  }

  @Test func changeOfAnUnreadableRowIsReportedAndOthersAreSent() async throws {
    let store = try await makeUnreadable()
    let server = Server()
    let report = try await drain(store, server)
    #expect(await server.log == ["PATCH Project 1", "PATCH Task 2"])
    #expect(report.sent == 2 && report.confirmed == 2 && report.unanswered == 0)
    checkUnreadable(report.errors)
    #expect(try await store.text("SELECT sentKind FROM syncline_edit_Task WHERE key = 1") == nil)
    #expect(try await store.entryCount("Task") == 1)
    try await store.run("UPDATE Task SET votes = 3 WHERE id = 1")
    #expect(try await drain(store, server).confirmed == 1)
    #expect(try await !store.hasPendingChanges())
  }

  /// Rounds for other changes do not repeat the error.
  @Test func unreadableRowIsReportedOnce() async throws {
    let store = try await makeUnreadable()
    let report = try await drain(store, Server([nil, nil]))
    #expect(report.confirmed == 2 && report.unanswered == 2)
    checkUnreadable(report.errors.filter { !($0 is Server.Lost) })
  }

  @Test func batchLeavesOutUnreadableRows() async throws {
    let store = try await makeUnreadable()
    let report = try await store.withPendingChanges(for: Task.self) { changes in
      #expect(changes.map(\.id) == [2])
      return [2: .confirmed]
    }
    #expect(report.confirmed == 1)
    checkUnreadable(report.errors)
    let rest = try await store.withPendingChanges(for: Task.self) { _ in
      Issue.record("there is nothing to send")
      return [:]
    }
    checkUnreadable(rest.errors)
  }

  @Test func retryDelayOfTheServerIsRespected() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let clock = TestClock()
    let attempts = Attempts()
    try await store.drainPendingChanges(clock: clock) {
      SyncPush(Task.self) { _ in
        await attempts.next() == 1 ? .retry(after: .seconds(60)) : .confirmed
      }
    }
    #expect(clock.slept >= .seconds(60))
    #expect(try await !store.hasPendingChanges())
  }

  /// Another change of the round takes long.
  @Test func retryDelayBeginsWithTheAnswer() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Project SET name = 'mine' WHERE id = 1")
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let clock = TestClock()
    let (projects, tasks) = (Attempts(), Attempts())
    try await store.drainPendingChanges(clock: clock) {
      SyncPush(Project.self) { _ in
        guard await projects.next() == 1 else { return .confirmed }
        try await clock.sleep(for: .seconds(40))
        throw Server.Lost()
      }
      SyncPush(Task.self) { _ in
        guard await tasks.next() > 1 else { return .retry(after: .seconds(30)) }
        #expect(clock.slept > .seconds(69))
        return .confirmed
      }
    }
    #expect(await tasks.next() == 3)
  }

  private actor Attempts {
    private var count = 0
    func next() -> Int {
      count += 1
      return count
    }
  }

  @Test func unreachableServerEndsTheDrainAfterAllRounds() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let report = try await drain(
      store, Server([nil, nil, nil, nil]), retry: .exponential(rounds: 3))
    #expect(report.unanswered == 3 && report.confirmed == 0)
    #expect(try await store.pendingChanges(for: Task.self).map(\.state) == [.sent])
    #expect(try await store.pendingChanges(for: Task.self).map(\.attempts) == [3])
  }

  @Test func otherChangesAreSentAfterARejection() async throws {
    let store = try await makeFilled()
    try await store.run("INSERT INTO Project (id, name) VALUES (8, 'bad')")
    try await store.run("INSERT INTO Task (id, title, votes, isExpanded, project) VALUES (9, 'new', 0, 0, 8)")
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    // It is tried once more at the end.
    let server = Server([422, 200, 422])
    let report = try await drain(store, server)
    #expect(await server.log == ["POST Project 8", "PATCH Task 1", "POST Project 8"])
    #expect(report.rejected == 2 && report.confirmed == 1)
    // What refers to the rejected row waits.
    #expect(try await store.pendingChanges(for: Task.self).map(\.state) == [.waiting])
  }

  @Test func rejectedInsertIsRetriedAfterADeletion() async throws {
    let store = try await makeFilled()
    try await store.run("DELETE FROM Project WHERE id = 1")
    try await store.run("INSERT INTO Project (id, name) VALUES (2, 'a')")
    let server = Server([422, 200, 200, 200])
    try await drain(store, server)
    #expect(await server.log == ["POST Project 2", "PATCH Task 1", "DELETE Project 1", "POST Project 2"])
    #expect(try await !store.hasPendingChanges())
  }

  @Test func editsMadeDuringADrainAreSentInTheSameDrain() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'first' WHERE id = 1")
    let attempts = Attempts()
    try await store.drainPendingChanges(clock: TestClock()) {
      SyncPush(Task.self) { _ in
        if await attempts.next() == 1 { try await store.run("UPDATE Task SET title = 'second' WHERE id = 1") }
        return .confirmed
      }
    }
    #expect(await attempts.next() == 3)
    #expect(try await store.entryCount("Task") == 0)
  }

  @Test func repeatedConflictsEndInARejection() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let attempts = Attempts()
    let report = try await store.drainPendingChanges(clock: TestClock()) {
      SyncPush(Task.self) { _ in
        let number = await attempts.next()
        return .conflict(with: Data(#"{"id": 1, "title": "their \#(number)"}"#.utf8))
      }
    }
    #expect(report.conflicts > 0 && report.rejected > 0)
    #expect(await attempts.next() < 12)
    #expect(try await store.pendingChanges(for: Task.self).map(\.state) == [.rejected])
  }

  @Test func cancelledDrainLosesNoEdits() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    // The server never answers: only the cancellation ends the wait.
    let (answers, server) = AsyncStream.makeStream(of: SyncPushOutcome<Task>.self)
    let task = _Concurrency.Task {
      try await store.drainPendingChanges {
        SyncPush(Task.self) { _ in
          for await answer in answers { return answer }
          throw CancellationError()
        }
      }
    }
    while try await store.pendingChanges(for: Task.self).first?.state != .sent {
      await _Concurrency.Task.yield()
    }
    task.cancel()
    await #expect(throws: SyncError.self) { try await task.value }
    server.finish()
    try await drain(store, Server())
    #expect(try await !store.hasPendingChanges())
  }

  /// `URLSession` throws an error of its own when its task is cancelled.
  @Test func urlSessionCancellationCancelsTheDrain() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let task = _Concurrency.Task {
      try await store.drainPendingChanges {
        SyncPush(Task.self) { _ in
          while !_Concurrency.Task.isCancelled { await _Concurrency.Task.yield() }
          throw URLError(.cancelled)
        }
      }
    }
    while try await store.pendingChanges(for: Task.self).first?.state != .sent {
      await _Concurrency.Task.yield()
    }
    task.cancel()
    await #expect(throws: SyncError.cancelled) { try await task.value }
  }

  @Test func storeWithoutOfflineModelsHasNothingToSendOrDiscard() async throws {
    let store = try TextStore("model Note { id: Int; text: String }")
    try await store.sync(#"[{"id": 1, "text": "a"}]"#)
    let report = try await store.container.drainPendingChanges {}
    #expect(report.sent == 0 && report.errors.isEmpty)
    try await store.container.discardAllPendingChanges()
    #expect(try await store.rows("SELECT * FROM Note") == ["1 a"])
  }
}
