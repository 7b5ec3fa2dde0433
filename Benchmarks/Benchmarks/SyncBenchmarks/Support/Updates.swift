import Foundation
import GRDB
import Syncline

/// Records the times at which a follower was notified.
final class Updates<Value: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var count = 0
  private var last = ContinuousClock.now
  private var tasks: [_Concurrency.Task<Void, Never>] = []
  private var observation: AnyDatabaseCancellable?

  init() {}

  deinit { for task in tasks { task.cancel() } }

  /// Follows a list and reads from it, like a list on a screen.
  convenience init<Model>(
    _ rows: SyncValues<SyncRows<Model>>, _ touch: @escaping @Sendable (SyncRows<Model>) -> Value?
  ) {
    self.init()
    follow(rows) { _ = touch($0) }
  }

  convenience init(noticesOf container: SyncContainer) {
    self.init()
    let notices = container.changes()
    // There is no first notification to wait for.
    tell()
    follow(notices)
  }

  func follow<Results: AsyncSequence & Sendable>(
    _ results: Results, _ take: @escaping @Sendable (Results.Element) -> Void = { _ in }
  ) {
    tasks.append(
      _Concurrency.Task.detached { [weak self] in
        do {
          for try await result in results {
            take(result)
            self?.tell()
          }
        } catch {}
      })
  }

  /// Observes with GRDB, which fetches all rows again.
  convenience init(
    observing database: any DatabaseWriter, _ fetch: @escaping @Sendable (Database) throws -> [Value]
  ) {
    self.init()
    observation = ValueObservation.tracking(fetch).start(
      in: database, scheduling: .async(onQueue: .global()), onError: { _ in },
      onChange: { [weak self] _ in self?.tell() })
  }

  private func tell() {
    let now = ContinuousClock.now
    condition.withLock {
      count += 1
      last = now
      condition.broadcast()
    }
  }

  /// Waits for a total number of notifications, and returns the time of the last one.
  @discardableResult
  func wait(for wanted: Int) async -> ContinuousClock.Instant {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        self.condition.withLock {
          while self.count < wanted { self.condition.wait() }
          continuation.resume(returning: self.last)
        }
      }
    }
  }

  var told: Int { condition.withLock { count } }
}
