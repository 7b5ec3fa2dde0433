import GRDB
internal import SynclineBytes

/// An error of SQLite where nothing can throw: a parameter that was not bound, a column that was not read, a
/// question that was not answered.
///
/// The thread keeps the first one. The next statement throws it instead of running, and so does the end of a
/// transaction: nothing runs after an error, and nothing is stored that lacks a value. Its code is one number for each
/// thread, so that looking for it costs one comparison for each step of a statement.
enum SQLFault {
  /// Forgets what a call before this one may have left.
  static func clear() { syncline_set_fault(0) }

  @inline(__always)
  static func note(_ code: Int32) {
    if code != 0, syncline_fault() == 0 { syncline_set_fault(code) }
  }

  /// Runs a body where nothing can throw: notes its error, and returns an answer in its stead.
  static func noting<T>(_ answer: T, _ body: () throws -> T) -> T {
    do {
      return try body()
    } catch {
      note(((error as? DatabaseError)?.extendedResultCode ?? .SQLITE_ERROR).rawValue)
      return answer
    }
  }

  /// - Throws: the error that was noted.
  @inline(__always)
  static func check() throws {
    if syncline_fault() != 0, let error = take() { throw error }
  }

  /// The error that was noted, which is noted no longer.
  static func take() -> DatabaseError? {
    let code = syncline_fault()
    guard code != 0 else { return nil }
    clear()
    return DatabaseError(resultCode: ResultCode(rawValue: code))
  }
}
