import GRDB
import GRDBSQLite

/// A query as text and values, so that all who ask the same share one statement.
struct BoundSQL {
  let sql: String
  let values: [DatabaseValue]

  init(_ sql: String, _ values: [DatabaseValue]) {
    self.sql = sql
    self.values = values
  }

  /// The text and the values of a request, of as many values as SQLite accepts.
  init(_ request: some FetchRequest, _ database: Database) throws {
    let statement = try request.makePreparedRequest(database, forSingleResult: false).statement
    sql = statement.sql
    guard !statement.arguments.isEmpty else {
      values = []
      return
    }
    // GRDB does not say what the arguments of a request are; SQLite does.
    let handle = statement.sqliteStatement
    let list = (1...max(sqlite3_bind_parameter_count(handle), 1)).map { index in
      sqlite3_bind_parameter_name(handle, index).map { String(cString: $0) } ?? "?"
    }
    // One row each: a row has no more than 2,000 columns, and statements have more parameters.
    let reading = try database.makeStatement(sql: "VALUES (\(list.joined(separator: "), (")))")
    values = try DatabaseValue.fetchAll(reading, arguments: statement.arguments)
  }

  /// The statement at its start. The first parameters are for row numbers, the values follow them.
  func statement(_ numbers: Int64..., in database: Database) throws -> ReadStatement {
    let statement = try ReadStatement(database, sql)
    let parameters = statement.restart()
    for (index, number) in numbers.enumerated() {
      parameters.bind(number, at: Int32(truncatingIfNeeded: index + 1))
    }
    for (index, value) in values.enumerated() {
      parameters.bind(value, at: Int32(truncatingIfNeeded: numbers.count + index + 1))
    }
    return statement
  }

  /// What the query reads.
  func region(_ database: Database) throws -> DatabaseRegion {
    try database.cachedStatement(sql: sql).databaseRegion
  }
}
