import GRDB
import Syncline

/// The errors that a call may throw after a fault.
struct FaultErrors {
  let workload: Workload
  let fault: Fault

  /// The reason why a call must not throw this error; nil if it may.
  func objection(to error: any Error) -> String? {
    switch error {
    case SyncError.cancelled where fault.event == .cancel || fault.event == .interrupt: nil
    case is CancellationError where fault.event == .cancel && allowsDatabase: nil
    case let error as DatabaseError
    where fault.event != nil && allowsDatabase
      && [.SQLITE_INTERRUPT, .SQLITE_ABORT, .SQLITE_MISUSE].contains(error.resultCode):
      nil
    case SyncError.storeUnavailable where fault.event == .close: nil
    case is SyncError where fault.event != nil: "wrong case of SyncError: \(error)"
    case let error as SyncError: allows(error) ? nil : "wrong case of SyncError: \(error)"
    case let error as DatabaseError where allowsDatabase:
      allows(error) ? nil : "wrong code of the database: \(error)"
    default: "untyped error: \(type(of: error)): \(error)"
    }
  }

  private func allows(_ error: SyncError) -> Bool {
    switch error {
    // An allocation failure has no separate case. The reason begins with SQLite's code.
    case .storeUnavailable(let reason): fault.kinds != .memory || reason.hasPrefix("SQLite error 7")
    case .containerInitialization: opens
    case .storeBusy, .storeCorrupted: fault.kinds != .memory
    // Wrong bytes may result in another schema or value, or hide a row that the payload refers to.
    case .storeEvolved, .storeReplaced, .unreadableRow, .schemaValidation, .invalidPayload: fault.damages
    default: false
    }
  }

  private func allows(_ error: DatabaseError) -> Bool {
    switch error.resultCode {
    case .SQLITE_NOMEM: fault.kinds == .memory
    case .SQLITE_IOERR, .SQLITE_FULL, .SQLITE_CANTOPEN, .SQLITE_BUSY, .SQLITE_CORRUPT, .SQLITE_NOTADB,
      .SQLITE_READONLY, .SQLITE_PROTOCOL:
      fault.kinds != .memory
    default: fault.damages
    }
  }

  private var opens: Bool {
    if case .openStore = workload.start { false } else { true }
  }

  private var allowsDatabase: Bool {
    if case .ofDatabase = workload.errors { true } else { false }
  }
}
