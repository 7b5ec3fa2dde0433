/// Reading and writing stored links, one at a time.
extension Run {
  /// The identities that a row's relationship links; empty for the row's own column.
  func members(of place: LinkPlace) throws -> [SyncIdentity] {
    let end = place.end
    switch end.storage {
    case .column: return []
    case .inverse:
      guard let column = end.memberColumn else { return [] }
      return try rows(end.target).holders(of: place.owner.identity, at: column.position)
    case .table: return try memberStatement(of: place)?.identities(of: place.owner.identity) ?? []
    }
  }

  /// The identities that a join table links to a row of its own end.
  func members(of row: SyncIdentity, in link: SyncLinkTable) throws -> [SyncIdentity] {
    try ReadStatement(database, Run.membersSQL(link)).identities(of: row)
  }

  private static func membersSQL(_ link: SyncLinkTable) -> String {
    "SELECT \(link.otherColumn) FROM \(link.quotedName) WHERE \(link.ownColumn) = ?1"
  }

  /// Whether a row is a member of a list in a join table.
  func isMember(_ member: SyncIdentity, of place: LinkPlace) throws -> Bool {
    guard let link = place.end.linkTable else { return false }
    return try rows(place.end.owner).statements.read(
      .member(place.end.position),
      "SELECT 1 FROM \(link.quotedName) WHERE \(link.ownColumn) = ?1 AND \(link.otherColumn) = ?2"
    ).exists([place.owner.identity, member])
  }

  /// The statement that reads a row's members from a join table.
  func memberStatement(of place: LinkPlace) throws -> ReadStatement? {
    guard let link = place.end.linkTable else { return nil }
    return try rows(place.end.owner).statements.read(.members(place.end.position), Run.membersSQL(link))
  }

  func addMember(_ member: SyncIdentity, to place: LinkPlace) throws {
    guard let link = place.end.linkTable else { return }
    let added = try rows(place.end.owner).statements.write(
      .insertLink(place.end.position),
      "INSERT INTO \(link.quotedName) (\(link.ownColumn), \(link.otherColumn)) VALUES (?1, ?2)"
        + " ON CONFLICT DO NOTHING"
    ).execute(place.owner.identity, member)
    if added > 0 { ledger.recordAdded(member, to: place) }
  }

  func removeMember(_ member: SyncIdentity, from place: LinkPlace) throws {
    guard let link = place.end.linkTable else { return }
    try rows(place.end.owner).statements.write(
      .deleteLink(place.end.position),
      "DELETE FROM \(link.quotedName) WHERE \(link.ownColumn) = ?1 AND \(link.otherColumn) = ?2"
    ).execute(place.owner.identity, member)
    try ledger.recordRemoved(member, from: place)
  }
}
