/// To-one relationships of a row.
extension SyncContext {
  /// What a to-one column holds after the payload: the current identity where nothing changes.
  func resolveToOne(
    _ place: LinkPlace, current: SyncIdentity?, _ object: PayloadObject,
    _ operations: SyncRelationshipOperations
  ) throws -> SyncIdentity? {
    if let statements = links.statements {
      try state(toOne: place, object, operations, in: statements)
      return current
    }
    // What the row was made with; what it is linked to since is counted when it is written.
    if isNew, current != nil { owner.counts.linked += 1 }
    let end = place.end
    let reading = object.toOne(end.key, target: end.targetTable)
    if let scope = object.scope, scope.position == end.position {
      return try link(place, inside: scope, current: current, reading, of: object, operations: operations)
    }
    if case .absent = reading.decision {
      if let nested = reading.nested { try ignore(nested, at: place, in: object) }
      return current
    }
    if end.isUnique { try run.noteOrderTells() }
    guard let named = try named(by: reading, at: place, in: object, operations) else {
      return isNew ? nil : current
    }
    // What a stale row says at either end of a one-to-one counts against others, if it is not what is stored.
    if isStale, end.isUnique, named != current { try run.logLinks() }
    // A list that the row is in counts more than its own key.
    if isStale || run.isDecided(place) { return current }
    if isListedAsOtherCase(than: end) { return nil }
    links.pending.noteOwnLink(place)
    if named != nil { links.pending.forgetOtherCases(than: place) }
    let link = ToOneDecision.Link(
      current: current, isNew: isNew, isOptional: end.isOptional, isUnique: end.isUnique)
    let decision = try ToOneDecision(
      statement(named, at: place, current: current), link, mask: LinkMask(operations, isNew: isNew),
      listed: named.map { links.lists.listed(place, $0) } ?? .linked)
    switch decision {
    case .clearedByList, .keptByList, .heldAgainstList:
      // A list that names a row which is new waits for it.
      if let list = end.inverse, let named,
        !links.pending.waits(LinkPlace(end: list, owner: RowKey(identity: named)), for: row.identity)
      {
        try run.noteOrderTells()
      }
    case .keep, .hold, .wait, .pair: break
    }
    return try carryOut(
      decision, at: place, current: current, begin: reading.begin, ProblemPlace(object, reading.key))
  }

  /// Whether a list has the row as another case of a union.
  private func isListedAsOtherCase(than end: LinkEnd) -> Bool {
    owner.table.unionGates[end.position]?.otherColumns.contains { position in
      owner.end(position).map { run.isDecided(LinkPlace(end: $0, owner: row)) } ?? false
    } ?? false
  }

  /// What the payload says, and whether the row is there that it names.
  private func statement(
    _ named: SyncIdentity?, at place: LinkPlace, current: SyncIdentity? = nil
  ) throws -> ToOneDecision.Statement {
    guard let named else { return .null }
    // What a row holds that is new in this payload may not be there yet.
    let isHeld = named == current && !owner.journal.isInserted(row)
    return .named(named, isStored: try isHeld || run.rows(place.end.target).exists(named))
  }

  /// Does what was decided of a to-one column.
  ///
  /// - Returns: what the column holds for now.
  private func carryOut(
    _ decision: ToOneDecision, at place: LinkPlace, current: SyncIdentity?, begin: Int,
    _ problem: @autoclosure () -> ProblemPlace
  ) throws -> SyncIdentity? {
    switch decision {
    case .keep: return current
    case .wait(let target):
      // Of several rows that wait for a partner the last one does.
      if place.end.isUnique { try run.logLinks() }
      // A new row holds what it requires already; others keep their link until the row arrives.
      let isHeld = isNew && !place.end.isOptional
      if !isHeld { links.pending.decide(place, waitsFor: [target], begin: begin, problem()) }
      return isHeld ? target : isNew ? nil : current
    default: links.pending.decide(place, waitsFor: [], begin: begin, problem())
    }
    switch decision {
    case .keep, .wait, .keptByList: return current
    case .clearedByList: return nil
    case .hold(let target):
      decisions?.targets[place.end.position] = .some(target)
      return target
    case .heldAgainstList(let target):
      links.lists.noteUnlisted(place, target)
      return target
    case .pair(let target):
      links.pairs.state(.init(begin: begin, holder: place.owner, partner: target), at: place.end)
      return isNew && target == nil ? nil : current
    }
  }

  /// What the column holds where the call, or the list that the row stands in, gives its parent.
  private func link(
    _ place: LinkPlace, inside scope: PayloadObject.Scope, current: SyncIdentity?,
    _ reading: PayloadObject.ToOneReading, of object: PayloadObject, operations: SyncRelationshipOperations
  ) throws -> SyncIdentity? {
    if let nested = reading.nested, nested.identity == nil || nested.identity == scope.parent {
      try syncNested(reading, beside: scope.parent, at: place, in: object, operations)
    } else {
      try run.nameNested(place.end.position, object)
    }
    // The list that gives it is written at the end, when no later one says otherwise.
    if scope.isFromList { return isNew ? scope.parent : current }
    links.pending.decide(place, waitsFor: [], begin: 0, ProblemPlace(object, ""))
    links.pending.noteOwnLink(place)
    if place.end.isUnique {
      links.pairs.state(.init(begin: .max, holder: place.owner, partner: scope.parent), at: place.end)
    }
    return scope.parent
  }

  // MARK: The far end

  /// Links the far end of a one-to-one relationship: the row whose column holds this row's identity.
  func updateFarEnd(
    _ place: LinkPlace, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws {
    if let statements = links.statements {
      return try state(farEnd: place, object, operations, in: statements)
    }
    guard let column = place.end.memberColumn else { return }
    let reading = object.toOne(place.end.key, target: place.end.targetTable)
    if case .absent = reading.decision { return }
    try run.noteOrderTells()
    let mask = LinkMask(operations, isNew: isNew, isStale: isStale)
    let scope =
      mask.canAdd
      ? PayloadObject.Scope(position: column.position, parent: row.identity, isFromList: true) : nil
    guard let named = try named(by: reading, at: place, in: object, operations, scope: scope) else { return }
    if isStale {
      if try run.members(of: place).first != named { try run.logLinks() }
      return
    }
    let problem = ProblemPlace(object, reading.key)
    switch try ToOneDecision(far: statement(named, at: place), mask: mask) {
    case .pair(let target):
      links.pending.decide(place, waitsFor: [], begin: reading.begin, problem)
      links.pairs.state(
        .init(
          begin: reading.begin, holder: target.map { RowKey(identity: $0) }, partner: row.identity,
          far: (place.end, target == nil ? problem.kept() : nil)), at: column)
    case .wait: try run.logLinks()
    case .keep, .hold, .clearedByList, .keptByList, .heldAgainstList: break
    }
  }

  // MARK: Nested rows

  /// The row that a payload names, after the object that stands there is synced: nil in it for null. Nil where it says
  /// nothing that can be kept.
  func named(
    by reading: PayloadObject.ToOneReading, at place: LinkPlace, in object: PayloadObject,
    _ operations: SyncRelationshipOperations, scope: PayloadObject.Scope? = nil
  ) throws -> SyncIdentity?? {
    switch reading.decision {
    case .absent: return nil
    case .unreadable:
      if let (key, why) = reading.noCase { object.report(key, why, .keptLink) }
      if let (key, value) = reading.unreadable {
        object.report(key, object.missingIdentity(of: value, in: place.end.targetTable), .keptLink)
      }
      return nil
    case .null:
      if let (key, why) = reading.noCase { object.report(key, why, .ignoredObject) }
      return .some(nil)
    case .key(let identity):
      try syncNested(reading, beside: identity, at: place, in: object, operations, scope: scope)
      return identity
    case .nested:
      return try syncNested(reading, at: place, in: object, operations, scope: scope).map { .some($0) }
    }
  }

  /// Syncs the object that stands beside a key.
  func syncNested(
    _ reading: PayloadObject.ToOneReading, beside identity: SyncIdentity, at place: LinkPlace,
    in object: PayloadObject, _ operations: SyncRelationshipOperations, scope: PayloadObject.Scope? = nil
  ) throws {
    guard let nested = reading.nested else { return }
    let target = run.rows(place.end.target)
    guard nested.identity == nil || nested.identity == identity else {
      return try ignore(nested, at: place, in: object)
    }
    _ = try sync(
      Nested(value: nested.value, identity: identity, key: nested.key, scope: scope), in: target, of: object,
      operations)
  }

  /// Reports an object that is another row than the key beside it names, and names its rows.
  func ignore(
    _ nested: (value: SyncValue, identity: SyncIdentity?, key: String), at place: LinkPlace,
    in object: PayloadObject
  ) throws {
    object.report(nested.key, .otherRow(model: place.end.targetTable.name), .ignoredObject)
    let target = run.rows(place.end.target)
    try run.name(object.nested(nested.value, in: target, key: nested.key, element: nil))
  }

  /// Syncs the object that decides a link.
  ///
  /// - Returns: the row's identity; nil where the row is not kept.
  private func syncNested(
    _ reading: PayloadObject.ToOneReading, at place: LinkPlace, in object: PayloadObject,
    _ operations: SyncRelationshipOperations, scope: PayloadObject.Scope?
  ) throws -> SyncIdentity? {
    guard let nested = reading.nested else { return nil }
    let target = run.rows(place.end.target)
    guard let identity = nested.identity else {
      let unidentified = object.nested(nested.value, in: target, key: nested.key, element: nil)
      unidentified.scope = scope
      try applier.unidentified.add(.init(place, unidentified.setAside(in: run), operations))
      return nil
    }
    let outcome = try sync(
      Nested(value: nested.value, identity: identity, key: nested.key, scope: scope), in: target, of: object,
      operations)
    // What the operations keep from being created is not waited for.
    guard outcome == .left else { return identity }
    return try target.exists(identity) ? identity : nil
  }
}
