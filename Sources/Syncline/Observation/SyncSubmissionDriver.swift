import Observation

/// Runs a submission, such as saving a form: sends the input, syncs the response, and reports the phase.
///
/// ```swift
/// let saving = SyncSubmissionDriver { (draft: Task) in
///   let answer = try await api.save(try await container.export(draft))
///   try await container.sync(item: answer, as: Task.self)
/// }
/// await saving.submit(draft)
/// saving.phase   // .loaded: saved; .failed with the reason
/// ```
///
/// While a submission is running, no other is sent: if the user taps a button twice, it submits once.
@MainActor
public final class SyncSubmissionDriver<Input: Sendable> {
  private let state: LoadState<Input>

  /// The phase of the submission.
  public var phase: SyncLoadPhase { state.phase }
  /// The error of the last submission; nil if it did not fail.
  public var error: (any Error)? { state.error }

  /// Creates a driver. Nothing is sent yet.
  ///
  /// - Parameter submit: sends the input, and syncs the response.
  public init(submit: @escaping @Sendable (Input) async throws -> Void) {
    state = LoadState(submit)
  }

  /// Submits an input, and waits until the submission ends. If all waiting tasks are cancelled, the
  /// submission is cancelled.
  ///
  /// - Parameters:
  ///   - input: the value to submit.
  ///   - mode: what happens if a submission is already running. `.joining` waits for it, and does not submit `input`;
  ///     `.replacing` cancels it and submits `input`.
  public func submit(_ input: Input, _ mode: SyncLoadMode = .joining) async { await state.run(input, mode) }

  /// How many callers have waited for the running submission.
  var waiting: Int { state.waiting }

  /// Cancels the running submission. The phase returns to its previous value.
  public func cancel() { state.cancel() }
}

extension SyncSubmissionDriver: Observable {}
