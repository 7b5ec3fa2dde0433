import GRDB

/// Statements that run for many rows. The SQL of each is built only once.
final class StatementCache<Purpose: Hashable> {
  private unowned(unsafe) let database: Database
  private var reads: [Purpose: ReadStatement] = [:]
  private var writes: [Purpose: WriteStatement] = [:]

  init(_ database: Database) {
    self.database = database
  }

  func read(_ purpose: Purpose, _ sql: @autoclosure () throws -> String) throws -> ReadStatement {
    if let statement = reads[purpose] { return statement }
    let statement = try ReadStatement(database, sql())
    reads[purpose] = statement
    return statement
  }

  func write(_ purpose: Purpose, _ sql: @autoclosure () throws -> String) throws -> WriteStatement {
    if let statement = writes[purpose] { return statement }
    let statement = try WriteStatement(database, sql())
    writes[purpose] = statement
    return statement
  }
}
