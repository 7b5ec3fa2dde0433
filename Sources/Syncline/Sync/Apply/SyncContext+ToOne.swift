extension SyncContext {
  /// The target of a to-one column after the payload; the current target if nothing changes.
  func resolveToOne(
    _ place: LinkPlace, current: SyncIdentity?, _ object: PayloadObject
  ) throws -> SyncIdentity? {
    if let statements = links.statements {
      try state(toOne: place, object, in: statements)
      return current
    }
    // Counts the link that the row was made with. Later links are counted when they are written.
    if isNew, current != nil { owner.counts.linked += 1 }
    let end = place.end
    let reading = object.toOne(end.key, target: end.targetTable)
    if let scope = object.scope, scope.position == end.position {
      return try link(place, inside: scope, current: current, reading, of: object)
    }
    if case .absent = reading.decision {
      if let nested = reading.nested { try ignore(nested, at: place, in: object) }
      return current
    }
    guard let named = try named(by: reading, at: place, in: object) else {
      return isNew ? nil : current
    }
    if isStale, end.isUnique {
      // A stale row's statement of the stored link counts against other statements.
      if named != current { try run.logLinks() }
      try links.pairs.state(.init(begin: reading.begin, holder: row, partner: current), at: end)
    }
    // A list with the row overrides the row's own key.
    if isStale || run.isDecided(place) { return current }
    // A list has the row under another case of a union.
    if run.otherCases(of: place).contains(where: run.isDecided) { return nil }
    if let named, !isNew, named != current, mask.canAdd,
      try links.pending.isWaiting(place, for: named)
    {
      links.pending.waitAgain(place, for: named, begin: reading.begin, ProblemPlace(object, reading.key))
      return current
    }
    links.pending.noteOwnLink(place)
    if named != nil { links.pending.forgetOtherCases(than: place) }
    let decision = try ToOneDecision(
      statement(named, at: place, current: current),
      ToOneDecision.Link(isNew: isNewRow, isOptional: end.isOptional, isUnique: end.isUnique),
      mask: mask)
    if case .hold(let target?) = decision, isNew || target != current, links.lists.isUnlisted(place, target) {
      try run.logLinks()
    }
    return try carryOut(
      decision, at: place, current: current, begin: reading.begin, ProblemPlace(object, reading.key))
  }

  /// The payload's statement, and whether its target is stored.
  private func statement(
    _ named: SyncIdentity?, at place: LinkPlace, current: SyncIdentity? = nil
  ) throws -> ToOneDecision.Statement {
    guard let named else { return .null }
    // The target of a row that this call inserted may not be stored yet.
    let isHeld = named == current && !owner.journal.isInserted(row)
    return .named(named, isStored: try isHeld || run.rows(place.end.target).exists(named))
  }

  /// - Returns: the column's target for now.
  private func carryOut(
    _ decision: ToOneDecision, at place: LinkPlace, current: SyncIdentity?, begin: Int,
    _ problem: @autoclosure () -> ProblemPlace
  ) throws -> SyncIdentity? {
    switch decision {
    case .keep: return current
    case .wait(let target):
      // If several rows wait for one partner, the last one gets it. If a row has several pending keys, the last one stays
      // pending, but an earlier one links the row when its target arrives.
      if place.end.isUnique || links.pending.targets(of: place).contains(where: { $0 != target }) {
        try run.logLinks()
      }
      // A new row already holds its required target; other rows keep their link until the target arrives.
      let isHeld = isNew && !place.end.isOptional
      if !isHeld { links.pending.decide(place, waitsFor: [target], begin: begin, problem()) }
      return isHeld ? target : isNew ? nil : current
    case .hold(let target):
      links.pending.decide(place, waitsFor: [], begin: begin, problem())
      decisions?.targets[place.end.position] = .some(target)
      return target
    case .pair(let target):
      links.pending.decide(place, waitsFor: [], begin: begin, problem())
      try links.pairs.state(.init(begin: begin, holder: place.owner, partner: target), at: place.end)
      return isNew && target == nil ? nil : current
    }
  }

  /// The column's target if the call, or the list around the row, gives its parent.
  private func link(
    _ place: LinkPlace, inside scope: PayloadObject.Scope, current: SyncIdentity?,
    _ reading: PayloadObject.ToOneReading, of object: PayloadObject
  ) throws -> SyncIdentity? {
    if reading.nests(scope.parent) {
      try syncNested(reading, beside: scope.parent, at: place, in: object)
    } else {
      try run.nameNested(place.end.position, object)
    }
    // The list's parent is written at the end, if no later list has the row.
    if scope.isFromList { return isNew ? scope.parent : current }
    links.pending.decide(place, waitsFor: [], begin: 0, ProblemPlace(object, ""))
    links.pending.noteOwnLink(place)
    guard place.end.isUnique else { return scope.parent }
    // Not written yet: this would take the partner from a row that the scan of the parent's rows has not reached.
    try links.pairs.state(.init(begin: .max, holder: place.owner, partner: scope.parent), at: place.end)
    return current
  }

  /// Links the far end of a one-to-one relationship: the row whose column holds this row's identity.
  func updateFarEnd(_ place: LinkPlace, _ object: PayloadObject) throws {
    if let statements = links.statements {
      return try state(toOne: place, object, in: statements)
    }
    guard let column = place.end.memberColumn else { return }
    let reading = object.toOne(place.end.key, target: place.end.targetTable)
    if case .absent = reading.decision { return }
    let mask = LinkMask(run.operations, isNew: isNewRow, isStale: isStale)
    let scope = mask.canAdd || place.end.identifiesTargets ? self.scope(at: column) : nil
    guard let named = try named(by: reading, at: place, in: object, scope: scope) else { return }
    if isStale {
      if try run.members(of: place).first != named { try run.logLinks() }
      return try links.pairs.state(
        .init(
          begin: reading.begin, holder: named.map { RowKey(identity: $0) }, partner: row.identity,
          far: (place.end, nil)), at: column)
    }
    let problem = ProblemPlace(object, reading.key)
    switch try ToOneDecision(statement(named, at: place), .init(isUnique: true), mask: mask) {
    case .pair(let target):
      links.pending.decide(place, waitsFor: [], begin: reading.begin, problem)
      try links.pairs.state(
        .init(
          begin: reading.begin, holder: target.map { RowKey(identity: $0) }, partner: row.identity,
          far: (place.end, target == nil ? problem.kept : nil)), at: column)
    case .wait: try run.logLinks()
    case .keep, .hold: break
    }
  }

  /// The target that a payload states, after its nested object is synced: the inner nil means null, the outer one no statement.
  func named(
    by reading: PayloadObject.ToOneReading, at place: LinkPlace, in object: PayloadObject,
    scope: PayloadObject.Scope? = nil
  ) throws -> SyncIdentity?? {
    switch reading.decision {
    case .absent: return nil
    case .unreadable:
      if let (key, why) = reading.noCase { object.report(key, why, .keptLink) }
      if let (key, value) = reading.unreadable {
        object.report(key, object.missingIdentity(of: value, at: place.end), .keptLink)
      }
      return nil
    case .null:
      if let (key, why) = reading.noCase { object.report(key, why, .ignoredObject) }
      if case (let value, let identity?, let key)? = reading.deleted {
        _ = try sync(
          Nested(value: value, identity: identity, key: key, scope: scope),
          in: run.rows(place.end.target), of: object)
      }
      return .some(nil)
    case .key(let identity):
      // An object of a row that is not stored may contain rows that are.
      if place.end.lookup != nil, object.isPlaceholder(identity) {
        try run.nameNested(place.end.position, object)
      }
      let isMade = try syncNested(reading, beside: identity, at: place, in: object, scope: scope)
      return isMade ? identity : nil
    case .nested:
      return try syncNested(reading, at: place, in: object, scope: scope).map { .some($0) }
    }
  }

  /// Syncs the object next to a key; false if the operations prevent the insertion of its row.
  @discardableResult
  func syncNested(
    _ reading: PayloadObject.ToOneReading, beside identity: SyncIdentity, at place: LinkPlace,
    in object: PayloadObject, scope: PayloadObject.Scope? = nil
  ) throws -> Bool {
    guard let nested = reading.row else { return true }
    guard reading.nests(identity) else {
      try ignore(nested, at: place, in: object)
      return true
    }
    return try syncNested(nested, identity, at: place, in: object, scope: scope)
  }

  /// - Returns: false if the operations prevent the row's insertion: then the payload states nothing, unless the row is inserted
  ///   elsewhere.
  private func syncNested(
    _ row: PayloadObject.ToOneReading.Row, _ identity: SyncIdentity, at place: LinkPlace,
    in object: PayloadObject, scope: PayloadObject.Scope?
  ) throws -> Bool {
    let target = run.rows(place.end.target)
    let nested = Nested(value: row.value, identity: identity, key: row.key, scope: scope)
    let outcome = try sync(nested, in: target, of: object)
    guard outcome == .left, links.statements == nil, try !target.exists(identity) else { return true }
    links.noteNotInserted(identity, of: place.end.target)
    return false
  }

  /// Reports an object of another row than the key next to it, and records its rows as part of the payload.
  func ignore(
    _ nested: PayloadObject.ToOneReading.Row, at place: LinkPlace, in object: PayloadObject
  ) throws {
    object.report(nested.key, .otherRow(model: place.end.targetTable.name), .ignoredObject)
    let ignored = object.nested(
      nested.value, in: run.rows(place.end.target), key: nested.key, element: nil)
    ignored.completeIdentity(from: object)
    try run.name(ignored)
  }

  /// - Returns: the row's identity; nil if it has none, or is not kept.
  private func syncNested(
    _ reading: PayloadObject.ToOneReading, at place: LinkPlace, in object: PayloadObject,
    scope: PayloadObject.Scope?
  ) throws -> SyncIdentity? {
    guard let nested = reading.nested else { return nil }
    let target = run.rows(place.end.target)
    guard let identity = nested.identity else {
      let begin = object.begin(of: nested.value)
      let position = UnidentifiedPlace(end: place.end, owner: place.owner.identity, begin: begin)
      if let answer = run.mode.answers[position] {
        links.statements?.fix(place, answer)
        _ = try sync(
          Nested(value: nested.value, identity: answer.key.identity, key: nested.key, scope: scope),
          in: target, of: object)
        return nil
      }
      let unidentified = object.nested(nested.value, in: target, key: nested.key, element: nil)
      unidentified.scope = scope
      try applier.unidentified.add(.init(place: place, object: unidentified.setAside(in: run)))
      return nil
    }
    return try syncNested(nested, identity, at: place, in: object, scope: scope) ? identity : nil
  }
}
