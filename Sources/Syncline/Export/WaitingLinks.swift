import GRDB

/// The pending links of an export, which writes only their keys. If there are none, this takes one query.
final class WaitingLinks {
  private let database: Database
  /// Whether rows of a table have pending links of a relationship, queried once.
  private var waits: [RelationshipKey: Bool] = [:]
  private var contradictions: [RelationshipKey: Bool] = [:]

  private struct RelationshipKey: Hashable {
    let table: ObjectIdentifier
    let position: Int
  }

  init(_ database: Database) {
    self.database = database
  }

  private var known: Bool?

  private func hasEntries() throws -> Bool {
    if let known { return known }
    let answer = try isAny("SELECT 1 FROM \(StoredPendingLinks.table) LIMIT 1")
    known = answer
    return answer
  }

  /// Whether any row of a table has pending links of a relationship.
  func hasOwners(_ table: SyncTable, _ position: Int) throws -> Bool {
    guard try hasEntries() else { return false }
    let key = RelationshipKey(table: ObjectIdentifier(table), position: position)
    if let answer = waits[key] { return answer }
    let answer = try isAny(
      "SELECT 1 FROM \(StoredPendingLinks.table) WHERE \"owner\" = ?1 AND \"relationship\" = ?2 LIMIT 1",
      .text(table.name), .text(table.properties[position].name))
    waits[key] = answer
    return answer
  }

  /// The pending keys of a row's relationship, in order.
  func keys(_ table: SyncTable, _ position: Int, of owner: RowKey) throws -> [SyncIdentity] {
    guard try hasOwners(table, position) else { return [] }
    // A link by an identity has no key among those that are looked up.
    let lookup = table.properties[position].lookup.map { name in
      let target = table.properties[position].related?.syncTable.name ?? ""
      return " AND \"target\" = \(LinkEnd.pendingTarget(name, of: target).sqlLiteral)"
    }
    let statement = try ReadStatement(
      database,
      """
      SELECT "targetID" FROM \(StoredPendingLinks.table)
      WHERE "owner" = ?1 AND "relationship" = ?2 AND "ownerID" = ?3 AND "ownerParent" IS ?4\(lookup ?? "")
      ORDER BY "targetID"
      """)
    return try statement.identities(of: [
      .text(table.name), .text(table.properties[position].name), owner.identity, owner.parent,
    ])
  }

  // MARK: Conflicting lists

  /// Whether a list, stored in the to-one of its members, has a member that has since been assigned elsewhere: to another row, or
  /// to a row of another case of a union. For the column of a one-to-one, whether any partner may have been.
  ///
  /// Such a member keeps its stored link while the new link is pending. A list with it would assign it here, and a list without
  /// it would unlink it, so neither can be synced back: the list is left out.
  func hasContradictions(_ table: SyncTable, _ position: Int) throws -> Bool {
    if let far = try partnerEnd(table, position) { return try hasOwners(far.table, far.position) }
    guard let far = FarEnd(table.properties[position]),
      try far.cases.contains(where: { try hasOwners(far.table, $0) })
    else { return false }
    let key = RelationshipKey(table: ObjectIdentifier(table), position: position)
    if let answer = contradictions[key] { return answer }
    let answer = try isAny(
      far.contradictions(where: "\(far.column) IS NOT NULL"),
      .text(far.table.name), .text(far.table.properties[far.position].name))
    contradictions[key] = answer
    return answer
  }

  /// Whether a row's list has such a member.
  func contradicts(_ table: SyncTable, _ position: Int, of owner: SyncIdentity) throws -> Bool {
    guard try hasContradictions(table, position), let far = FarEnd(table.properties[position]) else {
      return false
    }
    return try isAny(
      far.contradictions(where: "\(far.column) = ?3"),
      .text(far.table.name), .text(far.table.properties[far.position].name), owner)
  }

  /// The to-one relationship that stores a list.
  private struct FarEnd {
    let table: SyncTable
    let position: Int

    init?(_ property: SyncProperty) {
      guard case .inverse(let column, _) = property.kind, let table = property.related?.syncTable,
        let position = table.position(of: column)
      else { return nil }
      self.table = table
      self.position = position
    }

    var column: String { "far.\(table.properties[position].quotedName)" }

    /// The relationship; if it is a case of a union, also the other cases, as one of them may be pending.
    var cases: [Int] { table.unionGates[position]?.positions ?? [position] }

    func contradictions(where condition: String) -> String {
      let parent = table.parentScope.map { "far.\(table.properties[$0].quotedName)" } ?? "NULL"
      let names = cases.map { table.properties[$0].name.sqlLiteral }
      return """
        SELECT 1 FROM \(table.quotedName) AS far JOIN \(StoredPendingLinks.table) AS waiting
        ON waiting."ownerID" = far.\(table.identityProperty.quotedName) AND waiting."ownerParent" IS \(parent)
        WHERE waiting."owner" = ?1 AND waiting."relationship" IN (\(names.joined(separator: ", ")))
        AND (waiting."relationship" <> ?2 OR waiting."targetID" <> \(column)) AND \(condition) LIMIT 1
        """
    }
  }

  // MARK: Conflicting partners

  /// Whether the stored partner of a row has since been assigned to another row, by its own end of the one-to-one.
  ///
  /// The link is older than the partner's pending one, and would replace it when it is synced back. So it is left out, as a list
  /// with such a member is.
  func contradicts(
    _ table: SyncTable, _ position: Int, of owner: SyncIdentity, with partner: SyncIdentity
  ) throws -> Bool {
    guard let far = try partnerEnd(table, position), try hasOwners(far.table, far.position) else {
      return false
    }
    let column = "near.\(table.properties[position].quotedName)"
    return try isAny(
      """
      SELECT 1 FROM \(table.quotedName) AS near JOIN \(StoredPendingLinks.table) AS waiting
      ON waiting."ownerID" = \(column)
      WHERE waiting."owner" = ?1 AND waiting."relationship" = ?2 AND waiting."targetID" <> ?3
      AND near.\(table.identityProperty.quotedName) = ?3 AND \(column) = ?4 LIMIT 1
      """,
      .text(far.table.name), .text(far.table.properties[far.position].name), owner, partner)
  }

  /// The other end of a one-to-one that is stored in a column; nil for others, and if there are no pending links. A required
  /// column is always written: its row could not be inserted without it.
  private func partnerEnd(_ table: SyncTable, _ position: Int) throws -> (table: SyncTable, position: Int)? {
    guard table.properties[position].isUnique, try hasEntries() else { return nil }
    let property = table.properties[position]
    guard property.isOptional, property.union == nil, let related = property.related?.syncTable,
      let far = related.properties.firstIndex(where: { other in
        guard case .inverse(property.name, isToMany: false) = other.kind else { return false }
        return other.related?.syncTable === table
      })
    else { return nil }
    return (related, far)
  }

  // MARK: Statements

  private func isAny(_ sql: String, _ parameters: SyncIdentity...) throws -> Bool {
    try ReadStatement(database, sql).exists(parameters)
  }
}
