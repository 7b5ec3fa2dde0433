import Foundation
import GRDB
import GRDBSQLite

/// The store behind a container's database: the file it was opened as, and the queue of its syncs.
struct OpenStore: Sendable {
  private struct File: Sendable {
    let path: String
    let identity: FileIdentity
  }

  let queue: SyncQueue
  /// Whether nothing is ever written.
  let isReadOnly: Bool
  /// The fingerprint of the schema that the store was opened with.
  private let schema: String?
  private let file: File?
  /// How long SQLite waits for the locks of other connections; 0 where it does not, or as the user says.
  private let busyMilliseconds: Int32

  /// - Parameter schema: the fingerprint of the schema that the store was found to have; nil for one that has more than that.
  init(_ database: any DatabaseWriter, of storage: SyncStorage, schema: String?) throws {
    isReadOnly = storage.isReadOnly
    (file, queue, busyMilliseconds, self.schema) = try database.writeWithoutTransaction { database in
      // In memory, the name is empty.
      let name = sqlite3_db_filename(database.sqliteConnection, "main").map { String(cString: $0) } ?? ""
      // The path that the store was opened by may be another one than SQLite knows.
      let path = storage.path ?? name
      let file = FileIdentity(path: path).map { File(path: path, identity: $0) }
      let key =
        file.map { StoreKey.file($0.identity) }
        ?? .connection(UInt(bitPattern: database.sqliteConnection))
      return (
        file, OpenStores.shared.queue(of: key, path: name),
        try Int32.fetchOne(database, sql: "PRAGMA busy_timeout") ?? 0,
        try schema ?? StoredSchema.fingerprint(database)
      )
    }
  }

  /// - Throws: ``SyncError/storeUnavailable(reason:)`` for a store that is not to be written.
  func checkIsWritable() throws {
    if isReadOnly { throw SyncError.storeUnavailable(reason: "it was opened to be read only") }
  }

  /// Checks that the store's path still leads to the file that is open: what is written to another is lost.
  ///
  /// - Throws: ``SyncError/storeReplaced(reason:)``
  func checkFile() throws {
    guard let file else { return }
    let identity = FileIdentity(path: file.path)
    guard identity != file.identity else { return }
    throw SyncError.storeReplaced(
      reason: identity == nil ? "there is no file at \(file.path)" : "there is another file at \(file.path)")
  }

  /// Checks that the store has the schema that it was opened with: another program may have evolved it since.
  ///
  /// - Throws: ``SyncError/storeEvolved(reason:)``
  func checkSchema(_ database: Database) throws {
    guard try StoredSchema.fingerprint(database) != schema else { return }
    throw SyncError.storeEvolved(reason: "open a container of the schema that the store has now")
  }

  /// Lets the cancellation of the task end the waits for the locks of other connections.
  ///
  /// A busy handler that the user has set stays.
  func endingWaits<T>(of database: Database, _ body: () throws -> T) rethrows -> T {
    // A database that was closed has no connection.
    guard file != nil, busyMilliseconds > 0, let connection = database.sqliteConnection else {
      return try body()
    }
    let wait = BusyWait(milliseconds: busyMilliseconds)
    wait.install(in: connection)
    defer { sqlite3_busy_timeout(connection, busyMilliseconds) }
    return try withExtendedLifetime(wait) { try body() }
  }
}
