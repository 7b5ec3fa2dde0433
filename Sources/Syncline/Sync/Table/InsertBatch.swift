import GRDB
import GRDBSQLite

/// Inserts many rows of a model with one statement, which takes less time than a statement for each.
///
/// Only rows that are known to be new are added, of models without relationships. What reads the table or writes to it inserts
/// the added rows first: see `ModelRows.statements`.
final class InsertBatch {
  /// How many rows one statement inserts.
  static let size = 16

  private let statement: WriteStatement
  private let columnCount: Int32
  /// How many rows are added, and not inserted yet.
  private(set) var count: Int32 = 0
  private var hasFailed = false

  /// - Parameter insertion: the beginning of the statement, up to the list of columns.
  /// - Returns: nil if SQLite does not allow that many parameters.
  init?(_ insertion: String, columns columnCount: Int, _ database: Database) throws {
    let parameterCount = columnCount * Self.size + 1
    guard let limit = database.sqliteConnection.map({ sqlite3_limit($0, SQLITE_LIMIT_VARIABLE_NUMBER, -1) }),
      parameterCount <= limit
    else { return nil }
    let rows = (0..<Self.size).map { row in
      "(\((1...columnCount).map { "?\(row * columnCount + $0)" }.joined(separator: ", ")))"
    }
    self.columnCount = Int32(columnCount)
    // The limit leaves out the rows that are not bound. Without WHERE, SQLite would parse ON as the beginning of a join.
    let source = "SELECT * FROM (VALUES \(rows.joined(separator: ", "))) WHERE true LIMIT ?\(parameterCount)"
    statement = try WriteStatement(database, "\(insertion) \(source) ON CONFLICT DO NOTHING")
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
    // An error of a later statement would be taken for one of a later row.
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

  /// Removes pointers into the payload, whose bytes may be freed.
  func clearBindings() { statement.clearBindings() }
}
