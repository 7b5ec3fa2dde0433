import GRDB

/// Reads the rows of an export, as JSON.
extension SyncExportContext {
  /// The row that a to-one relationship refers to; null if there is none.
  func related<Model: SyncUpdatableModel>(
    _ model: Model.Type, identity: SyncIdentity, by link: Link
  ) throws -> SyncJSON {
    let table = try catalog.entry(for: model).table
    guard follows(link, to: table) else { return reference(to: identity, in: table, by: link) }
    let condition = "\(table.identityProperty.quotedName) = ?1"
    return try rows(model, of: table, where: condition, is: identity, by: link).first?.json ?? .null
  }

  /// The rows and pending keys of a relationship that is not stored in this table, in order.
  func related(_ link: Link, of owner: RowKey) throws -> [SyncJSON] {
    guard let related = link.property.related else { return [] }
    return try merge(
      rows(related, of: owner.identity, by: link), with: waiting.keys(link, of: owner), by: link, of: owner)
  }

  /// The identities and pending keys of a relationship that is not stored in this table, in order.
  func keys(_ link: Link, of owner: RowKey) throws -> [SyncJSON] {
    try merge(
      identities(link.property, of: owner.identity).map { ($0, json($0, by: link)) },
      with: waiting.keys(link, of: owner), by: link, of: owner)
  }

  /// The identities of linked and pending rows of a relationship that is not stored in this table, in order.
  func listed(_ link: Link, of owner: RowKey) throws -> [SyncIdentity] {
    let members = try identities(link.property, of: owner.identity)
    let waiting = try waiting.keys(link, of: owner).map(\.identity)
    let rows = waiting.isEmpty ? members : Set(members + waiting).sorted()
    return try inOrder(rows, of: link, owner) { $0 }
  }

  /// The rows of a list in the server's order, if it is stored; rows without a position come last.
  func inOrder<Listed>(
    _ rows: [Listed], of link: Link, _ owner: RowKey, _ identity: (Listed) -> SyncIdentity
  ) throws -> [Listed] {
    guard rows.count > 1, let column = link.table.order(of: link.position),
      let related = link.property.related?.syncTable
    else { return rows }
    let order = try ReadStatement(
      database,
      "SELECT listed.\"value\" FROM \(link.table.quotedName) AS owner,"
        + " json_each(owner.\(link.table.properties[column].quotedName)) AS listed"
        + " WHERE owner.\(link.table.identityProperty.quotedName) = ?1"
        + (link.table.parentScope.map { " AND owner.\(link.table.properties[$0].quotedName) = ?2" } ?? "")
        + " ORDER BY listed.\"key\""
    )
    let parameters = order.restart()
    defer { order.reset() }
    owner.identity.bind(to: parameters, at: 1)
    if link.table.parentScope != nil { parameters.bind(owner.parent, at: 2) }
    var places: [SyncIdentity: Int] = [:]
    while try order.step() {
      guard let listed = related.identityKind.identity(stored: order.column(0)) else { continue }
      if places[listed] == nil { places[listed] = places.count }
    }
    return rows.enumerated().sorted { left, right in
      (places[identity(left.element)] ?? .max, left.offset) < (
        places[identity(right.element)] ?? .max, right.offset
      )
    }.map(\.element)
  }

  private func merge(
    _ rows: [(identity: SyncIdentity, json: SyncJSON)], with keys: [WaitingLinks.Key], by link: Link,
    of owner: RowKey
  ) throws -> [SyncJSON] {
    let members = Set(rows.map(\.identity))
    let waiting = keys.filter { $0.isLookedUp || !members.contains($0.identity) }
      .map { (identity: $0.identity, json: json(waiting: $0, by: link)) }
    let all = keys.isEmpty ? rows : (rows + waiting).sorted { $0.identity < $1.identity }
    return try inOrder(all, of: link, owner, \.identity).map(\.json)
  }

  /// The identities that a relationship links, in order.
  func identities(_ property: SyncProperty, of owner: SyncIdentity) throws -> [SyncIdentity] {
    guard let related = property.related else { return [] }
    let table = try table(of: related)
    guard let condition = membership(property, in: table) else { return [] }
    let identity = table.identityProperty.quotedName
    return try ReadStatement(
      database,
      "SELECT \(identity) FROM \(table.quotedName) WHERE \(condition) ORDER BY \(identity)"
    ).identities(of: owner)
  }

  func membership(_ property: SyncProperty, in table: SyncTable) -> String? {
    switch property.kind {
    case .inverse(let column, _): "\(column.quotedIdentifier) = ?1"
    case .link(let link):
      "\(table.identityProperty.quotedName) IN (SELECT \(link.otherColumn)"
        + " FROM \(link.quotedName) WHERE \(link.ownColumn) = ?1)"
    case .scalar, .toOne: nil
    }
  }

  private func rows<Model: SyncUpdatableModel>(
    _ model: Model.Type, of owner: SyncIdentity, by link: Link
  ) throws -> [(identity: SyncIdentity, json: SyncJSON)] {
    let table = try catalog.entry(for: model).table
    guard follows(link, to: table) else {
      return try identities(link.property, of: owner).map { ($0, reference(to: $0, in: table, by: link)) }
    }
    guard let condition = membership(link.property, in: table) else { return [] }
    return try rows(model, of: table, where: condition, is: owner, by: link)
  }

  /// The rows that meet a condition, ordered by identity, as JSON. All are read before any is written, since writing a row reads
  /// nested rows.
  private func rows<Model: SyncUpdatableModel>(
    _ model: Model.Type, of table: SyncTable, where condition: String, is identity: SyncIdentity,
    by link: Link
  ) throws -> [(identity: SyncIdentity, json: SyncJSON)] {
    let columns = table.isGenerated ? table.exportedColumns : "*"
    let sql =
      "SELECT \(columns) FROM \(table.quotedName) WHERE \(condition)"
      + " ORDER BY \(table.identityProperty.quotedName)"
    let rows: [Model]
    if table.isGenerated {
      let statement = try ReadStatement(database, sql)
      identity.bind(to: statement.restart(), at: 1)
      rows = try statement.all { try Model(columns: $0.decoder(of: table)) }
    } else {
      rows = try Model.fetchAll(database, sql: sql, arguments: [identity.databaseValue])
    }
    return try rows.map { ($0[keyPath: Model.syncIdentity].syncIdentity, try json($0, by: link)) }
  }

  /// The stored rows of a model, ordered by `@Position` or identity. Strings are complete: GRDB's own fetches cut them at a NUL.
  func values<Model: SyncUpdatableModel>(of model: Model.Type, in table: SyncTable) throws -> [Model] {
    guard table.isGenerated else { return try Model.fetchAll(database) }
    return try select(table.columnList, table, of: nil).all { try Model(columns: $0.decoder(of: table)) }
  }

  /// The rows of a model, ordered by `@Position` or identity.
  func all<Model: SyncUpdatableModel>(
    _ model: Model.Type, parent: ParentScope? = nil, _ body: (SyncJSON) throws -> Void
  ) throws {
    let table = try catalog.entry(for: model).table
    guard table.isGenerated else {
      let rows = try Model.fetchAll(database).sorted {
        $0[keyPath: Model.syncIdentity].syncIdentity < $1[keyPath: Model.syncIdentity].syncIdentity
      }
      for row in rows { try body(json(row)) }
      return
    }
    let statement = try select(table.exportedColumns, table, of: parent)
    defer { statement.reset() }
    while try statement.step() { try body(json(Model(columns: statement.decoder(of: table)))) }
  }

  /// Writes the rows of a model as the text of a list, ordered by `@Position` or identity.
  func write<Model: SyncUpdatableModel>(
    _ model: Model.Type, parent: ParentScope? = nil, to drain: @escaping JSONWriter.Drain
  ) throws {
    var output = JSONWriter(drain: drain)
    let table = try catalog.entry(for: model).table
    let rows = RowWriter(self)
    if try rows.canWrite(table) {
      let statement = try select(table.exportedColumns, table, of: parent)
      defer { statement.reset() }
      try rows.writeList(RowWriter.Row(table: table, statement: statement), to: &output)
    } else {
      try output.writeList { writeElement in
        try all(model, parent: parent) { row in try writeElement(row) }
      }
    }
    try output.drainAll()
  }

  /// A statement that has not been stepped yet. Its rows are written out while it is open.
  private func select(
    _ columns: String, _ table: SyncTable, of parent: ParentScope?
  ) throws -> ReadStatement {
    let column = parent?.relationship
    let sql =
      "SELECT \(columns) FROM \(table.quotedName)"
      + (column.map { " WHERE \($0.quotedIdentifier) = ?1" } ?? "") + " ORDER BY \(table.rowOrder)"
    // If the parent is a row of the same model, the same SQL reads the rows nested in each one.
    let link = column.flatMap(table.position(of:)).map { table.properties[$0] }
    let isOfOwnModel = link?.related?.syncTable === table
    let statement =
      try isOfOwnModel ? ReadStatement(own: sql, in: database) : ReadStatement(database, sql)
    let parameters = statement.restart()
    parent?.identity.bind(to: parameters, at: 1)
    return statement
  }
}

extension SyncTable {
  /// The columns that exports read, as SQL. The order of a list is replaced by NULL: it is as long as the list, and the list
  /// reads it when it is written. Otherwise each nested row would decode it.
  fileprivate var exportedColumns: String {
    guard properties.contains(where: { $0.orderedList != nil }) else { return columnList }
    return properties.prefix(columnCount).map { $0.orderedList == nil ? $0.quotedName : "NULL" }
      .joined(separator: ", ")
  }

  /// The order of all rows, as SQL: by `@Position` if the model has one, then by identity.
  var rowOrder: String {
    let places = place.map { ["\(properties[$0].quotedName) IS NULL", properties[$0].quotedName] } ?? []
    let others = [identity, parentScope].compactMap { $0 }.map { properties[$0].quotedName }
    return (places + others).joined(separator: ", ")
  }
}
