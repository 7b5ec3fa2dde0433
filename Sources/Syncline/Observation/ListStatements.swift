import GRDB

/// The SQL that a list is maintained by, and what may be concluded from it.
struct ListStatements<Model: SyncUpdatableModel> {
  /// All rows in their order, with their numbers.
  let rows: BoundSQL
  /// The numbers of all rows in their order.
  let numbers: BoundSQL
  /// The row of a number, where the list has it.
  let row: BoundSQL
  /// The numbers of two rows in their order.
  let comparison: BoundSQL
  /// Whether the rows of the table alone decide what the list has, each for itself.
  let isMaintainable: Bool
  /// What else is read, where that does not hold.
  let region: DatabaseRegion
  private let filterRegion: DatabaseRegion
  private let orderRegion: DatabaseRegion
  /// The same value in all rows, where there is one.
  let route: Route?

  init(_ query: ListQuery<Model>, reading count: Int?, _ database: Database) throws {
    let table = Model.syncTable
    let number = "\(table.quotedName).\(table.rowNumberColumn)"
    let columns = "\(table.columnList), \(number)"
    func all(_ selection: String) -> QueryInterfaceRequest<Model> {
      let request = query.ordered(query.filtered(Model.select(sql: selection)))
      return count.map { request.limit($0) } ?? request
    }
    // SQLite numbers parameters from left to right: those of the row numbers come first.
    let one = query.filtered(Model.select(sql: columns).filter(sql: "\(number) = ?", arguments: [0]))
    let pair = query.ordered(
      Model.select(sql: number).filter(sql: "\(number) IN (?, ?)", arguments: [0, 0]))
    rows = try BoundSQL(all(columns), database)
    numbers = try BoundSQL(all(number), database)
    row = try BoundSQL(one, database)
    comparison = try BoundSQL(pair, database)

    var withoutLinks = query
    withoutLinks.related = nil
    let filter = withoutLinks.filtered(Model.select(sql: number))
    let order = query.ordered(Model.select(sql: number))
    let filterTokens = SQLToken.tokens(of: try BoundSQL(filter, database).sql)
    let orderTokens = SQLToken.tokens(of: try BoundSQL(order, database).sql)
    // The word that a query begins with is no query within it.
    isMaintainable =
      Array(filterTokens.dropFirst()).dependOnRowAlone
      && Array(orderTokens.dropFirst()).dependOnRowAlone
    filterRegion = try query.filtered(Model.select(sql: number)).databaseRegion(database)
    orderRegion = try order.databaseRegion(database)
    region = filterRegion.union(orderRegion)
    route = try isMaintainable ? ListStatements.route(of: query, where: filter, filterTokens, database) : nil
  }

  /// Reads all rows.
  func fetchRows(_ database: Database) throws -> ChunkedRows<Model> {
    let statement = try rows.statement(in: database)
    defer { statement.reset() }
    var read = ChunkedRows<Model>()
    while try statement.step() { read.append(try ListStatements.row(statement)) }
    return read
  }

  /// The current row of a statement of all columns.
  static func row(_ statement: ReadStatement) throws -> FollowedRow<Model> {
    let table = Model.syncTable
    return FollowedRow(
      number: statement.column(table.columnCount).int64, hash: statement.hash(ofColumns: table.columnCount),
      model: try Model(columns: statement.decoder(of: table)))
  }

  /// Finds what is the same in all rows.
  private static func route(
    of query: ListQuery<Model>, where filter: QueryInterfaceRequest<Model>, _ tokens: [SQLToken],
    _ database: Database
  ) throws -> Route? {
    let table = Model.syncTable
    func route(_ column: String, _ value: DatabaseValue) -> Route? {
      guard let property = table.columns.first(where: { $0.name == column }),
        property.columnType.isClass(of: value)
      else { return nil }
      return Route(
        column: .init(table: table.name, rowNumberColumn: table.rowNumberColumn, name: column), value: value)
    }
    // What else it depends on is not found by a value.
    guard query.refreshTables.isEmpty, query.related?.table == nil else { return nil }
    if let related = query.related, let column = related.column {
      return route(column, related.identity.databaseValue)
    }
    guard let start = tokens.firstIndex(of: .word("WHERE")) else { return nil }
    let values = try BoundSQL(filter, database).values
    for (column, parameter) in Array(tokens[(start + 1)...]).equalities
    where values.indices.contains(parameter) {
      if let route = route(column, values[parameter]) { return route }
    }
    return nil
  }

  /// Whether updates of columns may bring rows into the list, or out of it.
  func filterReads(_ columns: Set<String>) -> Bool { ListStatements.reads(filterRegion, columns) }

  /// Whether updates of columns may move rows.
  func orderReads(_ columns: Set<String>) -> Bool { ListStatements.reads(orderRegion, columns) }

  private static func reads(_ region: DatabaseRegion, _ columns: Set<String>) -> Bool {
    region.isModified(byEventsOfKind: .update(tableName: Model.syncTable.name, columnNames: columns))
  }
}

extension ColumnType {
  /// Whether a column of this type stores a value as it is.
  fileprivate func isClass(of value: DatabaseValue) -> Bool {
    switch (self, value.storage) {
    case (.integer, .int64), (.text, .string), (.blob, .blob): true
    default: false
    }
  }
}
