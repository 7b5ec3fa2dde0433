import GRDB
import GRDBSQLite

/// A query as SQL and values, so that equal queries share one statement.
struct BoundSQL {
  let sql: String
  let values: [DatabaseValue]

  init(_ sql: String, _ values: [DatabaseValue]) {
    self.sql = sql
    self.values = values
  }

  /// The SQL and the values of a request, up to the number of values that SQLite accepts.
  init(_ request: some FetchRequest, _ database: Database) throws {
    let statement = try request.makePreparedRequest(database, forSingleResult: false).statement
    guard !statement.arguments.isEmpty else {
      (sql, values) = (statement.sql, [])
      return
    }
    // GRDB does not expose the arguments of a request, so SQLite reads them.
    let handle = statement.sqliteStatement
    let list = (1...max(sqlite3_bind_parameter_count(handle), 1)).map { index in
      sqlite3_bind_parameter_name(handle, index).map { String(cString: $0) } ?? "?"
    }
    // One row for each value: a row has at most 2,000 columns, and a statement may have more parameters.
    let reading = try database.makeStatement(sql: "VALUES (\(list.joined(separator: "), (")))")
    let known = try DatabaseValue.fetchAll(reading, arguments: statement.arguments)
    guard list.contains(where: { $0 != "?" }) else {
      (sql, values) = (statement.sql, known)
      return
    }
    // `:name` and `?1` may occur several times, and would have other numbers in a longer statement.
    var (text, values): (String, [DatabaseValue]) = ("", [])
    var (rest, last) = (statement.sql[...], 0)
    for piece in SQLToken.pieces(of: statement.sql) where piece.token == .parameter {
      let number =
        piece.text == "?" ? last + 1 : Int(sqlite3_bind_parameter_index(handle, String(piece.text)))
      last = max(last, number)
      values.append(known.indices.contains(number - 1) ? known[number - 1] : .null)
      text += rest[..<piece.text.startIndex] + "?"
      rest = rest[piece.text.endIndex...]
    }
    (sql, self.values) = (text + rest, values)
  }

  /// The statement, reset and bound. The first parameters are row numbers; the values follow them.
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

  /// The region that the query reads.
  func region(_ database: Database) throws -> DatabaseRegion {
    try database.cachedStatement(sql: sql).databaseRegion
  }
}
