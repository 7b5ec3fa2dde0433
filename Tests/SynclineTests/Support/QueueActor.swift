@preconcurrency import Dispatch

/// An actor on a separate thread, which a test may block.
actor QueueActor {
  private final class Executor: SerialExecutor {
    private let queue = DispatchQueue(label: "QueueActor")

    func enqueue(_ job: UnownedJob) {
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  private let executor = Executor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func run<Result: Sendable>(
    _ body: @Sendable (isolated QueueActor) async throws -> Result
  ) async rethrows -> Result {
    try await body(self)
  }

  func block(until semaphore: DispatchSemaphore) { semaphore.wait() }
}
