extension SyncContext {
  /// What a to-one column holds after the payload: the current identity where nothing changes.
  func resolveToOne(
    _ key: SyncKey, current: SyncIdentity?, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws -> SyncIdentity? {
    // What the row was made with; what it is linked to since is counted when it is written.
    if isNew, current != nil { owner.counts.linked += 1 }
    return try decideToOne(key, current: current, object, operations)
  }

  private func decideToOne(
    _ key: SyncKey, current: SyncIdentity?, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws -> SyncIdentity? {
    let position = key.position
    let target = try target(of: key)
    let reading = object.toOne(key, target: target.table)
    if let scope = object.scope, scope.position == position {
      return try link(key, inside: scope, current: current, reading, in: target, object, operations)
    }
    let named: SyncIdentity?
    switch reading.decision {
    case .absent: return current
    case .unreadable:
      if let (key, value) = reading.unreadable {
        object.report(key, object.missingIdentity(of: value, in: target.table), .keptLink)
      }
      return isNew ? nil : current
    case .null: named = nil
    case .key(let identity):
      named = identity
      try syncNested(reading, beside: identity, in: target, object, operations)
    case .nested:
      guard let identity = try syncNested(reading, of: position, in: target, object, operations) else {
        return isNew ? nil : current
      }
      named = identity
    }
    // A list that the row is in counts more than its own key.
    if isStale || owner.isMarked(self.key, at: position) { return current }
    decidesItself(position)
    return try link(key, to: named, current: current, reading, in: target, object, operations)
  }

  /// What the column holds where the call, or the list that the row stands in, gives its parent.
  private func link(
    _ key: SyncKey, inside scope: PayloadObject.Scope, current: SyncIdentity?,
    _ reading: PayloadObject.ToOneReading, in target: ModelSession, _ object: PayloadObject,
    _ operations: SyncRelationshipOperations
  ) throws -> SyncIdentity? {
    if let nested = reading.nested, nested.identity == nil || nested.identity == scope.parent {
      try syncNested(reading, beside: scope.parent, in: target, object, operations)
    } else {
      try session.nameNested(key.position, object)
    }
    // The list that gives it is written at the end, when no later one says otherwise.
    if scope.isFromList { return isNew ? scope.parent : current }
    session.pending.decide(owner, key.position, self.key, waitsFor: [], begin: 0, ProblemPlace(object, ""))
    decidesItself(key.position)
    if owner.table.properties[key.position].isUnique {
      state(self.key, scope.parent, at: key.position, begin: .max)
    }
    return scope.parent
  }

  /// Remembers that the payload says what a row is linked to, where rows wait for others.
  private func decidesItself(_ position: Int) {
    guard session.pending.hasEntries else { return }
    owner.ownLinks.insert(LinkPlace(model: owner.id, position: position, owner: key))
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
      guard property.isUnique, property.isOptional else {
        if try postpone(nil, at: key.position) { return isNew ? nil : current }
        noteDecision(key, nil)
        return nil
      }
      state(self.key, nil, at: key.position, begin: reading.begin)
      return isNew ? nil : current
    }
    guard canLink(operations) else { return current }
    // What a row holds that is new in this payload may not be there yet.
    guard try (named == current && !owner.isInserted(self.key)) || target.exists(named) else {
      // A new row holds what it requires already; others keep their link until the row arrives.
      if !isNew || property.isOptional { decide(waitsFor: [named]) }
      return isNew && property.isOptional ? nil : isNew ? named : current
    }
    decide(waitsFor: [])
    if property.isUnique {
      state(self.key, named, at: key.position, begin: reading.begin)
      return current
    }
    if try postpone(named, at: key.position) { return isNew ? named : current }
    // A list of the row's new owner may have been read, and does not name it; a new row it may have waited for.
    switch isNew || named != current ? try owner.listed(self.key, key.position, at: named) : .linked {
    case .kept where !isNew: return current
    case .unlisted where !isNew && property.isOptional: return nil
    case .linked: noteDecision(key, named)
    case .kept, .unlisted: owner.claims[key.position, default: ListClaims()].unlisted[self.key] = named
    }
    return named
  }

  private func noteDecision(_ key: SyncKey, _ target: SyncIdentity?) {
    decisions?.targets[key.position] = .some(target)
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
    _ reading: PayloadObject.ToOneReading, of position: Int, in target: ModelSession, _ object: PayloadObject,
    _ operations: SyncRelationshipOperations, scope: PayloadObject.Scope? = nil
  ) throws -> SyncIdentity? {
    guard let nested = reading.nested else { return nil }
    guard let identity = nested.identity else {
      // It is the row that is linked when all links of the payload are decided, and stays linked to this one.
      let unidentified = object.nested(nested.value, in: target, key: nested.key, element: nil)
      unidentified.scope = scope
      session.unidentified.append(
        SyncSession.UnidentifiedRow(
          owner: owner, key: key, position: position, object: try unidentified.setAside(in: session),
          operations: operations))
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
      if let (key, value) = reading.unreadable {
        object.report(key, object.missingIdentity(of: value, in: target.table), .keptLink)
      }
      return
    case .null: named = nil
    case .key(let identity):
      named = identity
      try syncNested(reading, beside: identity, in: target, object, operations, scope: scope)
    case .nested:
      guard
        let identity = try syncNested(
          reading, of: key.position, in: target, object, operations, scope: scope)
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
