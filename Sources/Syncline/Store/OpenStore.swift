import Foundation
import GRDB
import GRDBSQLite

/// The store of a container's database: the file that it was opened from, and the queue of its syncs.
struct OpenStore: Sendable {
  private struct File: Sendable {
    let path: String
    let identity: FileIdentity
  }

  let queue: SyncQueue
  /// The pushes of the container, which run one at a time.
  let pushes = SyncQueue()
  let isReadOnly: Bool
  /// Whether the store keeps edits, perhaps of models that the container lacks.
  let keepsEdits: Bool
  /// The fingerprint of the schema that the store was opened with.
  private let schema: String?
  private let file: File?
  /// The write-ahead log of a file; nil for a store in memory.
  private let log: LogSizeWatch?
  /// How long SQLite waits for the locks of other connections; 0 if it does not, or if the user has set a busy handler.
  private let busyMilliseconds: Int32

  /// - Parameters:
  ///   - schema: the fingerprint of the store's schema; nil if the store may have more models than the container.
  ///   - sources: makes moments that are later than those that the store has.
  init(
    _ database: any DatabaseWriter, of storage: SyncStorage, schema: String?, _ sources: TimeAndRandomness
  ) throws {
    isReadOnly = storage.isReadOnly
    (file, log, queue, busyMilliseconds, keepsEdits, self.schema) = try database.writeWithoutTransaction {
      database in
      // The name is empty for a store in memory.
      let name = sqlite3_db_filename(database.sqliteConnection, "main").map { String(cString: $0) } ?? ""
      // SQLite may report another path than the store was opened with.
      let path = storage.path ?? name
      let file = FileIdentity(path: path).map { File(path: path, identity: $0) }
      if let newest = try StoredMoments(database: database, sources: sources).newest() {
        sources.advance(to: newest)
      }
      let key =
        file.map { StoreKey.file($0.identity) }
        ?? .connection(UInt(bitPattern: database.sqliteConnection))
      return (
        file, name.isEmpty ? nil : LogSizeWatch(of: name), OpenStores.shared.queue(of: key, path: name),
        try Int32.fetchOne(database, sql: "PRAGMA busy_timeout") ?? 0,
        try database.hasTable(EditTriggers.gate),
        try schema ?? StoredSchema.fingerprint(database)
      )
    }
  }

  /// - Throws: ``SyncError/storeUnavailable(reason:)`` if the store is read-only.
  func checkIsWritable() throws {
    if isReadOnly { throw SyncError.storeUnavailable(reason: "it was opened read-only") }
  }

  /// - Throws: ``SyncError/storeUnavailable(reason:)`` if the database was closed. SQLite itself would report that it has no
  ///   memory.
  func checkIsOpen(_ database: Database) throws {
    if database.sqliteConnection == nil { throw SyncError.storeIsClosed }
  }

  /// Checks that the store's path still refers to the open file: writes to a file that was replaced would be lost.
  ///
  /// - Throws: ``SyncError/storeReplaced(reason:)``
  func checkFile() throws {
    guard let file else { return }
    let identity = FileIdentity(path: file.path)
    guard identity != file.identity else { return }
    throw SyncError.storeReplaced(
      reason: identity == nil ? "there is no file at \(file.path)" : "there is another file at \(file.path)")
  }

  /// Checks that the store still has the schema that it was opened with: another program may have evolved it.
  ///
  /// - Throws: ``SyncError/storeEvolved(reason:)``
  func checkSchema(_ database: Database) throws {
    guard try StoredSchema.fingerprint(database) != schema else { return }
    throw SyncError.storeEvolved(reason: "open a new container with the store's current schema")
  }

  /// Warns if the write-ahead log has become large. Called when a sync has ended.
  func checkLog(_ configuration: SyncConfiguration) {
    guard let logger = configuration.logger, let limit = configuration.logSizeWarning else { return }
    log?.check(limit: limit, logger)
  }

  /// Runs a closure. A cancellation of the task ends its waits for the locks of other connections.
  ///
  /// A busy handler that the user has set is kept.
  func endingWaits<T>(of database: Database, _ body: () throws -> T) rethrows -> T {
    // A closed database has no connection.
    guard file != nil, busyMilliseconds > 0, let connection = database.sqliteConnection else {
      return try body()
    }
    let wait = BusyWait(milliseconds: busyMilliseconds)
    wait.install(in: connection)
    defer { sqlite3_busy_timeout(connection, busyMilliseconds) }
    return try withExtendedLifetime(wait) { try body() }
  }
}
