/// The outcome of a sync call, for logs, metrics and traces. There is no outcome for a call that throws because of
/// its arguments.
///
/// ```swift
/// configuration.onSync = { outcome in print(outcome.model, outcome.duration, outcome.isCancelled) }
/// ```
public struct SyncOutcome: Sendable {
  /// The model or union of the call.
  public let model: String
  /// The report, or the error.
  public let result: Result<SyncReport, any Error>
  /// The time that the call waited in the queue, in seconds.
  public let waiting: Double
  /// The time that the call took after that, in seconds.
  public let duration: Double

  /// Whether the call was cancelled.
  public var isCancelled: Bool {
    if case .failure(SyncError.cancelled) = result { true } else { false }
  }
}
