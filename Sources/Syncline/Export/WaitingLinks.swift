import GRDB

/// The pending links of an export, which writes only their keys. If there are none, this takes one query.
final class WaitingLinks {
  private let database: Database
  /// Whether rows of a table have pending links of a relationship, queried once.
  private var waits: [Link: Bool] = [:]
  private var contradictions: [Link: Bool] = [:]
  private var known: Bool?

  typealias Link = SyncExportContext.Link

  /// The key of a pending link.
  struct Key {
    let identity: SyncIdentity
    /// Whether it is the value by which the row is looked up, instead of its identity.
    let isLookedUp: Bool
  }

  init(_ database: Database) {
    self.database = database
  }

  func hasEntries() throws -> Bool {
    if let known { return known }
    let answer = try isAny("SELECT 1 FROM \(StoredPendingLinks.table) LIMIT 1")
    known = answer
    return answer
  }

  /// Whether any row has pending links of a relationship.
  func hasOwners(_ link: Link) throws -> Bool {
    guard try hasEntries() else { return false }
    return try waits.value(of: link) {
      try isAny(
        "SELECT 1 FROM \(StoredPendingLinks.table) WHERE \"owner\" = ?1 AND \"relationship\" = ?2 LIMIT 1",
        .text(link.table.name), .text(link.property.name))
    }
  }

  /// The pending keys of a row's relationship, in order.
  func keys(_ link: Link, of owner: RowKey) throws -> [Key] {
    guard try hasOwners(link) else { return [] }
    let lookup = link.property.lookup.map { name in
      LinkEnd.pendingTarget(name, of: link.property.related?.syncTable.name ?? "")
    }
    let statement = try ReadStatement(
      database,
      """
      SELECT "targetID", "target" FROM \(StoredPendingLinks.table)
      WHERE "owner" = ?1 AND "relationship" = ?2 AND "ownerID" = ?3 AND "ownerParent" IS ?4
      ORDER BY "targetID"
      """)
    statement.restart().bind([
      .text(link.table.name), .text(link.property.name), owner.identity, owner.parent,
    ])
    return try statement.all { row in
      SyncIdentity(row.column(0)).map { identity in
        Key(
          identity: identity, isLookedUp: lookup.map { String.syncLoad(row.column(1)) == $0 } ?? false)
      }
    }
  }

  // MARK: Conflicting lists

  /// Whether a list, stored in the to-one of its members, has a member that has since been assigned elsewhere: to another row, or
  /// to a row of another case of a union. For the column of a one-to-one, whether any partner may have been.
  ///
  /// Such a member keeps its stored link while the new link is pending. A list with it would assign it here, and a list without
  /// it would unlink it, so neither can be synced back: the list is left out.
  func hasContradictions(_ link: Link) throws -> Bool {
    if let far = try partnerEnd(link) { return try hasOwners(far) }
    guard let far = WaitingLinks.farEnd(link),
      try far.cases.contains(where: hasOwners)
    else { return false }
    return try contradictions.value(of: link) {
      try isAny(
        far.contradictions(where: "\(far.column) IS NOT NULL"),
        .text(far.table.name), .text(far.property.name))
    }
  }

  /// Whether a row's list has such a member.
  func contradicts(_ link: Link, of owner: SyncIdentity) throws -> Bool {
    guard try hasContradictions(link), let far = WaitingLinks.farEnd(link) else { return false }
    return try isAny(
      far.contradictions(where: "\(far.column) = ?3"),
      .text(far.table.name), .text(far.property.name), owner)
  }

  /// The to-one relationship that stores a list.
  private static func farEnd(_ link: Link) -> Link? {
    guard case .inverse(let column, _) = link.property.kind, let table = link.property.related?.syncTable
    else { return nil }
    return table.position(of: column).map { Link(table: table, position: $0) }
  }

  // MARK: Conflicting partners

  /// Whether the stored partner of a row has since been assigned to another row, by its own end of the one-to-one.
  ///
  /// The link is older than the partner's pending one, and would replace it when it is synced back. So it is left out, as a list
  /// with such a member is.
  func contradicts(_ link: Link, of owner: SyncIdentity, with partner: SyncIdentity) throws -> Bool {
    guard let far = try partnerEnd(link), try hasOwners(far) else { return false }
    let column = "near.\(link.property.quotedName)"
    // With the type of a column, SQLite would not use the index of owners.
    return try isAny(
      """
      SELECT 1 FROM \(link.table.quotedName) AS near JOIN \(StoredPendingLinks.table) AS waiting
      ON waiting."ownerID" = +\(column)
      WHERE waiting."owner" = ?1 AND waiting."relationship" = ?2
      AND (waiting."targetID" <> ?3 OR waiting."target" <> \(link.table.name.sqlLiteral))
      AND near.\(link.table.identityProperty.quotedName) = ?3 AND \(column) = ?4 LIMIT 1
      """,
      .text(far.table.name), .text(far.property.name), owner, partner)
  }

  /// The other end of a one-to-one that is stored in a column; nil for others, and if there are no pending links. A required
  /// column is always written: its row could not be inserted without it.
  private func partnerEnd(_ link: Link) throws -> Link? {
    let property = link.property
    guard property.isUnique, try hasEntries(), property.isOptional, property.union == nil else { return nil }
    return link.inverse(isToMany: false)
  }

  // MARK: Statements

  private func isAny(_ sql: String, _ parameters: SyncIdentity...) throws -> Bool {
    try ReadStatement(database, sql).exists(parameters)
  }
}

/// The to-one relationship that stores a list, in SQL.
extension SyncExportContext.Link {
  fileprivate var column: String { "far.\(property.quotedName)" }

  /// The pending key of a relationship with `by:` is not an identity, even if the two are equal: it has another `target`.
  fileprivate func contradictions(where condition: String) -> String {
    let parent = table.parentScope.map { "far.\(table.properties[$0].quotedName)" } ?? "NULL"
    let names = cases.map(\.property.name.sqlLiteral)
    return """
      SELECT 1 FROM \(table.quotedName) AS far JOIN \(StoredPendingLinks.table) AS waiting
      ON waiting."ownerID" = +far.\(table.identityProperty.quotedName) AND waiting."ownerParent" IS \(parent)
      WHERE waiting."owner" = ?1 AND waiting."relationship" IN (\(names.joined(separator: ", ")))
      AND (waiting."relationship" <> ?2 OR waiting."targetID" <> \(column)
        OR waiting."target" <> \((property.related?.syncTable.name ?? "").sqlLiteral)) AND \(condition) LIMIT 1
      """
  }
}
