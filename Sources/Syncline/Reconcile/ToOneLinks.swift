extension SyncContext {
  /// What a to-one column holds after the payload: the current identity where nothing changes.
  func resolveToOne(
    _ key: SyncKey, current: SyncIdentity?, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws -> SyncIdentity? {
    let result = try decideToOne(key, current: current, object, operations)
    if isNew, result != nil { owner.counts.linked += 1 }
    if result != nil, isNew || result != current, object.scopeParent(for: key) == nil {
      owner.movedByKey.insert(key.position)
    }
    return result
  }

  private func decideToOne(
    _ key: SyncKey, current: SyncIdentity?, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws -> SyncIdentity? {
    let position = key.position
    if let parent = object.scopeParent(for: key) {
      session.pending.decide(owner, position, self.key, waitsFor: [], object, "")
      return parent
    }
    let target = try target(of: key)
    let reading = object.toOne(key, target: target.table)
    // Read when it is needed: a list nested further down may claim the row.
    var claim: SyncIdentity? { owner.claims[position]?[self.key.identity] }
    var nestedIsStored = false
    var named: SyncIdentity?
    if session.pending.hasEntries, isNew || owner.isInserted(self.key) {
      if case .absent = reading.decision {
      } else {
        owner.hasOwnLink.insert(LinkPlace(position: position, identity: self.key.identity))
      }
    }
    switch reading.decision {
    case .absent: return claim ?? current
    case .unreadable:
      if let (key, found) = reading.unreadable {
        object.report(key, "\(found) names no \(target.table.name)", .keptLink)
      }
      return claim ?? (isNew ? nil : current)
    case .null: break
    case .key(let identity):
      named = identity
      if let nested = reading.nested {
        if nested.identity == nil || nested.identity == identity {
          nestedIsStored = try syncNested(
            nested.value, identity, in: target, object, key: nested.key, element: nil, operations: operations)
        } else {
          object.report(
            nested.key, "the object is not the \(target.table.name) that the key names", .ignoredObject)
        }
      }
    case .nested:
      guard let nested = reading.nested else { return claim ?? current }
      guard let identity = nested.identity ?? (isNew ? nil : current) else {
        object.report(nested.key, "an object without identity, and no row is linked", .ignoredObject)
        return claim ?? current
      }
      nestedIsStored = try syncNested(
        nested.value, identity, in: target, object, key: nested.key, element: nil, operations: operations)
      // What the operations keep from being created is not waited for.
      guard try nestedIsStored || target.exists(identity) else { return claim ?? (isNew ? nil : current) }
      named = identity
    }
    if isStale { return current }
    if let claim { return claim }
    guard let named else {
      guard isNew || operations.contains(.delete) else { return current }
      session.pending.decide(owner, position, self.key, waitsFor: [], object, reading.key)
      return nil
    }
    guard canLink(operations) else { return current }
    if try nestedIsStored || (!isNew && named == current) || target.exists(named) {
      session.pending.decide(owner, position, self.key, waitsFor: [], object, reading.key)
      return named
    }
    guard owner.table.properties[position].isOptional else {
      // A new row holds the identity already; a known one keeps its link until the row arrives.
      if !isNew { session.pending.decide(owner, position, self.key, waitsFor: [named], object, reading.key) }
      return isNew ? named : current
    }
    session.pending.decide(owner, position, self.key, waitsFor: [named], object, reading.key)
    return isNew ? nil : current
  }

  /// Links the far end of a one-to-one relationship: the row whose column holds this row's identity.
  func updateInverse(
    _ key: SyncKey, column: String, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws -> Bool {
    let target = try target(of: key)
    guard let position = target.table.position(of: column) else { return false }
    let reading = object.toOne(key, target: target.table)
    if case .absent = reading.decision { return false }
    let current = try session.members(owner, key.position, self.key).first
    let scope = PayloadObject.Scope(position: position, parent: self.key.identity)
    var named: SyncIdentity?
    switch reading.decision {
    case .absent: return false
    case .unreadable:
      if let (key, found) = reading.unreadable {
        object.report(key, "\(found) names no \(target.table.name)", .keptLink)
      }
      return false
    case .null: break
    case .key(let identity):
      named = identity
      if let nested = reading.nested, nested.identity == nil || nested.identity == identity {
        _ = try syncNested(
          nested.value, identity, in: target, object, key: nested.key, element: nil, operations: operations,
          scope: canLink(operations) && !isStale ? scope : nil)
      }
    case .nested:
      guard let nested = reading.nested, let identity = nested.identity ?? current else {
        object.report(reading.key, "an object without identity, and no row is linked", .ignoredObject)
        return false
      }
      let isStored = try syncNested(
        nested.value, identity, in: target, object, key: nested.key, element: nil, operations: operations,
        scope: canLink(operations) && !isStale ? scope : nil)
      guard isStored else { return false }
      named = identity
    }
    if isStale { return false }
    guard let named else {
      guard operations.contains(.delete) else { return false }
      session.pending.decide(owner, key.position, self.key, waitsFor: [], object, reading.key)
      try closeList(key, listed: [], leavesOut: current != nil, in: target, position, object, reading.key)
      return false
    }
    guard canLink(operations) else { return false }
    session.openList(owner, key.position, self.key)
    target.claims[position, default: [:]][named] = self.key.identity
    guard try target.exists(named) else {
      session.pending.decide(owner, key.position, self.key, waitsFor: [named], object, reading.key)
      return false
    }
    session.pending.decide(owner, key.position, self.key, waitsFor: [], object, reading.key)
    if named == current { return false }
    return try session.link(owner, key.position, self.key, named)
  }
}
