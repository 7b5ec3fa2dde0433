import GRDB

/// Reading and writing what is stored of relationships, one link at a time.
extension SyncSession {
  /// The identities of the rows that a relationship links.
  func members(_ model: ModelSession, _ position: Int, _ owner: RowKey) throws -> [SyncIdentity] {
    let property = model.table.properties[position]
    switch property.kind {
    case .inverse(let column, _):
      guard let related = property.related else { return [] }
      let target = try models(related)
      guard let slot = target.table.position(of: column) else { return [] }
      return try target.holders(of: owner.identity, at: slot)
    case .link(let link):
      return try model.read(
        .members, at: position,
        sql: "SELECT \(link.otherColumn) FROM \(link.quotedName) WHERE \(link.ownColumn) = ?1"
      ).identities(of: owner.identity)
    case .scalar, .toOne: return []
    }
  }

  /// Adds a link to a table of links.
  func addMember(_ model: ModelSession, _ position: Int, _ owner: RowKey, _ member: SyncIdentity) throws {
    guard case .link(let link) = model.table.properties[position].kind else { return }
    let added = try model.write(
      .addLink, at: position,
      sql: "INSERT INTO \(link.quotedName) (\(link.ownColumn), \(link.otherColumn)) VALUES (?1, ?2)"
        + " ON CONFLICT DO NOTHING"
    ).execute(owner.identity, member)
    if added > 0 { links.recordAdded(link, model, owner, member) }
  }

  /// Takes a member out of a table of links.
  func unlink(
    _ model: ModelSession, _ position: Int, _ link: LinkTable, _ owner: RowKey, _ member: SyncIdentity
  ) throws {
    try model.write(
      .removeLink, at: position,
      sql: "DELETE FROM \(link.quotedName) WHERE \(link.ownColumn) = ?1 AND \(link.otherColumn) = ?2"
    ).execute(owner.identity, member)
    if let related = model.table.properties[position].related {
      links.recordRemoved(link, model, owner, member, in: try models(related))
    }
  }
}
