import GRDB

/// The stored rows that a list covers: all rows of a model, the rows of one parent, or the rows that meet a condition.
struct StoredSlice {
  let table: SyncTable
  let scope: PayloadObject.Scope?
  /// The condition that the rows meet; nil for all rows.
  var condition: SQLExpression?
  /// Whether rows that are marked as deleted are left out.
  var omitsMarked = false

  /// The rows that are deleted or marked unless the payload has them.
  struct Rows {
    fileprivate(set) var identities: [SyncIdentity] = []
    /// The rows of other parents that meet the condition; nil without a condition or a parent.
    fileprivate var others: Set<SyncIdentity>?

    /// Whether a row that came to the parent with the payload may be missing from its list.
    func mayHave(arrived identity: SyncIdentity) -> Bool { others?.contains(identity) ?? true }
  }

  func forEachRow(_ database: Database, _ body: (SyncIdentity) -> Void) throws {
    try forEach(database, filtered(select(identity), by: scope)) { statement in
      if let row = SyncIdentity(statement.column(0)) { body(row) }
    }
  }

  /// The rows that may be missing from a list, once the payload was read.
  func rows(_ database: Database) throws -> Rows {
    var rows = Rows()
    guard let scope, condition != nil, table.parentScope == nil else {
      try forEachRow(database) { rows.identities.append($0) }
      return rows
    }
    // Rows of other parents may come to this parent with the payload.
    rows.others = []
    try forEach(database, filtered(select(identity, column(scope.position)), by: nil)) { statement in
      guard let row = SyncIdentity(statement.column(0)) else { return }
      if SyncIdentity(statement.column(1)) == scope.parent {
        rows.identities.append(row)
      } else {
        rows.others?.insert(row)
      }
    }
    return rows
  }

  /// A string that is the same for slices of the same rows; empty for all rows.
  ///
  /// - Parameter hasValues: whether slices whose conditions differ only in values have different strings.
  func name(_ database: Database, hasValues: Bool = true) throws -> String {
    let parent = scope.map { "\(table.properties[$0.position].name)=\($0.parent)" } ?? ""
    guard let condition else { return parent }
    let query = try BoundSQL(select(identity).filter(condition), database)
    return hasValues ? "\(parent) \(query.sql) \(query.values)" : "\(parent) \(query.sql)"
  }

  private var identity: Column { column(table.identity) }

  private func column(_ position: Int) -> Column { Column(table.properties[position].name) }

  private func select(_ columns: Column...) -> QueryInterfaceRequest<Row> {
    Table<Row>(table.name).all().select(columns)
  }

  private func filtered(
    _ request: QueryInterfaceRequest<Row>, by scope: PayloadObject.Scope?
  ) -> QueryInterfaceRequest<Row> {
    var request = request
    if let scope { request = request.filter(column(scope.position) == scope.parent.databaseValue) }
    if omitsMarked, let mark = table.softDelete { request = request.filter(column(mark) == nil) }
    return condition.map { request.filter($0) } ?? request
  }

  private func forEach(
    _ database: Database, _ request: QueryInterfaceRequest<Row>, _ body: (ReadStatement) -> Void
  ) throws {
    let statement = try BoundSQL(request, database).statement(in: database)
    defer { statement.reset() }
    while try statement.step() { body(statement) }
  }
}
