import GRDB

extension SyncError {
  static let storeIsClosed = SyncError.storeUnavailable(reason: "its database was closed")

  /// The error that a sync or an export throws for an underlying error. Errors of the user's own code, constraints and triggers
  /// are returned unchanged.
  ///
  /// - Parameter model: the model of a sync; nil for an export.
  static func ofSync(_ error: any Error, of model: String? = nil, isCancelled: Bool) -> any Error {
    switch error {
    case is CancellationError: SyncError.cancelled
    case let error as DatabaseError
    where error.isInterruption
      || isCancelled && [.SQLITE_ABORT, .SQLITE_BUSY].contains(error.resultCode):
      SyncError.cancelled
    case let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG && model != nil:
      SyncError(RowProblem(model: model ?? "", reason: .tooLong))
    case let error as DatabaseError: SyncError(storageFailure: error, of: model) ?? error
    default: error
    }
  }

  /// The error for a store that SQLite could not read or write; nil for other errors of the database.
  init?(storageFailure error: DatabaseError, of model: String? = nil) {
    switch error.resultCode {
    case .SQLITE_NOMEM:
      self = .storeUnavailable(reason: error.summary + (model.map { ", in a sync of \($0)" } ?? ""))
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: self = .storeBusy(reason: error.summary)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .storeCorrupted(reason: error.summary)
    case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
      self = .storeUnavailable(reason: error.summary)
    // Without a connection, SQLite always says that it has no memory.
    case .SQLITE_MISUSE
    where error.message == DatabaseError.storeIsClosed.message || error.message == "out of memory":
      self = .storeIsClosed
    default: return nil
    }
  }
}

extension DatabaseError {
  /// Whether the file is corrupt, or not a database.
  var isCorruption: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }

  /// Whether the store caused the error, rather than the values to be written.
  var isOfStore: Bool { isInterruption || SyncError(storageFailure: self) != nil }

  /// SQLite's code, its extended code if that differs, and its message.
  var summary: String {
    let code = resultCode.rawValue
    let extended = extendedResultCode.rawValue
    return "SQLite error \(code)\(extended == code ? "" : " (\(extended))")"
      + (message.map { ": \($0)" } ?? "")
  }
}
