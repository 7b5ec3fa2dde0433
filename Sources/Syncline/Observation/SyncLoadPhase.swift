/// The phase of a load or of a submission.
public enum SyncLoadPhase: Sendable, Hashable {
  /// No load has begun, or the load was cancelled before any load had ended.
  case idle
  /// A load is running.
  case loading
  /// The last load succeeded. The rows include all changes of the load.
  case loaded
  /// The last load failed, for this reason.
  case failed(String)

  /// Whether a load is running.
  public var isLoading: Bool { self == .loading }
}

/// What happens to a load that is requested while one is running.
public enum SyncLoadMode: Sendable, Hashable {
  /// The call waits for the running load. If that was cancelled, a new one begins.
  case joining
  /// The running load is cancelled, and a new one begins.
  case replacing
}
