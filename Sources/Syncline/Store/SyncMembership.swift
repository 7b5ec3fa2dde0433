import GRDB

/// Changes the members of a to-many relationship of one row, in a transaction of yours.
///
/// The `membership` method of a model returns one. Members that are removed are unlinked; their rows stay.
///
/// ```swift
/// try await container.database.write { db in
///   let tags = Task.membership(\.tags, of: 42)
///   try tags.insert([7], db)
///   try tags.set([7, 8], db)
///   try tags.remove([7], db)
///   print(try Task.fetchOne(db, id: 42)?.tags.fetchAll(db).map(\.name) ?? [])  // ["text"]
/// }
/// ```
///
/// Pending links are dropped as well: by ``SyncMembership/set(_:_:)`` those to rows that are not among the new members, by
/// ``SyncMembership/remove(_:_:)`` those to the rows that it removes.
///
/// ## Topics
///
/// ### Changing the members
///
/// - ``SyncMembership/set(_:_:)``
/// - ``SyncMembership/insert(_:_:)``
/// - ``SyncMembership/remove(_:_:)``
public struct SyncMembership<Owner: SyncGeneratedModel, Related: SyncUpdatableModel>: Sendable {
  private let owner: SyncIdentity
  /// Nil if the key path is not a relationship of the schema.
  private let property: SyncProperty?

  fileprivate init(of owner: SyncIdentity, _ name: String?) {
    self.owner = owner
    property = Owner.syncTable.properties.first { $0.name == name }
  }

  /// Makes the rows with the given identities the only members. Other members are unlinked; their rows stay.
  ///
  /// It runs a statement for each member that is added or removed.
  ///
  /// - Throws: `RecordError.recordNotFound` for a row that is not stored; ``SyncError/invalidPayload(model:reason:)`` for a row
  ///   that cannot be unlinked because it requires its owner, before anything is changed, and for rows that are unique only
  ///   within their parent.
  public func set(_ members: some Sequence<Related.SyncID>, _ db: Database) throws {
    let wanted = members.map(\.syncIdentity)
    let present = try self.members(db)
    let wantedMembers = Set(wanted)
    try unlink(present.filter { !wantedMembers.contains($0) }, db)
    try link(wanted, besides: Set(present), db)
    try forgetWaiting(besides: wanted, db)
  }

  /// Adds the rows with the given identities to the members.
  ///
  /// - Throws: the same errors as ``set(_:_:)``.
  public func insert(_ members: some Sequence<Related.SyncID>, _ db: Database) throws {
    try link(members.map(\.syncIdentity), besides: [], db)
  }

  /// Unlinks the rows with the given identities; the rows stay. Identities that are not members are skipped.
  ///
  /// - Throws: the same errors as ``set(_:_:)``.
  public func remove(_ members: some Sequence<Related.SyncID>, _ db: Database) throws {
    let identities = members.map(\.syncIdentity)
    try unlink(identities, db)
    try forgetWaiting(for: identities, db)
  }

  // MARK: Links

  /// How the links are stored.
  private struct Storage {
    /// The column of the member's table that holds the owner; nil for a join table.
    let column: String?
    /// The SQL that finds the members of the owner `?1`, that links it and the member `?2`, and that unlinks them.
    let members, linking, unlinking: String
  }

  private func storage() throws -> Storage {
    let related = Related.syncTable
    switch property?.kind {
    case .link(let link)?:
      let (table, own, other) = (link.quotedName, link.ownColumn, link.otherColumn)
      return Storage(
        column: nil, members: "SELECT \(other) FROM \(table) WHERE \(own) = ?1",
        linking: "INSERT OR IGNORE INTO \(table) (\(own), \(other)) VALUES (?1, ?2)",
        unlinking: "DELETE FROM \(table) WHERE \(own) = ?1 AND \(other) = ?2")
    // If the owner is part of a row's identity, it cannot change.
    case .inverse(let column, isToMany: true)?
    where related.parentScope == nil
      && !related.identityParts.contains { related.properties[$0].name == column }:
      let others = related.position(of: column).flatMap { related.unionGates[$0]?.otherColumns } ?? []
      // At most one case of a union has a value.
      let cleared = others.map { ", \(related.properties[$0].quotedName) = NULL" }.joined()
      let (table, own, other) = (
        related.quotedName, column.quotedIdentifier, related.identityProperty.quotedName
      )
      return Storage(
        column: column, members: "SELECT \(other) FROM \(table) WHERE \(own) = ?1",
        linking: "UPDATE \(table) SET \(own) = ?1\(cleared) WHERE \(other) = ?2 AND \(own) IS NOT ?1",
        unlinking: "UPDATE \(table) SET \(own) = NULL WHERE \(own) = ?1 AND \(other) = ?2")
    default: throw SyncError(.noMembership(property: property?.name ?? ""), model: Owner.databaseTableName)
    }
  }

  private func members(_ db: Database) throws -> [SyncIdentity] {
    try ReadStatement(db, storage().members).identities(of: owner)
  }

  private func link(_ members: [SyncIdentity], besides present: Set<SyncIdentity>, _ db: Database) throws {
    let storage = try storage()
    let added = members.filter { !present.contains($0) }
    if !added.isEmpty { try checkIsStored(owner, in: Owner.syncTable, db) }
    for member in added {
      try checkIsStored(member, in: Related.syncTable, db)
      try WriteStatement(db, storage.linking).execute(owner, member)
    }
    let related = Related.syncTable
    guard let position = storage.column.flatMap(related.position(of:)) else { return }
    // A row that has an owner now has no pending link to another one, of any case of a union.
    for member in members {
      for end in related.withOtherCases(position) {
        try WriteStatement(db, "DELETE \(pendingLinks)")
          .execute(.text(related.name), .text(related.properties[end].name), member)
      }
    }
  }

  private func checkIsStored(_ identity: SyncIdentity, in table: SyncTable, _ db: Database) throws {
    guard try !table.hasRow(identity, in: db) else { return }
    throw RecordError.recordNotFound(
      databaseTableName: table.name, key: [table.identityProperty.name: identity.databaseValue])
  }

  private func unlink(_ members: [SyncIdentity], _ db: Database) throws {
    let storage = try storage()
    let related = Related.syncTable
    if let column = storage.column, !members.isEmpty,
      !related.properties.contains(where: { $0.name == column && $0.isOptional }),
      let member = members.first(where: Set(try self.members(db)).contains)
    {
      throw SyncError(
        .requiredOwner(
          property: property?.name ?? "", model: related.name, identity: member.description, column: column),
        model: Owner.databaseTableName)
    }
    let statement = try WriteStatement(db, storage.unlinking)
    for member in members { try statement.execute(owner, member) }
  }

  // MARK: Links that wait

  /// The parameters of ``pendingLinks``, and the model of the members.
  private var place: [SyncIdentity?] {
    [.text(Owner.syncTable.name), .text(property?.name ?? ""), owner, .text(Related.syncTable.name)]
  }

  /// Removes the list's pending links to rows that are not among its members.
  private func forgetWaiting(besides wanted: [SyncIdentity], _ db: Database) throws {
    let waiting = try ReadStatement(db, "SELECT \"targetID\" \(pendingLinks) AND \"target\" = ?4")
      .identities(of: place)
    try forgetWaiting(for: Set(waiting).subtracting(wanted), db)
    // Pending keys of a relationship with `by:` are not identities. No stored row has them, so none of the members.
    guard property?.lookup != nil else { return }
    try WriteStatement(db, "DELETE \(pendingLinks) AND \"target\" <> ?4").execute(place)
  }

  private func forgetWaiting(for members: some Sequence<SyncIdentity>, _ db: Database) throws {
    for member in members {
      try WriteStatement(db, "DELETE \(pendingLinks) AND \"target\" = ?4 AND \"targetID\" = ?5")
        .execute(place + [member])
    }
  }
}

/// SQL for the pending links of a row's relationship.
private let pendingLinks =
  "FROM \(StoredPendingLinks.table) WHERE \"owner\" = ?1 AND \"relationship\" = ?2 AND \"ownerID\" = ?3"

extension SyncGeneratedModel {
  /// Returns a handle that changes the members of a to-many relationship. It reads nothing yet.
  ///
  /// ```swift
  /// try await container.database.write { db in try task.membership(\.tags).insert([7], db) }
  /// ```
  ///
  /// - Parameter relationship: a to-many relationship. For any other property, and for rows whose identity contains the owner, each
  ///   change throws ``SyncError/invalidPayload(model:reason:)``.
  public func membership<Related: SyncUpdatableModel>(
    _ relationship: KeyPath<Self, QueryInterfaceRequest<Related>>
  ) -> SyncMembership<Self, Related> {
    Self.membership(relationship, of: self[keyPath: Self.syncIdentity])
  }

  /// Returns a handle that changes the members of a to-many relationship of the row with an identity. It reads nothing yet.
  public static func membership<Related: SyncUpdatableModel>(
    _ relationship: KeyPath<Self, QueryInterfaceRequest<Related>>, of identity: SyncID
  ) -> SyncMembership<Self, Related> {
    SyncMembership(of: identity.syncIdentity, syncPropertyName(relationship))
  }
}

extension SyncTable {
  /// Whether a row with an identity is stored.
  func hasRow(_ identity: SyncIdentity, in database: Database) throws -> Bool {
    try ReadStatement(database, "SELECT 1 FROM \(quotedName) WHERE \(identityProperty.quotedName) = ?1")
      .exists(identity)
  }
}
