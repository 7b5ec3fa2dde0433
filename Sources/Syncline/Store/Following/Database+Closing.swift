import GRDB
import GRDBSQLite

extension DatabaseError {
  /// The error that followers of a store receive when its writer was closed.
  static let storeIsClosed = DatabaseError(resultCode: .SQLITE_MISUSE, message: "Connection is closed")
}

extension Database {
  /// Calls a closure when the connection is closed, on its queue. GRDB has no such callback, but SQLite releases a connection's
  /// functions when it closes the connection.
  ///
  /// - Throws: SQLite's error if there is no memory.
  func whenClosed(_ body: @escaping @Sendable () -> Void) throws {
    let sentinel = ClosingSentinel(body)
    // The name is unique: the same name would replace another container's function.
    let name = "syncline_open_\(UInt(bitPattern: ObjectIdentifier(sentinel)))"
    let result = sqlite3_create_function_v2(
      sqliteConnection, name, 0, SQLITE_UTF8, Unmanaged.passRetained(sentinel).toOpaque(), { _, _, _ in },
      nil,
      nil
    ) { sentinel in
      guard let sentinel else { return }
      Unmanaged<ClosingSentinel>.fromOpaque(sentinel).takeRetainedValue().end()
    }
    // If it failed, SQLite has already released the sentinel.
    sentinel.isInstalled = result == SQLITE_OK
    guard result == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: result)) }
  }
}

/// An object that SQLite releases with a connection. Only the connection's queue uses it.
private final class ClosingSentinel {
  var isInstalled = false
  private let onClose: @Sendable () -> Void

  init(_ onClose: @escaping @Sendable () -> Void) { self.onClose = onClose }

  func end() { if isInstalled { onClose() } }
}
