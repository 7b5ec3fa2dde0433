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
      return try read(
        "SELECT \(target.identityColumn) FROM \(target.table.name.quotedIdentifier)"
          + " WHERE \(column.quotedIdentifier) = ?1"
      ).identities(of: owner.identity)
    case .link(let link):
      return try read(
        "SELECT \(link.otherColumn) FROM \(link.name.quotedIdentifier) WHERE \(link.ownColumn) = ?1"
      ).identities(of: owner.identity)
    case .scalar, .toOne: return []
    }
  }

  /// Links two rows that are both stored; true when they were not linked before.
  ///
  /// - Parameter isRemembered: an earlier payload asked for the link: the rows may say otherwise by now.
  @discardableResult
  func link(
    _ model: ModelSession, _ position: Int, _ owner: RowKey, _ member: SyncIdentity, isRemembered: Bool = false
  ) throws -> Bool {
    let property = model.table.properties[position]
    switch property.kind {
    case .toOne:
      if let claim = model.claims[position]?[owner.identity], claim != member { return false }
      return try model.link(owner, position, to: member)
    case .inverse(let column, _):
      guard let related = property.related else { return false }
      let target = try models(related)
      guard let slot = target.table.position(of: column) else { return false }
      if isRemembered, target.hasOwnLink.contains(LinkPlace(position: slot, identity: member)) { return false }
      if target.claims[slot]?[member].map({ $0 != owner.identity }) ?? false { return false }
      guard try target.link(RowKey(identity: member), slot, to: owner.identity) else { return false }
      recordMember(model, position, owner, member, change: 1)
      return true
    case .link:
      return try addMember(model, position, owner, member)
    case .scalar: return false
    }
  }

  /// Adds a member; true when it was none before.
  func addMember(
    _ model: ModelSession, _ position: Int, _ owner: RowKey, _ member: SyncIdentity
  ) throws -> Bool {
    let property = model.table.properties[position]
    switch property.kind {
    case .inverse(let column, _):
      guard let related = property.related else { return false }
      let target = try models(related)
      guard let slot = target.table.position(of: column) else { return false }
      let parent = target.table.parentScope == nil ? nil : owner.identity
      // A nested row was given its parent when it was synced.
      _ = try target.link(RowKey(identity: member, parent: parent), slot, to: owner.identity)
      recordMember(model, position, owner, member, change: 1)
      return true
    case .link(let link):
      let added = try write(
        "INSERT INTO \(link.name.quotedIdentifier) (\(link.ownColumn), \(link.otherColumn)) VALUES (?1, ?2)"
          + " ON CONFLICT DO NOTHING"
      ).execute(owner.identity, member)
      guard added > 0 else { return false }
      recordMember(model, position, owner, member, change: 1)
      return true
    case .scalar, .toOne: return false
    }
  }

  /// Takes a member out; false where it cannot be, because its link is required.
  func unlink(
    _ model: ModelSession, _ position: Int, _ owner: RowKey, _ member: SyncIdentity, _ object: PayloadObject,
    _ key: String
  ) throws -> Bool {
    let property = model.table.properties[position]
    switch property.kind {
    case .inverse(let column, _):
      guard let related = property.related else { return false }
      let target = try models(related)
      guard let slot = target.table.position(of: column) else { return false }
      guard target.table.properties[slot].isOptional else {
        object.report(
          key, "\(target.table.name) \(member) is missing, and its “\(column)” is required", .keptRow)
        return false
      }
      guard target.claims[slot]?[member].map({ $0 == owner.identity }) ?? true else { return false }
      let parent = target.table.parentScope == nil ? nil : owner.identity
      guard try target.link(RowKey(identity: member, parent: parent), slot, to: nil) else { return false }
    case .link(let link):
      try write(
        "DELETE FROM \(link.name.quotedIdentifier) WHERE \(link.ownColumn) = ?1 AND \(link.otherColumn) = ?2"
      ).execute(owner.identity, member)
    case .scalar, .toOne: return false
    }
    recordMember(model, position, owner, member, change: -1)
    return true
  }
}

/// A to-one relationship of one row.
struct LinkPlace: Hashable {
  let position: Int
  let identity: SyncIdentity
}
