import Foundation
import SynclineTesting
import Testing

@testable import Syncline

/// Blocking calls in closures in which they would wait for themselves.
@Suite struct ReentrantCallTests {
  private let folder = TemporaryFolder()

  /// Stores with a database in memory, a pool and a queue.
  private func stores() async throws -> [SyncContainer] {
    let queue = try DatabaseQueue(path: folder.file("queue.sqlite").path)
    let stores = [
      try makeStore(), try makeStore(in: folder),
      try SyncContainer(for: SynclineTestsSchema.self, storage: .database(queue)),
    ]
    for store in stores { try await store.sync(payload: #"[{"id": 1, "name": "n"}]"#, as: Tag.self) }
    return stores
  }

  private static let calls: [(String, @Sendable (SyncContainer) throws -> Void)] = [
    ("export(_:)", { _ = try $0.export(Tag(id: 1, name: "n")) }),
    ("export(as:)", { _ = try $0.export(as: Tag.self) }),
    ("exportData(as:)", { _ = try $0.exportData(as: Tag.self) }),
    ("cursor(for:)", { _ = try $0.cursor(for: Tag.self) }),
    ("validator(for:)", { _ = try $0.validator(for: Tag.self) }),
    ("check()", { _ = try $0.check() }),
  ]

  private static func expectReentrantCalls(of store: SyncContainer) {
    for (name, call) in calls {
      #expect("\(name)") {
        try call(store)
      } throws: {
        if case SyncError.reentrantCall = $0 { true } else { false }
      }
    }
  }

  @Test func blockingCallsWithinAReadOrAWriteThrow() async throws {
    for store in try await stores() {
      try await store.database.read { _ in Self.expectReentrantCalls(of: store) }
      try await store.database.write { _ in Self.expectReentrantCalls(of: store) }
      // On another store, and without a transaction, the calls succeed.
      for (_, call) in Self.calls { try call(store) }
      try await store.database.writeWithoutTransaction { _ in
        for (_, call) in Self.calls { try call(store) }
      }
    }
  }

  @Test func blockingCallsWithinAProgressHandlerThrow() async throws {
    for store in try await stores() {
      let asked = Mailbox()
      try await store.sync(payload: #"[{"id": 1, "name": "m"}]"#, as: Tag.self) { progress in
        guard progress.phase != .finished else { return }
        Self.expectReentrantCalls(of: store)
        asked.count()
      }
      #expect(asked.total > 0)
      #expect(try store.pick(Tag.self, "name") == [["m"]])
    }
  }

  /// A thread in a write transaction of one store can read another store.
  @Test func blockingCallsWithinAWriteOfAnotherStoreSucceed() async throws {
    let stores = try await stores()
    let (other, outer) = (stores[1], stores[0])
    try await outer.database.write { _ in
      for (_, call) in Self.calls { try call(other) }
    }
  }

  @Test @MainActor func readingImmediatelyWithinAWriteIsAnError() async throws {
    for store in try await stores() {
      let write = { try store.database.write { _ in Self.publishers(of: store) } }
      let (rows, row) = try write()
      for error in [rows.error, row.error] {
        guard case SyncError.reentrantCall = try #require(error) else {
          Issue.record("\(String(describing: error))")
          continue
        }
      }
      #expect(rows.rows.isEmpty && row.row == nil)
    }
  }

  /// GRDB runs a blocking write on the thread of its caller.
  nonisolated private static func publishers(of store: SyncContainer) -> (
    SyncQueryPublisher<Tag>, SyncModelPublisher<Tag>
  ) {
    MainActor.assumeIsolated {
      (
        SyncQueryPublisher(Tag.self, in: store, readsImmediately: true),
        SyncModelPublisher(Tag.self, id: 1, in: store, readsImmediately: true)
      )
    }
  }

  /// The call has left the queue before `onSync` runs, so a closure that waits for another sync does not block it.
  @Test func onSyncRunsAfterTheCallHasLeftTheQueue() async throws {
    let counts = Mailbox()
    let holder = Holder()
    let configuration = SyncConfiguration(onSync: { _ in
      counts.add(holder.container?.store.queue.count ?? -1)
    })
    let container = try SynclineTestsSchema.makeStore(in: nil, configuration)
    holder.container = container
    try await container.sync(payload: #"[{"id": 1, "name": "n"}]"#, as: Tag.self)
    await #expect(throws: SyncError.self) { try await container.sync(payload: "[7]", as: Tag.self) }
    #expect(counts.values == [0, 0])
  }
}

/// Numbers that closures report.
private final class Mailbox: @unchecked Sendable {
  private let lock = NSLock()
  private var all: [Int] = []

  var values: [Int] { lock.withLock { all } }
  var total: Int { values.reduce(0, +) }

  func add(_ value: Int) { lock.withLock { all.append(value) } }
  func count() { add(1) }
}

private final class Holder: @unchecked Sendable {
  weak var container: SyncContainer?
}
