extension SyncContext {
  /// What a to-one column holds after the payload: the current identity where nothing changes.
  func resolveToOne(
    _ key: SyncKey, current: SyncIdentity?, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws -> SyncIdentity? {
    let result = try decideToOne(key, current: current, object, operations)
    if isNew, result != nil { owner.counts.linked += 1 }
    return result
  }

  private func decideToOne(
    _ key: SyncKey, current: SyncIdentity?, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws -> SyncIdentity? {
    let position = key.position
    if let scope = object.scope, scope.position == position {
      try session.nameNested(position, object)
      session.pending.decide(owner, position, self.key, waitsFor: [], begin: 0, ProblemPlace(object, ""))
      // The list that gives it is written at the end, when no later one says otherwise.
      if scope.isFromList { return isNew ? scope.parent : current }
      if owner.table.properties[position].isUnique {
        state(self.key, scope.parent, at: position, begin: .max)
      }
      return scope.parent
    }
    let target = try target(of: key)
    let reading = object.toOne(key, target: target.table)
    let named: SyncIdentity?
    switch reading.decision {
    case .absent: return current
    case .unreadable:
      if let (key, found) = reading.unreadable {
        object.report(key, "\(found) names no \(target.table.name)", .keptLink)
      }
      return isNew ? nil : current
    case .null: named = nil
    case .key(let identity):
      named = identity
      try syncNested(reading, beside: identity, in: target, object, operations)
    case .nested:
      guard let identity = try syncNested(reading, current, in: target, object, operations) else {
        return isNew ? nil : current
      }
      named = identity
    }
    // A list that the row is in counts more than its own key.
    if isStale || owner.isMarked(self.key, at: position) { return current }
    if session.pending.hasEntries {
      owner.ownLinks.insert(LinkPlace(model: owner.id, position: position, owner: self.key))
    }
    return try link(key, to: named, current: current, reading, in: target, object, operations)
  }

  /// What the column holds when the row's own key has its say.
  private func link(
    _ key: SyncKey, to named: SyncIdentity?, current: SyncIdentity?, _ reading: PayloadObject.ToOneReading,
    in target: ModelSession, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws -> SyncIdentity? {
    let property = owner.table.properties[key.position]
    func decide(waitsFor targets: [SyncIdentity]) {
      session.pending.decide(
        owner, key.position, self.key, waitsFor: targets, begin: reading.begin,
        ProblemPlace(object, reading.key))
    }
    guard let named else {
      guard isNew || operations.contains(.delete) else { return current }
      decide(waitsFor: [])
      guard property.isUnique, property.isOptional else { return nil }
      state(self.key, nil, at: key.position, begin: reading.begin)
      return isNew ? nil : current
    }
    guard canLink(operations) else { return current }
    guard try (!isNew && named == current) || target.exists(named) else {
      // A new row holds what it requires already; others keep their link until the row arrives.
      if !isNew || property.isOptional { decide(waitsFor: [named]) }
      return isNew && property.isOptional ? nil : isNew ? named : current
    }
    decide(waitsFor: [])
    if property.isUnique {
      state(self.key, named, at: key.position, begin: reading.begin)
      return current
    }
    // A list of the row's new owner was read, and does not name it.
    if isNew || named != current, let far = try owner.otherEnd(of: key.position),
      far.model.isMarked(RowKey(identity: named), at: far.position)
    {
      owner.claims[key.position, default: ListClaims()].unlisted[self.key] = named
    }
    return named
  }

  /// Syncs the object that stands beside a key.
  private func syncNested(
    _ reading: PayloadObject.ToOneReading, beside identity: SyncIdentity, in target: ModelSession,
    _ object: PayloadObject, _ operations: SyncRelationshipOperations, scope: PayloadObject.Scope? = nil
  ) throws {
    guard let nested = reading.nested else { return }
    guard nested.identity == nil || nested.identity == identity else {
      object.report(
        nested.key, "the object is not the \(target.table.name) that the key names", .ignoredObject)
      return try session.name(object.nested(nested.value, in: target, key: nested.key, element: nil))
    }
    _ = try syncNested(
      nested.value, identity, in: target, object, key: nested.key, element: nil, operations: operations,
      scope: scope)
  }

  /// Syncs the object that decides a link.
  ///
  /// - Returns: the row's identity; nil where the row is not kept.
  private func syncNested(
    _ reading: PayloadObject.ToOneReading, _ current: SyncIdentity?, in target: ModelSession,
    _ object: PayloadObject, _ operations: SyncRelationshipOperations, scope: PayloadObject.Scope? = nil
  ) throws -> SyncIdentity? {
    guard let nested = reading.nested else { return nil }
    guard let identity = nested.identity ?? (isNew ? nil : current) else {
      object.report(nested.key, "an object without identity, and no row is linked", .ignoredObject)
      return nil
    }
    let outcome = try syncNested(
      nested.value, identity, in: target, object, key: nested.key, element: nil, operations: operations,
      scope: scope)
    // What the operations keep from being created is not waited for.
    guard outcome == .left else { return identity }
    return try target.exists(identity) ? identity : nil
  }

  /// Links the far end of a one-to-one relationship: the row whose column holds this row's identity.
  func updateInverse(_ key: SyncKey, _ object: PayloadObject, _ operations: SyncRelationshipOperations) throws
  {
    let target = try target(of: key)
    guard let slot = try owner.otherEnd(of: key.position)?.column else { return }
    let reading = object.toOne(key, target: target.table)
    let scope =
      canLink(operations) && !isStale
      ? PayloadObject.Scope(position: slot, parent: self.key.identity, isFromList: true) : nil
    let named: SyncIdentity?
    switch reading.decision {
    case .absent: return
    case .unreadable:
      if let (key, found) = reading.unreadable {
        object.report(key, "\(found) names no \(target.table.name)", .keptLink)
      }
      return
    case .null: named = nil
    case .key(let identity):
      named = identity
      try syncNested(reading, beside: identity, in: target, object, operations, scope: scope)
    case .nested:
      let current = try session.members(owner, key.position, self.key).first
      guard let identity = try syncNested(reading, current, in: target, object, operations, scope: scope)
      else { return }
      named = identity
    }
    if isStale { return }
    let place = ProblemPlace(object, reading.key)
    guard let named else {
      guard operations.contains(.delete) else { return }
      session.pending.decide(owner, key.position, self.key, waitsFor: [], begin: reading.begin, place)
      target.pairs[slot, default: PairClaims()].statements.append(
        .init(
          begin: reading.begin, holder: nil, partner: self.key.identity,
          far: (owner, key.position, place.kept())))
      return
    }
    guard canLink(operations) else { return }
    let exists = try target.exists(named)
    session.pending.decide(
      owner, key.position, self.key, waitsFor: exists ? [] : [named], begin: reading.begin, place)
    guard exists else { return }
    target.pairs[slot, default: PairClaims()].statements.append(
      .init(
        begin: reading.begin, holder: RowKey(identity: named), partner: self.key.identity,
        far: (owner, key.position, nil)))
  }

  private func state(_ holder: RowKey, _ partner: SyncIdentity?, at slot: Int, begin: Int) {
    owner.pairs[slot, default: PairClaims()].statements.append(
      .init(begin: begin, holder: holder, partner: partner))
  }
}
