import GRDB
import GRDBSQLite

/// The SQL that maintains a list, and properties that are derived from it.
///
/// GRDB writes the condition and the order once. Lists that differ only in values have the same SQL, and share SQLite's
/// statements.
struct ListStatements<Model: SyncUpdatableModel> {
  /// All rows in their order, with their numbers.
  let rows: BoundSQL
  /// The numbers of all rows in their order.
  let numbers: BoundSQL
  /// The row with a number, if the list contains it.
  let row: BoundSQL
  /// The numbers of two rows in their order. Updates of columns that it reads may move rows.
  let comparison: BoundSQL
  /// How many values are bound to read a single row.
  let valueCount: Int
  /// Whether membership and position of a row depend only on that row, so that rows can be updated one by one.
  let isMaintainable: Bool
  /// The column value that all rows share, if there is one.
  let route: Route?
  /// The condition. Updates of columns that it reads may add rows to the list, or remove them.
  let condition: BoundSQL

  init(_ query: ListQuery<Model>, reading count: Int?, _ database: Database) throws {
    let table = Model.syncTable
    let number = "\(table.quotedName).\(table.rowNumberColumn)"
    let columns = "\(table.columnList), \(number)"
    let source = "FROM \(table.quotedName)"
    let written = try SQLParts(
      BoundSQL(query.ordered(query.filtered(Model.select(sql: number))), database))
    var conditions = written.condition.map { ["(\($0.sql))"] } ?? []
    var values = written.condition?.values ?? []
    if let related = query.related {
      conditions.append(related.condition)
      values.append(related.identity.databaseValue)
    }
    let filter = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    let all = "\(source)\(filter) ORDER BY \(written.order.sql)" + (count.map { " LIMIT \($0)" } ?? "")
    rows = BoundSQL("SELECT \(columns) \(all)", values + written.order.values)
    numbers = BoundSQL("SELECT \(number) \(all)", values + written.order.values)
    let own = (["\(number) = ?"] + conditions).joined(separator: " AND ")
    row = BoundSQL("SELECT \(columns) \(source) WHERE \(own)", values)
    comparison = BoundSQL(
      "SELECT \(number) \(source) WHERE \(number) IN (?, ?) ORDER BY \(written.order.sql)",
      written.order.values)
    condition = BoundSQL("SELECT \(number) \(source)\(filter)", values)
    valueCount = values.count + written.order.values.count
    // Queries for single rows have up to two parameters more than the query.
    let parameterLimit = Int(sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
    isMaintainable =
      valueCount + 2 <= parameterLimit && written.order.pieces.dependOnRowAlone
      && written.condition?.pieces.dependOnRowAlone ?? true
    route = isMaintainable ? ListStatements.sameValue(query, written.condition, database) : nil
  }

  // MARK: Reading

  /// Reads all rows.
  func fetchRows(_ database: Database) throws -> MaintainedRows<Model> {
    let statement = try rows.statement(in: database)
    defer { statement.reset() }
    var read = MaintainedRows<Model>()
    while try statement.step() { read.append(try ListStatements.row(statement)) }
    return read
  }

  /// The current row of a statement that selects all columns.
  static func row(_ statement: ReadStatement) throws -> FollowedRow<Model> {
    let table = Model.syncTable
    return FollowedRow(
      number: statement.column(table.columnCount).int64, hash: statement.hash(ofColumns: table.columnCount),
      model: try Model(columns: statement.decoder(of: table)))
  }

  // MARK: Analyzing

  /// Finds a column value that all rows share.
  private static func sameValue(
    _ query: ListQuery<Model>, _ condition: SQLParts.Part?, _ database: Database
  ) -> Route? {
    let table = Model.syncTable
    func route(_ column: String, _ value: DatabaseValue) -> Route? {
      guard let property = table.columns.first(where: { $0.name == column }),
        property.columnType.isClass(of: value),
        // Other collations treat different strings as equal. A column may have one in a table that the user has created.
        database.collation(of: column, in: table.name)?.uppercased() == "BINARY"
      else { return nil }
      return Route(
        column: .init(
          table: table.name, rowNumberColumn: table.rowNumberColumn,
          numbers: table.numberColumn, name: column), value: value)
    }
    // If the list depends on other tables too, a value does not find its changes.
    guard query.refreshTables.isEmpty, query.related?.table == nil else { return nil }
    if let related = query.related, let column = related.column {
      return route(column, related.identity.databaseValue)
    }
    return condition?.pieces.equalities.lazy.compactMap {
      route($0.column, condition?.values[$0.parameter] ?? .null)
    }
    .first
  }

  /// Whether a query reads columns of the list's table.
  static func reads(_ query: BoundSQL, _ columns: Set<String>, _ database: Database) throws -> Bool {
    let update = DatabaseEventKind.update(tableName: Model.syncTable.name, columnNames: columns)
    return try query.region(database).isModified(byEventsOfKind: update)
  }
}

extension ColumnType {
  /// Whether a column of this type stores a value unchanged.
  fileprivate func isClass(of value: DatabaseValue) -> Bool {
    switch (self, value.storage) {
    case (.integer, .int64), (.text, .string), (.blob, .blob): true
    default: false
    }
  }
}
