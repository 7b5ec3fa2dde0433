import GRDB
internal import SynclineBytes

/// An SQLite error in a place that cannot throw: binding a parameter, reading a column, or running a query for a callback.
///
/// Each thread keeps the first error. The next statement throws it instead of running, and so does the end of a transaction. So
/// nothing runs after an error, and no row is stored with a missing value. The error is a thread-local code, so checking for it
/// costs one comparison per step of a statement.
enum SQLFault {
  /// Removes an error that an earlier call may have left.
  static func clear() { syncline_set_fault(0) }

  @inline(__always)
  static func note(_ code: Int32) {
    if code != 0, syncline_fault() == 0 { syncline_set_fault(code) }
  }

  /// Runs a closure in a place that cannot throw. If it throws, records the error and returns the given value.
  static func noting<T>(_ answer: T, _ body: () throws -> T) -> T {
    do {
      return try body()
    } catch {
      note(code(of: error).rawValue)
      return answer
    }
  }

  /// GRDB throws `CancellationError` where SQLite would report an interruption.
  private static func code(of error: any Error) -> ResultCode {
    switch error {
    case let error as DatabaseError where !error.isInterruption: error.extendedResultCode
    case is DatabaseError, is CancellationError, SyncError.cancelled: .SQLITE_INTERRUPT
    default: .SQLITE_ERROR
    }
  }

  /// - Throws: the error that was noted.
  @inline(__always)
  static func check() throws {
    if syncline_fault() != 0, let error = take() { throw error }
  }

  /// Removes and returns the noted error.
  static func take() -> DatabaseError? {
    let code = syncline_fault()
    guard code != 0 else { return nil }
    clear()
    return DatabaseError(resultCode: ResultCode(rawValue: code))
  }
}

extension DatabaseError {
  /// Whether `interrupt()` or the task's cancellation ended the statement.
  ///
  /// If SQLite is interrupted while it declares the table of a function such as `pragma_index_list` or `json_each`, the code is that
  /// of any error, and only the message shows the interruption.
  var isInterruption: Bool {
    resultCode == .SQLITE_INTERRUPT
      || resultCode == .SQLITE_ERROR
        && (message == "interrupted" || message == "vtable constructor failed: json_each")
  }
}
