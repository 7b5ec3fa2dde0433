import Observation

/// Work that is done now and then, one at a time, and how far it is.
@MainActor @Observable
final class LoadState<Input: Sendable> {
  private(set) var phase = SyncLoadPhase.idle
  private(set) var error: (any Error)?

  @ObservationIgnored private let work: @Sendable (Input) async throws -> Void
  @ObservationIgnored private var running: Run?
  /// The phase that a cancellation leads back to.
  @ObservationIgnored private var settledPhase = SyncLoadPhase.idle

  /// One time that the work is done.
  @MainActor
  private final class Run {
    let task: _Concurrency.Task<Result<Void, any Error>, Never>
    var waiting = 0
    private var left = 0

    init(_ task: _Concurrency.Task<Result<Void, any Error>, Never>) {
      self.task = task
    }

    /// Waits for the end. When all who wait are cancelled, the work is.
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

  init(_ work: @escaping @Sendable (Input) async throws -> Void) {
    self.work = work
  }

  /// Does the work, and waits for its end.
  func run(_ input: Input, _ mode: SyncLoadMode) async {
    if let running, mode == .joining {
      _ = await running.end()
      return
    }
    running?.task.cancel()
    let run = Run(
      _Concurrency.Task { [work] in
        do { return .success(try await work(input)) } catch { return .failure(error) }
      })
    running = run
    phase = .loading
    finish(run, await run.end())
  }

  /// How many have waited for the work that is done now.
  var waiting: Int { running?.waiting ?? 0 }

  func cancel() { running?.task.cancel() }

  private func finish(_ run: Run, _ result: Result<Void, any Error>) {
    // Another has taken its place.
    guard running === run else { return }
    running = nil
    switch result {
    case .success:
      (settledPhase, error) = (.loaded, nil)
    // Each library has an error of its own for what was cancelled.
    case .failure where run.task.isCancelled: break
    case .failure(let failure) where failure is CancellationError || failure as? SyncError == .cancelled:
      break
    case .failure(let failure):
      (settledPhase, error) = (SyncLoadPhase(failure: failure), failure)
    }
    phase = settledPhase
  }
}
