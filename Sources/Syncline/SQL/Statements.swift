import GRDB
import GRDBSQLite

extension Database {
  /// A statement of GRDB's cache, at its start and without arguments.
  ///
  /// A cached statement whose last step failed may not have been reset, by whoever used it: SQLite then returns
  /// the error again from the first reset, and GRDB takes that for a mistake of the program.
  fileprivate func restartedStatement(_ sql: String) throws -> Statement {
    let statement = try cachedStatement(sql: sql)
    sqlite3_reset(statement.sqliteStatement)
    statement.setUncheckedArguments([])
    return statement
  }
}

extension Database {
  /// How many bytes a value or a row has at most.
  var lengthLimit: Int {
    sqliteConnection.map { Int(sqlite3_limit($0, SQLITE_LIMIT_LENGTH, -1)) } ?? .max
  }

  /// Runs a transaction that ends in any case, and throws the first error of it.
  ///
  /// GRDB prepares ROLLBACK when it is needed. Where memory is exhausted that fails, and a transaction that is left open
  /// is a trap. So it is prepared before the transaction begins.
  func transaction(
    _ kind: TransactionKind, _ operations: () throws -> TransactionCompletion
  ) throws {
    let rollback = try cachedStatement(sql: "ROLLBACK TRANSACTION")
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
      // The error that led here is the one to throw.
      if hasBegun, isInsideTransaction { try? rollback.execute() }
      throw SQLFault.take() ?? error
    }
  }
}

/// A statement that reads. It steps by itself: reading needs no observation.
struct ReadStatement {
  private let statement: Statement
  /// The statement's own. Asking the statement for each row would count references.
  let handle: SQLiteStatement
  private unowned(unsafe) let database: Database

  /// A cached statement. It is one for all who ask for the same SQL.
  init(_ database: Database, _ sql: String) throws {
    self.database = database
    statement = try database.restartedStatement(sql)
    handle = statement.sqliteStatement
  }

  /// A statement of its own, for SQL that is read while another of the same text is.
  init(own sql: String, in database: Database) throws {
    self.database = database
    statement = try database.makeStatement(sql: sql)
    handle = statement.sqliteStatement
  }

  /// The statement at its start, for binding.
  @inline(__always)
  func restart() -> SyncStatement {
    reset()
    return SyncStatement(handle: handle)
  }

  /// Ends the reading, so that it holds no lock.
  ///
  /// Where memory was exhausted when a column was read, SQLite says so here.
  @inline(__always)
  func reset() {
    if sqlite3_reset(handle) == SQLITE_NOMEM { SQLFault.note(SQLITE_NOMEM) }
  }

  /// Moves to the next row; false at the end, after which it must not be called again.
  @inline(__always)
  func step() throws -> Bool {
    try SQLFault.check()
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw failure(code)
  }

  /// What a failed step is thrown as. The statement is reset: it goes back to the cache as it came.
  private func failure(_ code: Int32) -> DatabaseError {
    let message = database.lastErrorMessage
    sqlite3_reset(handle)
    return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: statement.sql)
  }

  @inline(__always)
  func column(_ index: Int) -> SyncColumn {
    SyncColumn(handle: handle, index: Int32(truncatingIfNeeded: index))
  }
}

/// A cached statement that writes. It runs through GRDB, which observes it.
struct WriteStatement {
  private let statement: Statement
  private unowned(unsafe) let database: Database

  init(_ database: Database, _ sql: String) throws {
    self.database = database
    statement = try database.restartedStatement(sql)
  }

  /// The statement at its start, for binding.
  @inline(__always)
  func restart() -> SyncStatement {
    sqlite3_reset(statement.sqliteStatement)
    return SyncStatement(handle: statement.sqliteStatement)
  }

  /// Forgets what the parameters are bound to.
  func clearBindings() {
    sqlite3_clear_bindings(statement.sqliteStatement)
  }

  /// Runs the statement; returns how many rows it changed.
  @discardableResult
  func execute() throws -> Int {
    try SQLFault.check()
    do {
      try statement.execute()
    } catch {
      // GRDB resets it where the step failed, and not where an observer did.
      sqlite3_reset(statement.sqliteStatement)
      throw error
    }
    return database.changesCount
  }
}

extension String {
  /// The text as an SQL literal.
  var sqlLiteral: String { "'" + replacing("'", with: "''") + "'" }

  /// The name as an SQL identifier.
  var quotedIdentifier: String {
    // Nearly all have none to double, and looking for them as characters takes ten times as long.
    "\"" + (utf8.contains(UInt8(ascii: "\"")) ? replacing("\"", with: "\"\"") : self) + "\""
  }
}
