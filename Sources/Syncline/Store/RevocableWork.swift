import Foundation

/// Work with an awaited result. If the task is cancelled before the work has begun, the wait ends at once, and the work never runs.
final class RevocableWork<Success: Sendable>: @unchecked Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Success, any Error>)
    case begun(CheckedContinuation<Success, any Error>)
    case ended
  }

  private let lock = NSLock()
  private var state = State.new

  /// Starts the work, and awaits its result.
  ///
  /// - Throws: the work's error, or `CancellationError` when the task is cancelled before the work has begun.
  func result(
    _ start: () -> Void, onCancel: @Sendable @escaping () -> Void = {}
  ) async throws -> Success {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isRevoked = lock.withLock {
          if case .ended = state { return true }
          state = .waiting(continuation)
          return false
        }
        if isRevoked { continuation.resume(throwing: CancellationError()) } else { start() }
      }
    } onCancel: {
      revoke()
      onCancel()
    }
  }

  /// Begins the work; false if it was cancelled. From here on, a cancellation does not end the wait.
  func begin() -> Bool {
    lock.withLock {
      guard case .waiting(let continuation) = state else { return false }
      state = .begun(continuation)
      return true
    }
  }

  /// Ends the wait with a result, if it has not ended.
  func end(with result: Result<Success, any Error>) { end { _ in true }?.resume(with: result) }

  private func revoke() {
    end { if case .begun = $0 { false } else { true } }?.resume(throwing: CancellationError())
  }

  /// Ends the work if its state allows it.
  ///
  /// - Returns: the continuation that awaits the result; nil if there is none.
  private func end(if isAllowed: (State) -> Bool) -> CheckedContinuation<Success, any Error>? {
    lock.withLock {
      guard isAllowed(state) else { return nil }
      defer { state = .ended }
      switch state {
      case .new, .ended: return nil
      case .waiting(let continuation), .begun(let continuation): return continuation
      }
    }
  }
}
