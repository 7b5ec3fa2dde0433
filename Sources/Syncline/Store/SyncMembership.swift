import GRDB

/// The rows that a to-many relationship of a row leads to, to be changed in a transaction of yours.
///
/// ```swift
/// try await container.database.write { db in
///   try task.membership(\.tags).insert([urgent.id], db)
///   try task.membership(\.watchers).set([1, 2], db)
/// }
/// ```
///
/// Changes are noticed as all are. A link that waits for its row, and is not in the list any more, is forgotten.
public struct SyncMembership<Owner: SyncGeneratedModel, Related: SyncUpdatableModel>: Sendable {
  private let owner: SyncIdentity
  /// Nil where the key path is no relationship of the schema's.
  private let property: SyncProperty?

  fileprivate init(of owner: SyncIdentity, _ name: String?) {
    self.owner = owner
    property = Owner.syncTable.properties.first { $0.name == name }
  }

  /// Makes the rows those of some identities: the others are unlinked, and stay.
  ///
  /// It takes a statement for each row that comes or goes.
  ///
  /// - Throws: GRDB's `DatabaseError`, for a row that is not stored in a table of links and one that cannot be unlinked since
  ///   its end is required; `RecordError.recordNotFound` for one that is not stored;
  ///   ``SyncError/invalidPayload(model:reason:)`` for rows that are unique only within their parent.
  public func set(_ members: some Sequence<Related.SyncID>, _ db: Database) throws {
    let wanted = members.map(\.syncIdentity)
    let present = try self.members(db)
    try unlink(Set(present).subtracting(wanted), db)
    try link(wanted, besides: Set(present), db)
    try forgetWaiting(besides: wanted, db)
  }

  /// Adds the rows of some identities.
  ///
  /// - Throws: what ``set(_:_:)`` throws.
  public func insert(_ members: some Sequence<Related.SyncID>, _ db: Database) throws {
    try link(members.map(\.syncIdentity), besides: [], db)
  }

  /// Takes the rows of some identities out, which stay. What is not in it is passed over.
  ///
  /// - Throws: what ``set(_:_:)`` throws.
  public func remove(_ members: some Sequence<Related.SyncID>, _ db: Database) throws {
    let identities = members.map(\.syncIdentity)
    try unlink(identities, db)
    for identity in identities {
      try execute(
        """
        DELETE FROM \(StoredPendingLinks.table)
        WHERE "owner" = ? AND "relationship" = ? AND "ownerID" = ? AND "targetID" = ?
        """, place + [identity.databaseValue], db)
    }
  }

  // MARK: Links

  /// Where the links are stored: a table, the column of the owner and that of the row.
  private func storage() throws -> (table: String, own: String, other: String, isTableOfLinks: Bool) {
    let related = Related.syncTable
    switch property?.kind {
    case .link(let link)?: return (link.quotedName, link.ownColumn, link.otherColumn, true)
    case .inverse(let column, _)? where related.parentScope == nil:
      return (related.quotedName, column.quotedIdentifier, related.identityProperty.quotedName, false)
    default: throw SyncError(.noMembership(property: property?.name ?? ""), model: Owner.databaseTableName)
    }
  }

  private func members(_ db: Database) throws -> [SyncIdentity] {
    let (table, own, other, _) = try storage()
    return try ReadStatement(db, "SELECT \(other) FROM \(table) WHERE \(own) = ?1").identities(of: owner)
  }

  private func link(_ members: [SyncIdentity], besides present: Set<SyncIdentity>, _ db: Database) throws {
    let (table, own, other, isTableOfLinks) = try storage()
    for member in members where !present.contains(member) {
      guard !isTableOfLinks else {
        try execute(
          "INSERT OR IGNORE INTO \(table) (\(own), \(other)) VALUES (?, ?)",
          [owner, member].map(\.databaseValue), db)
        continue
      }
      let values = [owner, member, owner].map(\.databaseValue)
      try execute("UPDATE \(table) SET \(own) = ? WHERE \(other) = ? AND \(own) IS NOT ?", values, db)
      guard db.changesCount == 0 else { continue }
      let isStored = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(other) = ?)",
        arguments: [member.databaseValue])
      guard isStored == true else {
        throw RecordError.recordNotFound(
          databaseTableName: Related.databaseTableName,
          key: [Related.syncTable.identityProperty.name: member.databaseValue])
      }
    }
  }

  private func unlink(_ members: some Sequence<SyncIdentity>, _ db: Database) throws {
    let (table, own, other, isTableOfLinks) = try storage()
    let sql =
      isTableOfLinks
      ? "DELETE FROM \(table) WHERE \(own) = ? AND \(other) = ?"
      : "UPDATE \(table) SET \(own) = NULL WHERE \(own) = ? AND \(other) = ?"
    for member in members { try execute(sql, [owner, member].map(\.databaseValue), db) }
  }

  private var place: [DatabaseValue] {
    [Owner.syncTable.name.databaseValue, (property?.name ?? "").databaseValue, owner.databaseValue]
  }

  /// Forgets the links of the list that wait for rows which are not in it.
  private func forgetWaiting(besides wanted: [SyncIdentity], _ db: Database) throws {
    let marks = wanted.map { _ in "?" }.joined(separator: ", ")
    try execute(
      """
      DELETE FROM \(StoredPendingLinks.table)
      WHERE "owner" = ? AND "relationship" = ? AND "ownerID" = ? AND "targetID" NOT IN (\(marks))
      """, place + wanted.map(\.databaseValue), db)
  }

  private func execute(_ sql: String, _ values: [DatabaseValue], _ db: Database) throws {
    try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
  }
}

extension SyncGeneratedModel {
  /// The rows that a to-many relationship leads to, to be changed.
  public func membership<Related: SyncUpdatableModel>(
    _ relationship: KeyPath<Self, QueryInterfaceRequest<Related>>
  ) -> SyncMembership<Self, Related> {
    Self.membership(relationship, of: self[keyPath: Self.syncIdentity])
  }

  /// The rows that a to-many relationship of the row of an identity leads to, to be changed.
  public static func membership<Related: SyncUpdatableModel>(
    _ relationship: KeyPath<Self, QueryInterfaceRequest<Related>>, of identity: SyncID
  ) -> SyncMembership<Self, Related> {
    SyncMembership(of: identity.syncIdentity, syncPropertyName(relationship))
  }
}
