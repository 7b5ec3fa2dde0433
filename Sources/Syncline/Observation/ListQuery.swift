import GRDB

/// Which rows of a model to follow, and in which order.
struct ListQuery<Model: SyncUpdatableModel>: Sendable {
  let filter: SQLExpression?
  let order: [SQLOrdering]
  let limit: Int?
  /// The tables of models whose changes publish the rows again, changed or not.
  let refreshTables: Set<String>
  /// The relationship that links the rows to one row; or the identity, for a query of one row.
  private let relationship: Relationship?
  /// The resolved relationship; nil before `resolved()`.
  var related: RelatedRows?

  init(
    where filter: (any SQLExpressible)? = nil, orderBy order: [any SQLOrderingTerm] = [], limit: Int? = nil,
    relationship: Relationship? = nil, refreshOn: [any SyncUpdatableModel.Type] = []
  ) {
    self.filter = filter?.sqlExpression
    self.order = order.map(\.sqlOrdering)
    // Larger limits have no effect, since no table has so many rows.
    self.limit = limit.flatMap { $0 < 1 << 40 ? max($0, 0) : nil }
    self.relationship = relationship
    // Links are changes of the rows at both ends, and only one of the ends has their table.
    let ends = refreshOn.isEmpty ? [] : refreshOn + [Model.self]
    let linkTables = ends.flatMap { $0.syncTable.properties }.compactMap { property in
      if case .link(let links) = property.kind { links.name } else { nil }
    }
    refreshTables = Set(refreshOn.map { $0.syncTable.name } + linkTables)
  }

  /// The query for the row with an identity.
  static func row(_ id: Model.SyncID, _ refreshOn: [any SyncUpdatableModel.Type]) -> ListQuery {
    // A condition of GRDB would cut the identity at a NUL. That of a relationship is bound without GRDB.
    let identity = Relationship(name: Model.syncTable.identityProperty.name, identity: id.syncIdentity)
    return ListQuery(limit: 1, relationship: identity, refreshOn: refreshOn)
  }

  /// The query with its relationship resolved.
  ///
  /// - Throws: ``SyncError/schemaValidation(reason:)`` if the model has no such relationship.
  func resolved() throws -> ListQuery {
    var query = self
    query.related = try relationship.map { try RelatedRows(of: Model.syncTable, $0) }
    return query
  }

  /// A string that is the same for equal queries.
  func key(in container: SyncContainer) -> String {
    let filter = filter.map { "\($0)" } ?? ""
    let relationship = relationship.map { "\($0)" } ?? ""
    let text = "\(filter) \(order) \(limit ?? -1) \(relationship) \(refreshTables.sorted())"
    // GRDB's descriptions of blobs and subqueries do not show their contents.
    guard text.contains("Data(") || text.contains("DatabasePromise<") else { return text }
    // If the request cannot be prepared, reading the rows throws the error.
    let bound = try? container.database.snapshot { try BoundSQL(filtered(Model.all()), $0) }
    return "\(text) \(bound?.sql ?? "") \(bound?.values.fingerprint ?? 0)"
  }

  /// The request for all rows. The identity is its last ordering term.
  var request: QueryInterfaceRequest<Model> {
    let rows = related.map { Model.filter($0.expression) } ?? Model.all()
    let request = ordered(filtered(rows))
    return limit.map { request.limit($0) } ?? request
  }

  func fetch(_ database: Database) throws -> SyncRows<Model> {
    guard Model.syncTable.isGenerated else { return try fetchRecords(database) }
    let rows = try ListStatements(self, reading: limit, database).fetchRows(database)
    return SyncRows(rows.list)
  }

  /// Fetches models that decode their rows themselves.
  private func fetchRecords(_ database: Database) throws -> SyncRows<Model> {
    let number = "syncline_row_number"
    let column = SQL(sql: "\(Model.syncTable.quotedName).\(Model.syncTable.rowNumberColumn)").forKey(number)
    let cursor = try Row.fetchCursor(database, request.annotated(with: [column]))
    var rows = MaintainedRows<Model>()
    while let row = try cursor.next() {
      rows.append(
        FollowedRow(
          number: row[number], hash: Array(row.databaseValues).fingerprint, model: try Model(row: row)))
    }
    return SyncRows(rows.list)
  }

  func filtered(_ request: QueryInterfaceRequest<Model>) -> QueryInterfaceRequest<Model> {
    filter.map { request.filter($0) } ?? request
  }

  func ordered(_ request: QueryInterfaceRequest<Model>) -> QueryInterfaceRequest<Model> {
    let table = Model.syncTable
    // The same identity may exist under several parents.
    let last = [table.identityProperty.name] + (table.parentScope.map { [table.properties[$0].name] } ?? [])
    return request.order(order + last.map { Column($0).sqlOrdering })
  }
}

/// A relationship of a model, and a row that it may refer to; or a model's identity, and the row that has it.
struct Relationship: Sendable {
  /// The property's name; nil if the model has no such relationship.
  let name: String?
  let identity: SyncIdentity
}

extension Relationship {
  init<Model: SyncUpdatableModel>(_ path: PartialKeyPath<Model>, _ identity: SyncIdentity) {
    self.init(name: Model.syncRelationshipName(path), identity: identity)
  }
}

/// The rows of a model that a relationship links to one row.
struct RelatedRows: Sendable {
  /// The condition for a query of the model's table only. Its parameter is the row's identity.
  let condition: String
  /// The same condition for any request.
  let expression: SQLExpression
  /// The table that stores the links, if that is not the model's own.
  let table: String?
  /// The column of the model that stores the link, if there is one.
  let column: String?
  let identity: SyncIdentity

  /// - Throws: ``SyncError/schemaValidation(reason:)`` if the model has no such relationship.
  init(of table: SyncTable, _ relationship: Relationship) throws {
    guard let name = relationship.name, let position = table.position(of: name) else {
      throw SyncError.schemaValidation(reason: "the key path is not a relationship of “\(table.name)”")
    }
    identity = relationship.identity
    let value = identity.databaseValue
    let property = table.properties[position]
    let links: (table: String, own: String, other: String)
    switch property.kind {
    case .toOne, .scalar:
      condition = "\(table.quotedName).\(property.quotedName) = ?"
      expression = Column(name) == value
      (self.table, column) = (nil, name)
      return
    case .link(let table): links = (table.name, table.ownColumn, table.otherColumn)
    case .inverse(let column, _):
      let related = property.related?.syncTable
      links = (related?.name ?? "", column, related?.identityProperty.name ?? "")
    }
    let list =
      "SELECT \(links.own.quotedIdentifier) FROM \(links.table.quotedIdentifier)"
      + " WHERE \(links.other.quotedIdentifier) = ?"
    let own = table.identityProperty
    condition = "\(table.quotedName).\(own.quotedName) IN (\(list))"
    expression = SQL("\(Column(own.name)) IN (\(SQL(sql: list, arguments: [value])))").sqlExpression
    (self.table, column) = (links.table, nil)
  }
}
