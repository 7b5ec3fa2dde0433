import GRDB
import GRDBSQLite

/// Gives a connection a larger page cache while a transaction changes more pages at random than its own cache holds.
///
/// SQLite writes changed pages to the log once its cache is full, and reads and writes them again if they change again. Random
/// keys, such as UUIDs and the columns of relationships, change pages all over an index.
struct PageCache {
  /// The size of the larger cache.
  private static let bytes: Int64 = 16 << 20
  /// The numbers of pages that must be written and read before the cache is enlarged. Rows that are appended read no page, and a
  /// few changed rows write each page once.
  private static let (writes, reads): (Int32, Int32) = (1_000, 250)

  private let database: Database
  /// The connection's counts of pages that its full cache wrote and that it read, when this value was made.
  private let before: (written: Int32, read: Int32)
  /// The connection's own setting of `cache_size`; nil while it is in effect.
  private var ownSize: Int64?

  init(_ database: Database) {
    self.database = database
    before = (
      database.status(SQLITE_DBSTATUS_CACHE_SPILL), database.status(SQLITE_DBSTATUS_CACHE_MISS)
    )
  }

  /// Enlarges the cache if it proved too small, unless it is large already.
  mutating func enlargeIfFull() throws {
    guard ownSize == nil,
      database.status(SQLITE_DBSTATUS_CACHE_SPILL) &- before.written > PageCache.writes,
      database.status(SQLITE_DBSTATUS_CACHE_MISS) &- before.read > PageCache.reads
    else { return }
    let size = try Int64.fetchOne(database, sql: "PRAGMA cache_size") ?? 0
    ownSize = size
    // A negative size is in KiB, any other in pages.
    let pageSize = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 4096
    guard (size < 0 ? -1024 * size : pageSize * size) < PageCache.bytes else { return }
    try database.execute(sql: "PRAGMA cache_size = \(-PageCache.bytes / 1024)")
  }

  /// Gives the connection its own cache back. SQLite frees the rest of the memory.
  mutating func restore() throws {
    guard let size = ownSize else { return }
    ownSize = nil
    try database.execute(sql: "PRAGMA cache_size = \(size)")
  }
}

extension Database {
  /// A count that SQLite keeps for the connection.
  fileprivate func status(_ count: Int32) -> Int32 {
    var (current, highest): (Int32, Int32) = (0, 0)
    guard let sqliteConnection else { return 0 }
    sqlite3_db_status(sqliteConnection, count, &current, &highest, 0)
    return current
  }
}
