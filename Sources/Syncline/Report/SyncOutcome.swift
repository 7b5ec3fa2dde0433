/// The outcome of a sync call, for logs, metrics and traces. A call that throws because of its arguments has none.
///
/// ```swift
/// configuration.onSync = { outcome in print(outcome.model, outcome.duration, outcome.isCancelled) }
/// ```
public struct SyncOutcome: Sendable {
  /// The model of the call.
  public let model: String
  /// The report, or the error.
  public let result: Result<SyncReport, any Error>
  /// How long the call waited for its turn, in seconds.
  public let waiting: Double
  /// How long the call took after that, in seconds.
  public let duration: Double

  /// Whether the call was cancelled.
  public var isCancelled: Bool {
    if case .failure(SyncError.cancelled) = result { true } else { false }
  }
}
