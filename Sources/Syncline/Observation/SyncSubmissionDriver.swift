import Observation

/// A submission, such as saving a form: sends what it is given, syncs the answer, and says how far it is.
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
/// While one runs, another is not sent: a button that is pressed twice submits once.
@MainActor
public final class SyncSubmissionDriver<Input: Sendable> {
  private let state: LoadState<Input>

  /// How far the submission is.
  public var phase: SyncLoadPhase { state.phase }
  /// Why the last submission failed; nil where it did not.
  public var error: (any Error)? { state.error }

  /// A driver of submissions; nothing is sent yet.
  ///
  /// - Parameter submit: sends what is submitted, and syncs the answer.
  public init(submit: @escaping @Sendable (Input) async throws -> Void) {
    state = LoadState(submit)
  }

  /// Submits, and waits for the end. When all who wait are cancelled, the submission is.
  ///
  /// - Parameters:
  ///   - input: what is submitted.
  ///   - mode: what becomes of it while a submission runs.
  public func submit(_ input: Input, _ mode: SyncLoadMode = .joining) async { await state.run(input, mode) }

  /// How many have waited for the submission that runs.
  var waiting: Int { state.waiting }

  /// Cancels the submission that runs. The phase is what it was before.
  public func cancel() { state.cancel() }
}

extension SyncSubmissionDriver: Observable {}
