import GRDB

extension SyncError {
  /// The error that a sync or an export throws for what went wrong in it. What the user's own code, constraints and triggers
  /// throw is left as it is.
  static func ofSync(_ error: any Error, isCancelled: Bool) -> any Error {
    switch error {
    case is CancellationError: SyncError.cancelled
    case let error as DatabaseError where isCancelled && error.isInterruption: SyncError.cancelled
    case let error as DatabaseError: SyncError(storageFailure: error) ?? error
    default: error
    }
  }

  /// The error for a store that SQLite could not read or write; nil for other errors of the database.
  init?(storageFailure error: DatabaseError) {
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: self = .storeBusy(reason: error.summary)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .storeCorrupted(reason: error.summary)
    case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
      self = .storeUnavailable(reason: error.summary)
    default: return nil
    }
  }
}

extension DatabaseError {
  /// Whether the file itself is of no use.
  var isCorruption: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }

  /// Whether it may be the cancellation of the task that ended what was done.
  fileprivate var isInterruption: Bool {
    resultCode == .SQLITE_INTERRUPT || resultCode == .SQLITE_ABORT || resultCode == .SQLITE_BUSY
  }

  /// SQLite's code, its extended code where that says more, and its message.
  var summary: String {
    let code = resultCode.rawValue
    let extended = extendedResultCode.rawValue
    return "SQLite error \(code)\(extended == code ? "" : " (\(extended))")"
      + (message.map { ": \($0)" } ?? "")
  }
}
