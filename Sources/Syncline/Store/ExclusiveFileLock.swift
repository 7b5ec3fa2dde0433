import GRDBSQLite

/// SQLite's exclusive lock on a database file, whatever the file contains.
///
/// The lock uses SQLite's own file methods, without reading the file. So it sees other connections of this process, which a file
/// lock of our own would not, and it does not release their locks. A connection in WAL mode holds a lock from its first access
/// until it is closed. A connection in another journal mode holds one only while it reads or writes, and is not seen in between.
final class ExclusiveFileLock {
  private var connection: OpaquePointer?
  private var file: UnsafeMutablePointer<sqlite3_file>?

  /// - Returns: nil when another connection has a lock on the file, or the file cannot be written.
  init?(path: String) {
    let isOpen = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK
    guard isOpen, sqlite3_db_readonly(connection, "main") == 0,
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      lock(SQLITE_LOCK_SHARED), lock(SQLITE_LOCK_EXCLUSIVE)
    else {
      release()
      return nil
    }
  }

  deinit { release() }

  private func lock(_ level: Int32) -> Bool {
    guard let file, let methods = file.pointee.pMethods, let lock = methods.pointee.xLock else {
      return false
    }
    return lock(file, level) == SQLITE_OK
  }

  func release() {
    if let file, let unlock = file.pointee.pMethods?.pointee.xUnlock { _ = unlock(file, SQLITE_LOCK_NONE) }
    file = nil
    sqlite3_close_v2(connection)
    connection = nil
  }
}
