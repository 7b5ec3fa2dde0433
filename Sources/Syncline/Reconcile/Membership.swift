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

  /// Links two rows that are both stored; true when they were not linked before.
  ///
  /// - Parameter isRemembered: an earlier payload asked for the link: the rows may say otherwise by now.
  @discardableResult
  func link(
    _ model: ModelSession, _ position: Int, _ owner: RowKey, _ member: SyncIdentity,
    isRemembered: Bool = false
  ) throws -> Bool {
    let property = model.table.properties[position]
    switch property.kind {
    case .toOne:
      if let claim = model.claims[position]?[owner.identity], claim != member { return false }
      if isRemembered, try isLeftOut(owner, model, position, by: member) { return false }
      // A list of the row that is linked may leave this one out.
      model.movedByKey.insert(position)
      return try model.link(owner, position, to: member)
    case .inverse(let column, _):
      guard let related = property.related else { return false }
      let target = try models(related)
      guard let slot = target.table.position(of: column) else { return false }
      if isRemembered, target.hasOwnLink.contains(LinkPlace(position: slot, identity: member)) {
        return false
      }
      if target.claims[slot]?[member].map({ $0 != owner.identity }) ?? false { return false }
      guard try target.link(RowKey(identity: member), slot, to: owner.identity) else { return false }
      recordListed(model, position, owner, RowKey(identity: member), change: 1)
      return true
    case .link:
      return try addMember(model, position, owner, member)
    case .scalar: return false
    }
  }

  /// Adds a member; true when it was none before.
  ///
  /// - Parameter isLinked: a nested row was given its parent when it was synced, and not written since.
  func addMember(
    _ model: ModelSession, _ position: Int, _ owner: RowKey, _ member: SyncIdentity, isLinked: Bool = false
  ) throws -> Bool {
    let property = model.table.properties[position]
    switch property.kind {
    case .inverse(let column, _):
      guard let related = property.related else { return false }
      let target = try models(related)
      guard let slot = target.table.position(of: column) else { return false }
      let parent = target.table.parentScope == nil ? nil : owner.identity
      let key = RowKey(identity: member, parent: parent)
      if !isLinked { _ = try target.link(key, slot, to: owner.identity) }
      recordListed(model, position, owner, key, change: 1)
      return true
    case .link(let link):
      let added = try model.write(
        .addLink, at: position,
        sql: "INSERT INTO \(link.quotedName) (\(link.ownColumn), \(link.otherColumn)) VALUES (?1, ?2)"
          + " ON CONFLICT DO NOTHING"
      ).execute(owner.identity, member)
      guard added > 0 else { return false }
      recordMember(model, position, owner, member, change: 1)
      return true
    case .scalar, .toOne: return false
    }
  }

  /// Takes a member out of a table of links.
  func unlink(
    _ model: ModelSession, _ position: Int, _ link: LinkTable, _ owner: RowKey, _ member: SyncIdentity
  ) throws {
    try model.write(
      .removeLink, at: position,
      sql: "DELETE FROM \(link.quotedName) WHERE \(link.ownColumn) = ?1 AND \(link.otherColumn) = ?2"
    ).execute(owner.identity, member)
    recordMember(model, position, owner, member, change: -1)
  }

  /// Remembers that a list is all there is of a row's members.
  ///
  /// What such a list leaves out is unlinked at the end: another list may take it before. A later list of the
  /// same row replaces an earlier one.
  func closeList(_ list: ClosedList) throws {
    guard let earlier = closedLists.updateValue(list, forKey: list.place) else {
      closedOrder.append(list.place)
      return
    }
    for member in earlier.listed.subtracting(list.listed)
    where list.target.claims[list.slot]?[member] == list.owner.identity {
      // Another row may have listed it too: that list is the latest again.
      let other = closedOrder.last { place in
        guard place != list.place, let other = closedLists[place] else { return false }
        return other.target === list.target && other.slot == list.slot && other.listed.contains(member)
      }
      list.target.claims[list.slot]?[member] = other?.owner.identity
      if let other { _ = try list.target.link(RowKey(identity: member), list.slot, to: other.owner.identity) }
    }
  }

  /// Whether this payload has an exact list of the rows that hold a row's identity, and one is not in it.
  private func isLeftOut(
    _ member: RowKey, _ model: ModelSession, _ slot: Int, by owner: SyncIdentity
  ) throws -> Bool {
    guard !closedLists.isEmpty, let related = model.table.properties[slot].related else { return false }
    let listing = try models(related)
    let inverse = listing.table.properties.firstIndex { property in
      guard case .inverse(let column, _) = property.kind else { return false }
      return column == model.table.properties[slot].name && property.related?.syncTable === model.table
    }
    guard let inverse else { return false }
    let place = ClosedList.Place(model: listing.id, position: inverse, owner: RowKey(identity: owner))
    return closedLists[place].map { !$0.listed.contains(member.identity) } ?? false
  }

  /// Forgets that a row's list is closed: a later part of the payload names a member.
  func openList(_ model: ModelSession, _ position: Int, _ owner: RowKey) {
    guard !closedLists.isEmpty else { return }
    closedLists[ClosedList.Place(model: model.id, position: position, owner: owner)] = nil
  }

  /// Unlinks the members that closed lists leave out and no other list has.
  func unlinkLeftOut() throws {
    for place in closedOrder {
      guard let list = closedLists.removeValue(forKey: place) else { continue }
      guard list.leavesOut || list.target.movedByKey.contains(list.slot) else { continue }
      for member in try members(list.model, list.position, list.owner).sorted() {
        guard list.target.claims[list.slot]?[member] == nil else { continue }
        guard list.target.table.properties[list.slot].isOptional else {
          log.record(list.keptRow(member))
          continue
        }
        let key = RowKey(
          identity: member, parent: list.target.table.parentScope == nil ? nil : list.owner.identity)
        guard try list.target.link(key, list.slot, to: nil) else { continue }
        recordListed(list.model, list.position, list.owner, key, change: -1)
      }
    }
  }
}

/// A list that says which rows hold a row's identity, or the null of a one-to-one link.
struct ClosedList {
  struct Place: Hashable {
    let model: ObjectIdentifier
    let position: Int
    let owner: RowKey
  }

  let model: ModelSession
  let position: Int
  let owner: RowKey
  let target: ModelSession
  /// The column of the target.
  let slot: Int
  let listed: Set<SyncIdentity>
  /// Whether the list left members out when it was read.
  let leavesOut: Bool
  let path: String
  let row: Int?

  var place: Place { Place(model: model.id, position: position, owner: owner) }

  func keptRow(_ member: SyncIdentity) -> SyncProblem {
    SyncProblem(
      model: model.table.name, row: row, identity: owner.identity.description, path: path,
      reason:
        "\(target.table.name) \(member) is missing, and its “\(target.table.properties[slot].name)” is required",
      action: .keptRow)
  }
}

/// A to-one relationship of one row.
struct LinkPlace: Hashable {
  let position: Int
  let identity: SyncIdentity
}
