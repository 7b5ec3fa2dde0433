/// The phase of a load or of a submission.
public enum SyncLoadPhase: Sendable, Hashable {
  /// None has begun, or it was cancelled before any had ended.
  case idle
  /// One is running.
  case loading
  /// The last one succeeded. The rows include what a load has committed.
  case loaded
  /// The last one failed, with this reason.
  case failed(String)

  /// Whether one is running.
  public var isLoading: Bool { self == .loading }
}

/// What happens to a load that is requested while one is running.
public enum SyncLoadMode: Sendable, Hashable {
  /// It joins the running one, unless that was cancelled.
  case joining
  /// The running one is cancelled, and the new one begins.
  case replacing
}
