extension SyncContext {
  /// Makes a to-many relationship's members those that the payload lists.
  func updateToMany(
    _ key: SyncKey, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws -> Bool {
    let target = try target(of: key)
    let reading = object.toMany(key, target: target.table)
    guard reading.isPresent else { return false }
    guard reading.isReadable else {
      if let (key, found) = reading.unreadable { object.report(key, "\(found) is no list", .keptLink) }
      return false
    }
    let property = owner.table.properties[key.position]
    let policy = policies.first { $0.position == key.position }
    let members =
      isNew && !session.pending.hasOwners(of: target.table)
      ? [] : try session.members(owner, key.position, self.key)
    // The keys of the links that are stored: nothing to do, and nothing to remember.
    if !isNew, policy == nil, case .link = property.kind, session.pending.isIdle(owner.table),
      reading.areKeys(of: members)
    {
      return false
    }
    let current = Set(members)
    let inverse: Int? =
      if case .inverse(let column, _) = property.kind { target.table.position(of: column) } else { nil }
    let canAdd = canLink(operations) && !isStale

    var desired: [SyncIdentity] = []
    var isDesired: Set<SyncIdentity> = []
    var waiting: [SyncIdentity] = []
    // Rows that were given this one as their parent, as long as no known row is written.
    var given: Set<SyncIdentity> = []
    let rowWrites = target.rowWrites
    var keepsOthers = reading.hasUnreadableElements
    let keys = Set(reading.elements.compactMap(\.identity))
    for element in reading.elements + reading.extras.filter({ $0.identity.map(keys.contains) ?? false }) {
      guard let identity = element.identity else {
        if element.nested != nil { target.counts.skipped += 1 }
        object.report(
          "\(element.key)[\(element.index)]", "names no \(target.table.name)",
          element.nested == nil ? .ignoredElements : .skippedRow)
        continue
      }
      if policy != nil, target.table.parentScope == nil { target.listed.insert(identity) }
      if let inverse, canAdd || (!isStale && current.contains(identity)) {
        claim(identity, in: target, inverse)
      }
      var isStored = false
      if let nested = element.nested {
        // A member keeps its parent; another gets this one, if it may be added.
        let scope = inverse.flatMap { position in
          canAdd || current.contains(identity)
            ? PayloadObject.Scope(position: position, parent: self.key.identity) : nil
        }
        guard !(scope == nil && target.table.parentScope != nil) else { continue }
        isStored = try syncNested(
          nested, identity, in: target, object, key: element.key, element: element.index,
          operations: operations,
          scope: scope, policies: policy?.children ?? [])
        if isStored, scope != nil { given.insert(identity) }
        if !isStored {
          keepsOthers = keepsOthers || operations.contains(.insert)
          if current.contains(identity), isDesired.insert(identity).inserted { desired.append(identity) }
          continue
        }
      }
      if try isStored || current.contains(identity)
        || (target.table.parentScope == nil && target.exists(identity))
      {
        if isDesired.insert(identity).inserted { desired.append(identity) }
      } else if canAdd, target.table.parentScope == nil, !waiting.contains(identity) {
        waiting.append(identity)
      }
    }
    if isStale { return false }
    if canAdd || operations.contains(.delete) {
      session.pending.decide(owner, key.position, self.key, waitsFor: waiting, object, reading.key)
    }
    var changed = false
    if canAdd {
      for identity in desired where !current.contains(identity) {
        let isLinked = target.rowWrites == rowWrites && given.contains(identity)
        if try session.addMember(owner, key.position, self.key, identity, isLinked: isLinked) {
          changed = true
        }
      }
    }
    if operations.contains(.delete), !keepsOthers {
      let missing = current.subtracting(isDesired)
      if policy == nil, let inverse, target.table.parentScope == nil {
        try closeList(
          key, listed: keys, leavesOut: !missing.isEmpty, in: target, inverse, object, reading.key)
      } else if try remove(missing.sorted(), from: key, policy, object, reading) {
        changed = true
      }
    }
    return changed
  }

  /// Gives a row to this one's list. What another new row's list had counted is counted here.
  private func claim(_ identity: SyncIdentity, in target: ModelSession, _ slot: Int) {
    // The identity of a parent-scoped row names others too.
    guard target.table.parentScope == nil else { return }
    let earlier = target.claims[slot, default: [:]].updateValue(self.key.identity, forKey: identity)
    if let earlier, earlier != self.key.identity, owner.isInserted(RowKey(identity: earlier)) {
      owner.counts.linked -= 1
    }
    // The list says otherwise than the key that the row remembers.
    session.pending.forgetKey(target, slot, identity)
  }

  /// Remembers that the payload says all there is of the rows that hold this one's identity.
  func closeList(
    _ key: SyncKey, listed: Set<SyncIdentity>, leavesOut: Bool, in target: ModelSession, _ slot: Int,
    _ object: PayloadObject, _ path: String
  ) throws {
    try session.closeList(
      ClosedList(
        model: owner, position: key.position, owner: self.key, target: target, slot: slot, listed: listed,
        leavesOut: leavesOut, path: target.table.properties[slot].isOptional ? "" : object.path(of: path),
        row: object.rowIndex))
  }

  /// Takes the members out that a list no longer names, as the relationship's policy says.
  private func remove(
    _ missing: [SyncIdentity], from key: SyncKey, _ policy: ChildPolicy?, _ object: PayloadObject,
    _ reading: PayloadObject.ToManyReading
  ) throws -> Bool {
    guard !missing.isEmpty else { return false }
    let target = try target(of: key)
    guard let policy else { return try unlink(missing, from: key, target, object, reading.key) }
    if policy.policy == .none { return false }
    if policy.requireNonEmpty, reading.elements.isEmpty {
      object.report(reading.key, "an empty list", .deletedNothing)
      return false
    }
    let parent = target.table.parentScope == nil ? nil : self.key.identity
    session.deferDeletion(
      of: missing.map { RowKey(identity: $0, parent: parent) }, from: owner, key.position, self.key.identity,
      in: target, policy.policy)
    return false
  }

  /// Unlinks members of a table of links, or rows that are this row's alone.
  private func unlink(
    _ missing: [SyncIdentity], from key: SyncKey, _ target: ModelSession, _ object: PayloadObject,
    _ path: String
  ) throws -> Bool {
    switch owner.table.properties[key.position].kind {
    case .link(let link):
      for identity in missing { try session.unlink(owner, key.position, link, self.key, identity) }
      return true
    case .inverse(let column, _):
      guard let slot = target.table.position(of: column) else { return false }
      var changed = false
      for identity in missing {
        guard target.table.properties[slot].isOptional else {
          object.report(
            path, "\(target.table.name) \(identity) is missing, and its “\(column)” is required", .keptRow)
          continue
        }
        let member = RowKey(identity: identity, parent: self.key.identity)
        if try target.link(member, slot, to: nil) { changed = true }
      }
      return changed
    case .scalar, .toOne: return false
    }
  }
}
