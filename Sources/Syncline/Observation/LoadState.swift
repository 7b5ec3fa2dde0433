import Foundation
import Observation

/// Runs work on request, one run at a time, and reports its phase.
@MainActor @Observable
final class LoadState<Input: Sendable> {
  private(set) var phase = SyncLoadPhase.idle
  private(set) var error: (any Error)?

  @ObservationIgnored private let work: @Sendable (Input) async throws -> Void
  @ObservationIgnored private let caughtUp: @Sendable () async -> Void
  @ObservationIgnored private let receive: @MainActor () -> Void
  @ObservationIgnored private var running: Run?
  /// The phase to return to after a cancellation.
  @ObservationIgnored private var settledPhase = SyncLoadPhase.idle

  /// One run of the work.
  @MainActor
  private final class Run {
    let task: _Concurrency.Task<Result<Void, any Error>, Never>
    var waiting = 0
    private var left = 0

    init(_ task: _Concurrency.Task<Result<Void, any Error>, Never>) {
      self.task = task
    }

    /// Waits for the end. If all waiting tasks are cancelled, the work is cancelled.
    func end() async -> Result<Void, any Error> {
      waiting += 1
      return await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        _Concurrency.Task { @MainActor in self.leave() }
      }
    }

    private func leave() {
      left += 1
      if left == waiting { task.cancel() }
    }
  }

  /// - Parameters:
  ///   - work: the function to run.
  ///   - caughtUp: waits until the commits of the work have been read.
  ///   - receive: delivers what was read, before the phase changes.
  init(
    _ work: @escaping @Sendable (Input) async throws -> Void,
    caughtUp: @escaping @Sendable () async -> Void = {}, receive: @escaping @MainActor () -> Void = {}
  ) {
    self.work = work
    self.caughtUp = caughtUp
    self.receive = receive
  }

  /// Runs the work, and waits for its end.
  func run(_ input: Input, _ mode: SyncLoadMode) async {
    if let running, mode == .joining, !running.task.isCancelled {
      return finish(running, await running.end())
    }
    running?.task.cancel()
    let run = Run(
      _Concurrency.Task { [work, caughtUp] in
        let result: Result<Void, any Error>
        do { result = .success(try await work(input)) } catch { result = .failure(error) }
        // In a cancelled task, it would not wait.
        await _Concurrency.Task { await caughtUp() }.value
        return result
      })
    running = run
    phase = .loading
    finish(run, await run.end())
  }

  /// How many callers have waited for the current run.
  var waiting: Int { running?.waiting ?? 0 }

  func cancel() { running?.task.cancel() }

  private func finish(_ run: Run, _ result: Result<Void, any Error>) {
    // Another run has replaced it, or another waiting caller was first.
    guard running === run else { return }
    running = nil
    receive()
    switch result {
    case .success:
      (settledPhase, error) = (.loaded, nil)
    // Each library has its own cancellation error.
    case .failure where run.task.isCancelled: break
    case .failure(let failure) where failure is CancellationError || failure as? SyncError == .cancelled:
      break
    case .failure(let failure):
      let reason = (failure as? any LocalizedError)?.errorDescription ?? String(describing: failure)
      (settledPhase, error) = (.failed(reason), failure)
    }
    phase = settledPhase
  }
}

extension ChangeHub {
  /// Waits until the followers have read all commits before the call, or the task is cancelled.
  func caughtUp() async {
    let reads = ElementBuffer<Void>()
    whenCaughtUp { reads.add(()) }
    _ = await reads.next()
  }
}
