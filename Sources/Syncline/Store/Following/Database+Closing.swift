import GRDB
import GRDBSQLite

extension DatabaseError {
  /// What those who follow a store are told when its writer was closed.
  static let storeIsClosed = DatabaseError(resultCode: .SQLITE_MISUSE, message: "Connection is closed")
}

extension Database {
  /// Calls when the connection is closed, on its queue. GRDB has no callback, but SQLite releases the functions of a connection
  /// with it.
  ///
  /// - Throws: SQLite's error where there is no memory for that.
  func whenClosed(_ body: @escaping @Sendable () -> Void) throws {
    let sentinel = ClosingSentinel(body)
    // A function of another container's, with the same name, would be replaced.
    let name = "syncline_open_\(UInt(bitPattern: ObjectIdentifier(sentinel)))"
    let result = sqlite3_create_function_v2(
      sqliteConnection, name, 0, SQLITE_UTF8, Unmanaged.passRetained(sentinel).toOpaque(), { _, _, _ in },
      nil,
      nil
    ) { sentinel in
      guard let sentinel else { return }
      Unmanaged<ClosingSentinel>.fromOpaque(sentinel).takeRetainedValue().end()
    }
    // Where it fails, SQLite has released it already.
    sentinel.isInstalled = result == SQLITE_OK
    guard result == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: result)) }
  }
}

/// What SQLite releases with a connection. The queue of that alone uses it.
private final class ClosingSentinel {
  var isInstalled = false
  private let onClose: @Sendable () -> Void

  init(_ onClose: @escaping @Sendable () -> Void) { self.onClose = onClose }

  func end() { if isInstalled { onClose() } }
}
