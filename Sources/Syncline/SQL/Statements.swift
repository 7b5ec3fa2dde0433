import GRDB
import GRDBSQLite

extension Database {
  /// A statement from GRDB's cache, reset and without arguments.
  ///
  /// The previous user of a cached statement may not have reset it after a failed step. SQLite then returns that error again
  /// from the first reset, and GRDB treats it as a programming error.
  fileprivate func restartedStatement(_ sql: String) throws -> Statement {
    let statement = try cachedStatement(sql: sql)
    sqlite3_reset(statement.sqliteStatement)
    statement.setUncheckedArguments([])
    return statement
  }

  /// The maximum number of bytes of a value or a row.
  var lengthLimit: Int {
    sqliteConnection.map { Int(sqlite3_limit($0, SQLITE_LIMIT_LENGTH, -1)) } ?? .max
  }

  /// The prepared ROLLBACK. After `CREATE INDEX` it must be prepared again, while there is memory for it.
  @discardableResult
  func rollbackStatement() throws -> Statement { try cachedStatement(sql: "ROLLBACK TRANSACTION") }

  /// Runs a transaction that is always ended, and throws its first error.
  ///
  /// GRDB prepares ROLLBACK only when it needs it, which fails if memory is exhausted. GRDB traps if a transaction then stays
  /// open. So ROLLBACK is prepared before the transaction begins.
  func transaction(
    _ kind: TransactionKind, _ operations: () throws -> TransactionCompletion
  ) throws {
    let rollback = try rollbackStatement()
    SQLFault.clear()
    var hasBegun = false
    do {
      try inTransaction(kind) {
        hasBegun = true
        let completion = try operations()
        try SQLFault.check()
        return completion
      }
    } catch {
      // The original error is thrown, even if the rollback fails.
      if hasBegun, isInsideTransaction { try? rollback.execute() }
      // `CREATE INDEX` has expired it. `UniqueValues` has prepared another one.
      if hasBegun, isInsideTransaction { try? rollbackStatement().execute() }
      throw SQLFault.take() ?? error
    }
  }
}

/// A statement that reads. It is stepped without GRDB, because observations need not see reads.
struct ReadStatement {
  private let statement: Statement
  /// The handle of the statement. Getting it from the statement for each row would count references.
  let handle: SQLiteStatement
  private unowned(unsafe) let database: Database

  /// A cached statement. It is shared by all callers with the same SQL.
  init(_ database: Database, _ sql: String) throws {
    self.database = database
    statement = try database.restartedStatement(sql)
    handle = statement.sqliteStatement
  }

  /// An uncached statement, for SQL that is read while another statement with the same SQL is.
  init(own sql: String, in database: Database) throws {
    self.database = database
    statement = try database.makeStatement(sql: sql)
    handle = statement.sqliteStatement
  }

  /// Reports the region that the statement reads to an observation that is fetching, since GRDB does not see its steps.
  func registerAccess() throws {
    try database.registerAccess(to: statement.databaseRegion)
  }

  /// Resets the statement, for binding.
  @inline(__always)
  func restart() -> SyncStatement {
    reset()
    return SyncStatement(handle: handle)
  }

  /// Ends the reading, so that the statement holds no lock.
  ///
  /// If memory was exhausted while a column was read, SQLite reports that here.
  @inline(__always)
  func reset() {
    if sqlite3_reset(handle) == SQLITE_NOMEM { SQLFault.note(SQLITE_NOMEM) }
  }

  /// Moves to the next row. Returns false at the end, after which it must not be called again.
  @inline(__always)
  func step() throws -> Bool {
    try SQLFault.check()
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw failure(code)
  }

  /// The error for a failed step. Resets the statement before it goes back to the cache.
  private func failure(_ code: Int32) -> DatabaseError {
    let message = database.lastErrorMessage
    sqlite3_reset(handle)
    return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: statement.sql)
  }

  @inline(__always)
  func column(_ index: Int) -> SyncColumn {
    SyncColumn(handle: handle, index: Int32(truncatingIfNeeded: index))
  }

  /// What a closure makes of the rows, leaving out nil. The parameters are bound already; the statement is reset at the end.
  func all<Result>(_ make: (ReadStatement) throws -> Result?) throws -> [Result] {
    defer { reset() }
    var results: [Result] = []
    while try step() { if let result = try make(self) { results.append(result) } }
    return results
  }
}

/// A cached statement that writes. It runs through GRDB, so that observations see it.
struct WriteStatement {
  private let statement: Statement

  init(_ database: Database, _ sql: String) throws {
    statement = try database.restartedStatement(sql)
  }

  @inline(__always)
  func restart() -> SyncStatement {
    sqlite3_reset(statement.sqliteStatement)
    return parameters
  }

  /// For binding, once the statement was reset.
  var parameters: SyncStatement { SyncStatement(handle: statement.sqliteStatement) }

  /// Removes the bindings of all parameters.
  func clearBindings() {
    sqlite3_clear_bindings(statement.sqliteStatement)
  }

  /// Runs the statement, and returns the number of rows that it changed.
  @discardableResult
  func execute() throws -> Int {
    try SQLFault.check()
    do {
      try statement.execute()
    } catch {
      // GRDB resets the statement if the step failed, but not if an observer threw.
      sqlite3_reset(statement.sqliteStatement)
      throw error
    }
    // GRDB's `changesCount`, without its check of the queue for each row.
    return Int(sqlite3_changes(sqlite3_db_handle(statement.sqliteStatement)))
  }

  /// Runs a statement that writes one row.
  ///
  /// - Throws: an error if nothing was written, because of a trigger of a user: the report would count the row.
  @inline(__always)
  func executeForOneRow() throws {
    if try execute() == 0 { throw ignoredRow }
  }

  private var ignoredRow: DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_CONSTRAINT_TRIGGER,
      message: "the row was not written: a trigger deleted it, or ignored it with RAISE(IGNORE)",
      sql: statement.sql)
  }

  /// Runs the statement for values in the order of its parameters. GRDB would cut strings at a NUL.
  func execute(values: [DatabaseValue]) throws {
    restart().bind(values)
    try execute()
  }
}

extension String {
  var sqlLiteral: String { "'" + replacing("'", with: "''") + "'" }

  /// The name as an SQL identifier.
  var quotedIdentifier: String {
    // Few names contain a quote, and searching for one by characters takes ten times as long.
    "\"" + (utf8.contains(UInt8(ascii: "\"")) ? replacing("\"", with: "\"\"") : self) + "\""
  }
}
