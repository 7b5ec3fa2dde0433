import Foundation

/// How far a load is, or a submission.
public enum SyncLoadPhase: Sendable, Hashable {
  /// Nothing was begun, or it was cancelled before anything had ended.
  case idle
  /// It runs.
  case loading
  /// The last one ended well. What a load has committed is among the rows.
  case loaded
  /// The last one failed, for this reason.
  case failed(String)

  /// Whether one runs.
  public var isLoading: Bool { self == .loading }
}

/// What becomes of a load that is asked for while one runs.
public enum SyncLoadMode: Sendable, Hashable {
  /// The one that runs counts for it.
  case joining
  /// The one that runs is cancelled, and the new one begins.
  case replacing
}

extension SyncLoadPhase {
  /// The phase after a failure.
  init(failure error: any Error) {
    self = .failed((error as? any LocalizedError)?.errorDescription ?? String(describing: error))
  }
}
