/// Writes the targets of relationships.
extension RowWriter {
  /// Writes the identity of the row that a to-one relationship refers to, the pending key, or null.
  func writeReference(_ link: SyncExportContext.Link, of row: Row, to output: inout JSONWriter) throws {
    guard let related = link.property.related?.syncTable,
      let key = try waitingKeys(link, of: row).first ?? SyncIdentity(row.column(link.position))
    else { return output.writeNull() }
    try writeReference(to: key, in: related, to: &output)
  }

  /// Writes the row that a relationship refers to, the pending key, or null.
  func writeObject(_ link: SyncExportContext.Link, of row: Row, to output: inout JSONWriter) throws {
    if let key = try waitingKeys(link, of: row).first {
      return try output.write(context.json(key, by: link))
    }
    let isStoredHere = link.position < row.table.columnCount
    guard let key = SyncIdentity(row.column(isStoredHere ? link.position : row.table.identity)),
      let related = try link.property.related.map(context.table(of:))
    else { return output.writeNull() }
    guard context.follows(link, to: related) else {
      guard let identity = isStoredHere ? key : try context.identities(link.property, of: key).first else {
        return output.writeNull()
      }
      return try writeReference(to: identity, in: related, to: &output)
    }
    let statement = try statement(link, to: related)
    key.bind(to: statement.restart(), at: 1)
    defer { statement.reset() }
    guard try statement.step() else { return output.writeNull() }
    let object = Row(table: related, statement: statement)
    try write(object, by: plan(of: object, by: link), link, to: &output)
  }

  /// Writes the rows of a list, and the pending keys.
  func writeObjects(_ link: SyncExportContext.Link, of row: Row, to output: inout JSONWriter) throws {
    guard let related = try link.property.related.map(context.table(of:)) else { return output.writeNull() }
    let identity = try row.identity()
    let waiting = try waitingKeys(link, of: row)
    guard context.follows(link, to: related) else {
      let identities = try context.identities(link.property, of: identity)
      return try writeReferences(to: identities, in: related, by: link, waiting: waiting, to: &output)
    }
    let statement = try statement(link, to: related)
    identity.bind(to: statement.restart(), at: 1)
    defer { statement.reset() }
    try writeList(Row(table: related, statement: statement), by: link, waiting: waiting, to: &output)
  }

  /// Writes the identities that a relationship refers to, and the pending keys.
  func writeIdentities(_ link: SyncExportContext.Link, of row: Row, to output: inout JSONWriter) throws {
    if !link.property.isToMany, let key = try waitingKeys(link, of: row).first {
      try output.write(context.json(key, by: link))
    } else {
      try output.write(link.json(context.keys(link, of: row.rowKey())))
    }
  }

  /// The pending keys of a relationship, which are identities: a table whose keys are looked up has no plan.
  func waitingKeys(_ link: SyncExportContext.Link, of row: Row) throws -> [SyncIdentity] {
    guard try context.waiting.hasOwners(link) else { return [] }
    return try context.waiting.keys(link, of: row.rowKey()).map(\.identity)
  }

  /// The statement that reads the rows that a relationship refers to.
  ///
  /// Rows that are nested in rows of the same model are read while the outer rows are: each level has its own statement.
  private func statement(_ link: SyncExportContext.Link, to related: SyncTable) throws -> ReadStatement {
    let isNested = related === link.table
    let key = StatementKey(link: link, level: isNested ? context.level : 0)
    return try statements.value(of: key) {
      let condition =
        context.membership(link.property, in: related) ?? "\(related.identityProperty.quotedName) = ?1"
      let sql =
        "SELECT \(related.columnList) FROM \(related.quotedName) WHERE \(condition)"
        + " ORDER BY \(related.identityProperty.quotedName)"
      return try isNested
        ? ReadStatement(own: sql, in: context.database) : ReadStatement(context.database, sql)
    }
  }
}
