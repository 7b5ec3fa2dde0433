import Foundation
import GRDB
import Logging
import Syncline

/// The overhead of a call: queueing, cancellation while it waits, and reports to operators.
enum Calling {
  static func register() {
    let empty: @Sendable () async throws -> Store = { try Store() }
    sharedWorkload(
      "26 100 calls with nothing to do, one after the other", .syncline, iterations: 100, prepare: empty
    ) {
      store, _ in
      for _ in 0..<100 { try await store.container.sync(payload: "[]", as: Article.self) }
    }
    // The transaction itself, and the check of the store's schema.
    sharedWorkload(
      "26 100 calls with nothing to do, one after the other", .floor, iterations: 100, prepare: empty
    ) {
      store, _ in
      for _ in 0..<100 {
        try await store.database.writeWithoutTransaction { db in
          try db.inTransaction(.immediate) {
            _ = try String.fetchOne(
              db.cachedStatement(sql: "SELECT fingerprint FROM syncline_schema WHERE id = 1"))
            return .rollback
          }
        }
      }
    }
    workloadWithOwnStart(
      "26 cancelling a call that waits for its turn", .syncline, iterations: 200, prepare: empty
    ) {
      store, start in
      let (isOver, hold) = (DispatchSemaphore(value: 0), DispatchGroup())
      hold.enter()
      Thread.detachNewThread {
        store.database.writeWithoutTransaction { _ in
          hold.leave()
          isOver.wait()
        }
      }
      hold.wait()
      let item = ArticleData.item(1, isChanged: false)
      let first = _Concurrency.Task { try await store.container.sync(item: item, as: Article.self) }
      let second = _Concurrency.Task { try await store.container.sync(item: item, as: Article.self) }
      try await _Concurrency.Task.sleep(for: .milliseconds(5))
      start()
      second.cancel()
      guard case .failure(SyncError.cancelled) = await second.result else { throw NotCancelled() }
      // The first call continues by itself.
      isOver.signal()
      withExtendedLifetime(first) {}
    } left: { store in
      try await store.database.read { try Article.fetchCount($0) }
    }
    registerTold("10k unchanged rows") { store, _, progress in
      try await store.sync(payload: list.value(), as: Article.self, progress: progress)
    }
    registerTold("100 changed items") { store, iteration, progress in
      for row in 1...100 {
        try await store.sync(item: items.value()[(iteration + row) % 2], as: Article.self, progress: progress)
      }
    }
  }

  private static let list = Lazy { ArticleData.payload(rows: 1...10_000) }
  private static let items = Lazy { [false, true].map { ArticleData.item(1, isChanged: $0) } }

  /// Syncs with a log, metrics and a progress bar, and the same syncs without them.
  private static func registerTold(
    _ name: String, sync: @escaping @Sendable (SyncContainer, Int, SyncProgress.Handler?) async throws -> Void
  ) {
    let told = Told()
    var operators = SyncConfiguration(onSync: { told.take($0.duration) })
    operators.logger = Logger(label: "syncline") { _ in told }
    for (contestant, configuration) in [(Contestant.syncline, operators), (.floor, SyncConfiguration())] {
      var progress: SyncProgress.Handler?
      if contestant == .syncline { progress = { told.take($0.fraction) } }
      let handler = progress
      sharedWorkload("26 \(name), with logs, metrics and progress", contestant, iterations: 100) {
        let store = try Store(configuration)
        try await store.container.sync(payload: list.value(), as: Article.self)
        return store
      } work: { store, iteration in
        try await sync(store.container, iteration, handler)
      }
    }
  }
}

/// A log handler that keeps its last message, and a sum of reported values.
private final class Told: LogHandler, @unchecked Sendable {
  private let lock = NSLock()
  private var text = ""
  private var sum = 0.0
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func take(_ value: Double) { lock.withLock { sum += value } }

  func log(event: LogEvent) {
    lock.withLock { text = "\(event.level) \(event.message) \(event.metadata ?? [:])" }
  }
}
