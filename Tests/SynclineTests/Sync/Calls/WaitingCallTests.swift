import Foundation
@testable import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Calls that wait for other calls, for the writer, or for the lock of another connection.
@Suite struct WaitingCallTests {
  private let folder = TemporaryFolder()
  private static let label: SyncJSON = ["id": "a", "name": "n"]

  /// Starts a call and cancels it after a number of steps, so that it is cancelled at different points of waiting.
  private func cancelledCall(_ container: SyncContainer, after steps: Int) async {
    let task = _Concurrency.Task { try await container.sync(item: WaitingCallTests.label, as: Label.self) }
    for _ in 0..<steps { await _Concurrency.Task.yield() }
    task.cancel()
    await #expect(throws: SyncError.cancelled) { try await task.value }
  }

  /// Cancels calls while the store is blocked, and checks afterwards that nothing of them is stored.
  private func expectCancellable(_ container: SyncContainer, whileHeldUntil end: () throws -> Void)
    async throws
  {
    for steps in [0, 1, 2, 5, 20, 100, 500] { await cancelledCall(container, after: steps) }
    // A first call waits for the store, later calls wait in the queue.
    let payload = AnnouncedPayload(WaitingCallTests.label)
    let first = _Concurrency.Task { try await container.sync(item: payload, as: Label.self) }
    await payload.isRead()
    for steps in [0, 5, 50] { await cancelledCall(container, after: steps) }
    first.cancel()
    await #expect(throws: SyncError.cancelled) { try await first.value }
    try end()
    let next: SyncJSON = ["id": "next", "name": "n"]
    try await container.sync(item: next, as: Label.self)
    #expect(try container.pick(Label.self, "id") == [["next"]])
  }

  @Test func cancelledCallDoesNotWaitForAnOngoingWrite() async throws {
    for container in [try makeStore(), try makeStore(in: folder)] {
      let write = await HeldWrite(in: container.database)
      try await expectCancellable(container) { write.end() }
    }
  }

  @Test(arguments: [true, false]) func aCancelledCallDoesNotWaitForTheLockOfAnotherConnection(
    isPool: Bool
  ) async throws {
    let file = try folder.file("a.sqlite")
    var configuration = Configuration()
    // The timeout is long enough for the cancellation to come first on any machine.
    configuration.busyMode = .timeout(100_000)
    let database: any DatabaseWriter =
      try isPool
      ? DatabasePool(path: file.path, configuration: configuration)
      : DatabaseQueue(path: file.path, configuration: configuration)
    let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .database(database))
    let lock = try LockHolder(file)
    try await expectCancellable(container) { try lock.release() }
    // The setting of the app is restored.
    let timeout = try await database.writeWithoutTransaction { db in
      try Int.fetchOne(db, sql: "PRAGMA busy_timeout")
    }
    #expect(timeout == 100_000_000)
  }

  @Test func aCallThatIsCancelledBeforeItBeginsDoesNotWait() async throws {
    let container = try makeStore()
    let place = container.store.queue.take()
    let task = _Concurrency.Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await container.sync(item: WaitingCallTests.label, as: Label.self)
    }
    await #expect(throws: SyncError.cancelled) { try await task.value }
    place.leave()
  }

  @Test func lockHeldBeyondBusyTimeoutThrowsStoreBusy() async throws {
    for (name, busyMode) in [("a", Database.BusyMode.immediateError), ("b", .timeout(0.05))] {
      let file = try folder.file("\(name).sqlite")
      var configuration = Configuration()
      configuration.busyMode = busyMode
      let pool = try DatabasePool(path: file.path, configuration: configuration)
      let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .database(pool))
      let lock = try LockHolder(file)
      await #expect(throws: SyncError.storeBusy(reason: "SQLite error 5: database is locked")) {
        try await container.sync(item: WaitingCallTests.label, as: Label.self)
      }
      try lock.release()
      try await container.sync(item: WaitingCallTests.label, as: Label.self)
    }
  }

  private func nestedRows(_ number: Int) -> SyncJSON {
    .rows(50, from: number * 50) { row in
      [
        "id": .number(row), "title": "T", "project": ["id": .number(row), "name": "P"],
        "tags": [["id": .number(row), "name": "G"]],
      ]
    }
  }

  /// Cancels calls, which are concurrent or sequential, after a random number of steps. Calls that returned are stored, calls
  /// that threw are not.
  @Test(.enabled(if: TestKind.thorough.runs), arguments: 0..<2, [true, false])
  func cancelledCallsStoreNothing(seed: Int, isAtOnce: Bool) async throws {
    var random = SeededGenerator(seed: seed)
    for container in [try makeStore(), try makeStore(in: folder)] {
      var tasks: [_Concurrency.Task<Int, any Error>] = []
      for number in 0..<(isAtOnce ? 100 : 40) {
        let rows = nestedRows(number)
        let task = _Concurrency.Task {
          try await container.sync(payload: rows, as: Task.self, deletionPolicy: .none)[Task.self].inserted
        }
        tasks.append(task)
        guard random.chance(75) else { continue }
        let steps = Int.random(in: 0..<5_000, using: &random)
        let cancellation = _Concurrency.Task {
          for _ in 0..<steps { await _Concurrency.Task.yield() }
          task.cancel()
        }
        if !isAtOnce {
          await cancellation.value
          _ = await task.result
        }
      }
      var stored = 0
      for task in tasks {
        switch await task.result {
        case .success(let count): stored += count
        case .failure(let error): #expect(error as? SyncError == .cancelled)
        }
      }
      let counts = try await container.database.read { db in
        [try Task.fetchCount(db), try Project.fetchCount(db), try Tag.fetchCount(db)]
      }
      #expect(counts == [stored, stored, stored])
      #expect(container.store.queue.count == 0)
    }
  }
}
