import Observation

/// Work that is done now and then, one at a time, and how far it is.
@MainActor @Observable
final class LoadState<Input: Sendable> {
  private(set) var phase = SyncLoadPhase.idle
  private(set) var error: (any Error)?

  @ObservationIgnored private let work: @Sendable (Input) async throws -> Void
  @ObservationIgnored private let caughtUp: @Sendable () async -> Void
  @ObservationIgnored private let receive: @MainActor () -> Void
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

  /// - Parameters:
  ///   - work: what is done.
  ///   - caughtUp: waits until what the work has committed was read.
  ///   - receive: shows what was read, before the phase says that the work has ended.
  init(
    _ work: @escaping @Sendable (Input) async throws -> Void,
    caughtUp: @escaping @Sendable () async -> Void = {}, receive: @escaping @MainActor () -> Void = {}
  ) {
    self.work = work
    self.caughtUp = caughtUp
    self.receive = receive
  }

  /// Does the work, and waits for its end.
  func run(_ input: Input, _ mode: SyncLoadMode) async {
    if let running, mode == .joining {
      return finish(running, await running.end())
    }
    running?.task.cancel()
    let run = Run(
      _Concurrency.Task { [work, caughtUp] in
        let result: Result<Void, any Error>
        do { result = .success(try await work(input)) } catch { result = .failure(error) }
        await caughtUp()
        return result
      })
    running = run
    phase = .loading
    finish(run, await run.end())
  }

  /// How many have waited for the work that is done now.
  var waiting: Int { running?.waiting ?? 0 }

  func cancel() { running?.task.cancel() }

  private func finish(_ run: Run, _ result: Result<Void, any Error>) {
    // Another load has replaced it, or another caller that waited was first.
    guard running === run else { return }
    running = nil
    receive()
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

extension ChangeHub {
  /// Waits until those who follow have read what was committed before the call, or the task is cancelled.
  func caughtUp() async {
    let reads = ElementBuffer<Void>()
    whenCaughtUp { reads.add(()) }
    _ = await reads.next()
  }
}
