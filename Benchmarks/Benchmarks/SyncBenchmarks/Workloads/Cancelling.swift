import Foundation
import Syncline

/// The time from the cancellation of a sync of 100,000 rows to its end, at different moments of the sync.
enum Cancelling {
  static func register() {
    let payload = Lazy { ArticleData.payload(rows: 1...100_000) }
    let empty: @Sendable () async throws -> Store = {
      _ = try payload.value()
      return try Store()
    }
    let moments = Moments()
    workloadWithOwnStart("12 cancelling a sync of 100k rows", .syncline, iterations: 100, prepare: empty) {
      store, start in
      let bytes = try payload.value()
      let task = _Concurrency.Task { try await store.container.sync(payload: bytes, as: Article.self) }
      // Between 10 and 200 ms into the sync.
      try await _Concurrency.Task.sleep(for: .milliseconds(moments.next()))
      start()
      task.cancel()
      guard case .failure(SyncError.cancelled) = await task.result else { throw NotCancelled() }
    } left: { store in
      try await store.database.read { try Article.fetchCount($0) }
    }
  }
}

/// Thrown if a sync ended before it was cancelled, so that nothing was measured.
struct NotCancelled: Error {}

/// Different moments within a sync.
private final class Moments: @unchecked Sendable {
  private let lock = NSLock()
  private var current = 0

  func next() -> Int {
    lock.withLock {
      current = (current + 37) % 190
      return 10 + current
    }
  }
}
