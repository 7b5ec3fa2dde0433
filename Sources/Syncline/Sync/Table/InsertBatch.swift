import GRDB
import GRDBSQLite

/// Inserts many rows of a model with one statement, which is faster than one statement per row.
///
/// Only rows that are known to be new are added, of models without relationships. Every other access to the table inserts the added
/// rows first: see `ModelRows.statements`.
final class InsertBatch {
  /// How many rows one statement inserts.
  static let size = 16

  private let statement: WriteStatement
  private let columnCount: Int32
  /// How many rows are added, and not inserted yet.
  private(set) var count: Int32 = 0
  private var hasFailed = false

  /// With `OR IGNORE` SQLite keeps no copies of the pages that a statement changes. Copying takes most of the time if keys are in
  /// random order. `OR IGNORE` also applies to writes of triggers, so rows of a table with triggers are inserted one by one.
  ///
  /// - Returns: nil if the table has triggers, or SQLite does not allow that many parameters.
  init?(_ table: SyncTable, _ database: Database) throws {
    let columnCount = table.columnCount
    let parameterCount = columnCount * Self.size + 1
    guard let limit = database.sqliteConnection.map({ sqlite3_limit($0, SQLITE_LIMIT_VARIABLE_NUMBER, -1) }),
      parameterCount <= limit, try !Self.hasTriggers(table, database)
    else { return nil }
    let rows = (0..<Self.size).map { row in
      "(\((1...columnCount).map { "?\(row * columnCount + $0)" }.joined(separator: ", ")))"
    }
    self.columnCount = Int32(columnCount)
    // The limit leaves out the rows that are not bound.
    statement = try WriteStatement(
      database,
      """
      INSERT OR IGNORE INTO \(table.quotedName) (\(table.columnList))
      SELECT * FROM (VALUES \(rows.joined(separator: ", "))) LIMIT ?\(parameterCount)
      """)
  }

  private static func hasTriggers(_ table: SyncTable, _ database: Database) throws -> Bool {
    try ["sqlite_master", "sqlite_temp_master"].contains { schema in
      try ReadStatement(
        database, "SELECT 1 FROM \(schema) WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE LIMIT 1"
      ).exists([.text(table.name)])
    }
  }

  var isFull: Bool { count == Self.size }

  /// Adds a row to a batch that is not full.
  ///
  /// - Returns: whether it was added: not if it needs a model value.
  func add(_ object: PayloadObject, _ identity: SyncIdentity, _ binding: DirectInsert) throws -> Bool {
    if count == 0 { _ = statement.restart() }
    guard binding.bind(object, identity, to: statement.parameters, from: count * columnCount + 1) else {
      return false
    }
    // Checked now, since a later statement would attribute the error to a later row.
    try SQLFault.check()
    count += 1
    return true
  }

  /// Inserts the rows that were added.
  ///
  /// - Returns: false if SQLite refused any of them, now or before. Which and why is seen if they are inserted one by one.
  func insert() throws -> Bool {
    guard count > 0, !hasFailed else { return !hasFailed }
    let added = count
    count = 0
    statement.parameters.bind(Int64(added), at: columnCount * Int32(Self.size) + 1)
    do {
      hasFailed = try statement.execute() < added
    } catch let error as DatabaseError where !error.isOfStore {
      hasFailed = true
    }
    return !hasFailed
  }

  func clearBindings() { statement.clearBindings() }
}
