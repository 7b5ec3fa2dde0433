import Foundation

/// The syncs of one store, in the order of their calls.
///
/// A call takes a ticket without suspending, and awaits its turn afterwards. Every ticket is returned, even after an error. No
/// lock is held meanwhile.
final class SyncQueue: @unchecked Sendable {
  /// A call's position in the queue.
  struct Ticket: Sendable {
    fileprivate let queue: SyncQueue
    fileprivate let number: UInt64

    /// Waits until all earlier calls have left the queue.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled while earlier calls are in the queue.
    func turn() async throws {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { queue.await(number, $0) }
      } onCancel: {
        queue.cancel(number)
      }
    }

    /// Leaves the queue, so that the next call has its turn.
    func leave() {
      queue.leave(number)
    }
  }

  private enum Entry {
    case taken
    case awaiting(CheckedContinuation<Void, any Error>)
  }

  private let key: StoreKey?
  private let lock = NSLock()
  /// The calls that have not left, by their numbers.
  private var entries: [UInt64: Entry] = [:]
  /// The number of the call whose turn it is; the next number if the queue is empty.
  private var current: UInt64 = 0
  private var next: UInt64 = 0

  /// - Parameter key: the store that shares the queue; nil for a queue of one container.
  init(of key: StoreKey? = nil) {
    self.key = key
  }

  deinit { if let key { OpenStores.shared.forget(key) } }

  /// The number of calls that have not left.
  var count: Int { lock.withLock { entries.count } }

  func take() -> Ticket {
    lock.withLock {
      defer { next &+= 1 }
      entries[next] = .taken
      return Ticket(queue: self, number: next)
    }
  }

  private func await(_ number: UInt64, _ continuation: CheckedContinuation<Void, any Error>) {
    let result: Result<Void, any Error>? = lock.withLock {
      if number == current { return .success(()) }
      // A cancelled call has left.
      guard entries[number] != nil else { return .failure(CancellationError()) }
      entries[number] = .awaiting(continuation)
      return nil
    }
    if let result { continuation.resume(with: result) }
  }

  private func cancel(_ number: UInt64) {
    let entry: Entry? = lock.withLock { number == current ? nil : entries.removeValue(forKey: number) }
    if case .awaiting(let continuation) = entry { continuation.resume(throwing: CancellationError()) }
  }

  private func leave(_ number: UInt64) {
    let entry: Entry? = lock.withLock {
      entries[number] = nil
      guard number == current else { return nil }
      repeat { current &+= 1 } while current < next && entries[current] == nil
      guard let entry = entries[current] else { return nil }
      entries[current] = .taken
      return entry
    }
    if case .awaiting(let continuation) = entry { continuation.resume() }
  }
}
