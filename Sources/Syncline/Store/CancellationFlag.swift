import Foundation

/// A flag that is set when a call's task is cancelled, and checked between rows.
final class CancellationFlag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false
  private var task: _Concurrency.Task<Void, Never>?

  var isSet: Bool { lock.withLock { value } }

  /// Starts a task that does the call's work. Setting the flag cancels it.
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
