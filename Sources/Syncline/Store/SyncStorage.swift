import Foundation
import GRDB
import GRDBSQLite

/// The place where a container keeps its rows: in memory, in a file, or in a database of yours.
///
/// The default of ``SyncContainer`` is ``SyncStorage/inMemory``.
///
/// ```swift
/// let stored = try SyncContainer(for: AppSchema.self, storage: .file(URL(filePath: "tasks.sqlite")))
/// let preview = try SyncContainer(for: AppSchema.self, storage: .inMemory)
///
/// let pool = try DatabasePool(path: "shared.sqlite")
/// let shared = try SyncContainer(for: AppSchema.self, storage: .database(pool))
/// ```
///
/// ## Topics
///
/// ### Storages that the container opens
///
/// - ``SyncStorage/inMemory``
/// - ``SyncStorage/file(_:)``
/// - ``SyncStorage/readOnly(_:)``
///
/// ### Storages of your own
///
/// - ``SyncStorage/database(_:)``
public enum SyncStorage: Sendable {
  /// In memory; the rows are lost with the container.
  case inMemory
  /// In a file in WAL mode, so that reads continue while a sync writes. The file is created if it is missing.
  case file(URL)
  /// In a file that must not be written: a backup, a replica, or part of a bundle. You can fetch from it, observe it and
  /// export it. A sync throws ``SyncError/storeUnavailable(reason:)``, and a store that does not fit the models cannot be
  /// opened.
  ///
  /// If the file has no `-wal` file next to it when it is opened, it is treated as immutable: SQLite creates no files next to it, and
  /// its folder need not be writable. If another process writes the file afterwards, this container does not see the commits, and may
  /// read wrong rows: open a new container (<doc:SharedStores>).
  case readOnly(URL)
  /// In a database that is already open. Syncline's tables are added to it.
  case database(any DatabaseWriter)

  /// A writer waits up to ten seconds for another process or container on the same file.
  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    return configuration
  }

  /// A configuration whose first connection runs a closure when GRDB sets it up, and no other connection does.
  ///
  /// If the closure throws, GRDB closes the connection, and SQLite rolls its transaction back. On an open connection a rollback
  /// needs memory for its statement, and GRDB traps if it fails.
  private static func configuration(
    _ configuration: Configuration, _ setUp: @escaping (Database) throws -> Void
  ) -> Configuration {
    // Followers and users open other connections with the same configuration.
    nonisolated(unsafe) var first: ((Database) throws -> Void)? = setUp
    var configuration = configuration
    configuration.prepareDatabase { database in
      guard let setUp = first else { return }
      first = nil
      try setUp(database)
    }
    return configuration
  }

  /// - Parameter setUp: runs before anything else on the connection that writes, unless it is open already. If it throws, the
  ///   connection is closed.
  func open(
    _ durability: SyncConfiguration.Durability, setUp: @escaping (Database) throws -> Void = { _ in }
  ) throws -> any DatabaseWriter {
    switch self {
    case .inMemory:
      return try DatabaseQueue(configuration: SyncStorage.configuration(Configuration(), setUp))
    case .readOnly(let url):
      let path = try SyncStorage.path(of: url)
      return try SyncStorage.reader(of: path, isImmutable: !FileState.hasLog(path))
    case .file(let url):
      let path = try SyncStorage.path(of: url)
      // SQLite treats a file of one byte as empty.
      if FileIdentity.size(of: path) == 1 {
        throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "file is not a database")
      }
      return try SyncStorage.pool(path, durability, setUp)
    case .database(let writer):
      return writer
    }
  }

  /// Sets whether commits wait for the disk.
  private static func set(_ durability: SyncConfiguration.Durability, of database: Database) throws {
    try database.execute(sql: "PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")")
    // Apple's `fsync` leaves writes in the cache of the drive. Elsewhere SQLite ignores this.
    if durability == .full { try database.execute(sql: "PRAGMA fullfsync = 1") }
  }

  /// Writes to the log if it is empty. Otherwise GRDB does when the connection is set up, and traps if that is not rolled back.
  private static func beginLog(of path: String, _ database: Database) throws {
    guard (FileIdentity.size(of: path + "-wal") ?? 0) == 0 else { return }
    try database.inTransaction {
      try database.execute(sql: "CREATE TABLE syncline_log (id INTEGER); DROP TABLE syncline_log")
      return .commit
    }
  }

  /// Opens a pool whose file is the one at the path.
  ///
  /// SQLite opens the file before it locks it. In between, another process may recover the store: it moves the file aside, and
  /// creates a new one. SQLite would then use the log of the new file, by its name, with the old file, and what it writes would be
  /// lost. Once the connection has read the file, its lock prevents a recovery.
  private static func pool(
    _ path: String, _ durability: SyncConfiguration.Durability, _ setUp: @escaping (Database) throws -> Void
  ) throws -> DatabasePool {
    func prepare(_ database: Database) throws {
      // Otherwise GRDB throws afterwards.
      guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else { return }
      guard try !database.hasMovedFile else { throw MovedFile() }
      try SyncStorage.set(durability, of: database)
      try setUp(database)
      try SyncStorage.beginLog(of: path, database)
    }
    for _ in 1...100 {
      let configuration = SyncStorage.configuration(SyncStorage.configuration, prepare)
      do {
        let pool = try DatabasePool(path: path, configuration: configuration)
        // GRDB has set `synchronous` to `NORMAL` since.
        if durability == .full {
          try pool.writeWithoutTransaction { try SyncStorage.set(durability, of: $0) }
        }
        return pool
      } catch is MovedFile {}
    }
    throw SyncError.storeUnavailable(reason: "the file is repeatedly replaced while it is opened")
  }

  /// The file is no longer at the path by which it was opened.
  private struct MovedFile: Error {}

  /// The path by which a file is open. By another hard link to it, SQLite would not find its log.
  private static func path(of url: URL) throws -> String {
    guard url.isFileURL else {
      throw SyncError.containerInitialization(reason: "“\(url.absoluteString)” is not a file")
    }
    return OpenStores.shared.openPath(of: url.path) ?? url.path
  }

  var isReadOnly: Bool {
    if case .readOnly = self { true } else { false }
  }

  /// Reads an existing store by a connection that does not write.
  ///
  /// - Returns: nil if there is no store.
  /// - Throws: the database's error if the store cannot be read in this way.
  func look<T>(_ body: (Database) throws -> T) throws -> T? {
    switch self {
    case .inMemory: return nil
    case .database(let writer): return try writer.snapshot(body)
    case .file(let url), .readOnly(let url):
      let path = try SyncStorage.path(of: url)
      while true {
        guard let state = FileState(path: path), state.size > 1 else { return nil }
        let result = Result { try SyncStorage.reader(of: path, isImmutable: !state.hasLog).snapshot(body) }
        // A read without a lock may see one part from before another process's write and one from after it: then try again.
        if state.hasLog || FileState(path: path) == state { return try result.get() }
      }
    }
  }

  /// Opens a connection that creates no files. To read a file without a log, SQLite would create one, unless the file is opened
  /// as immutable.
  private static func reader(of path: String, isImmutable: Bool) throws -> DatabaseQueue {
    var configuration = self.configuration
    configuration.readonly = true
    guard isImmutable else {
      return try DatabaseQueue(path: path, configuration: configuration)
    }
    var allowed = CharacterSet.urlPathAllowed
    allowed.remove(charactersIn: "?#%;")
    let name = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    return try DatabaseQueue(path: "file:\(name)?mode=ro&immutable=1", configuration: configuration)
  }

  /// The path of a file that the container opens itself; nil for other storages.
  var path: String? {
    switch self {
    case .file(let url) where url.isFileURL, .readOnly(let url) where url.isFileURL: return url.path
    default: return nil
    }
  }
}

extension Database {
  /// Whether the file was moved or deleted since SQLite opened it.
  fileprivate var hasMovedFile: Bool {
    get throws {
      var hasMoved: Int32 = 0
      let code = sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
      // Some file systems do not support this file control. Then the file counts as not moved.
      guard code == SQLITE_OK || code == SQLITE_NOTFOUND else {
        throw DatabaseError(resultCode: ResultCode(rawValue: code))
      }
      return hasMoved != 0
    }
  }
}
