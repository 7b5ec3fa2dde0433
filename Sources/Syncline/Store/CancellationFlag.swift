import Foundation

/// Set when a call's task is cancelled, and looked at between rows.
final class CancellationFlag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false
  private var task: _Concurrency.Task<Void, Never>?

  var isSet: Bool { lock.withLock { value } }

  /// Starts the task that does the call's work, to be cancelled with it.
  func start(_ work: @Sendable @escaping () async -> Void) {
    let task = _Concurrency.Task { await work() }
    let isSet = lock.withLock {
      self.task = task
      return value
    }
    if isSet { task.cancel() }
  }

  func set() {
    let task = lock.withLock {
      value = true
      return self.task
    }
    task?.cancel()
  }
}
