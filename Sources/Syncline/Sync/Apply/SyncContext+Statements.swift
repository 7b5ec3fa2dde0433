/// Logging what a payload says of a row's links, where they are decided when all of it is known.
extension SyncContext {
  /// Whether the store did not have the row before the call: for all objects of the row.
  private var isNewRow: Bool { isNew || owner.journal.isInserted(row) }

  private func mask(_ operations: SyncRelationshipOperations) -> LinkMask {
    LinkMask(operations, isNew: isNewRow)
  }

  /// Logs what the row says of a to-one, and syncs what is nested there. The column stays as it is until then.
  func state(
    toOne place: LinkPlace, _ object: PayloadObject, _ operations: SyncRelationshipOperations,
    in statements: LinkStatements
  ) throws {
    let end = place.end
    let reading = object.toOne(end.key, target: end.targetTable)
    if let scope = object.scope, scope.position == end.position {
      return try state(place, inside: scope, reading: reading, object, operations, in: statements)
    }
    if case .absent = reading.decision {
      if let nested = reading.nested { try ignore(nested, at: place, in: object) }
      return
    }
    guard let named = try named(by: reading, at: place, in: object, operations, scope: backScope(of: end))
    else { return }
    let mask = mask(operations)
    if named == nil {
      guard mask.canRemove || isNewRow, isNullOfAllCases(end, object) else { return }
    } else if !mask.canAdd {
      return
    }
    statements.add(
      place, target: named, begin: reading.begin, isStale: isStale, ProblemPlace(object, reading.key))
  }

  /// The scope of a row that is nested in its partner: what it says back links nothing.
  private func backScope(of end: LinkEnd) -> PayloadObject.Scope? {
    guard let back = end.memberColumn ?? (end.isUnique ? end.inverse : nil) else { return nil }
    return PayloadObject.Scope(position: back.position, parent: row.identity, isFromList: true)
  }

  /// Whether none of a union's cases leads to a row, for the first of them.
  private func isNullOfAllCases(_ end: LinkEnd, _ object: PayloadObject) -> Bool {
    guard let gate = end.table.unionGates[end.position] else { return true }
    return gate.union.isFirst
      && gate.positions.allSatisfy { position in
        guard let other = owner.end(position) else { return true }
        return object.toOne(SyncKey(position), target: other.targetTable).identity == nil
      }
  }

  /// What an object says of the row that it stands in links nothing; the call gives its rows their parent.
  private func state(
    _ place: LinkPlace, inside scope: PayloadObject.Scope, reading: PayloadObject.ToOneReading,
    _ object: PayloadObject, _ operations: SyncRelationshipOperations, in statements: LinkStatements
  ) throws {
    if let nested = reading.nested, nested.identity == nil || nested.identity == scope.parent {
      try syncNested(
        reading, beside: scope.parent, at: place, in: object, operations, scope: backScope(of: place.end))
    } else {
      try run.nameNested(place.end.position, object)
    }
    guard place.end.isColumn, !scope.isFromList || owner.table.parentScope == place.end.position else {
      return
    }
    statements.give(place, scope.parent, begin: object.value.node.offset, ProblemPlace(object, ""))
  }

  /// Logs what the row says at the far end of a one-to-one.
  func state(
    farEnd place: LinkPlace, _ object: PayloadObject, _ operations: SyncRelationshipOperations,
    in statements: LinkStatements
  ) throws {
    let reading = object.toOne(place.end.key, target: place.end.targetTable)
    if let scope = object.scope, scope.position == place.end.position {
      return try state(place, inside: scope, reading: reading, object, operations, in: statements)
    }
    if case .absent = reading.decision { return }
    guard
      let named = try named(by: reading, at: place, in: object, operations, scope: backScope(of: place.end))
    else { return }
    let mask = mask(operations)
    guard named == nil ? mask.canRemove || isNewRow : mask.canAdd else { return }
    statements.add(
      farEnd: place, target: named, begin: reading.begin, isStale: isStale,
      isNested: reading.nested.map { $0.identity == nil || $0.identity == named } ?? false,
      ProblemPlace(object, reading.key))
  }

  /// Logs a list of the row, and syncs the rows nested in it.
  func state(
    toMany place: LinkPlace, _ reading: PayloadObject.ToManyReading, _ object: PayloadObject,
    _ operations: SyncRelationshipOperations, in statements: LinkStatements
  ) throws {
    var list = statement(of: reading, at: place, object, mask: mask(operations))
    list.policy = policy(of: place.end)
    try read(reading, into: &list, object)
    try syncElements(of: &list, object, operations)
    if list.creates, list.elements.contains(where: { $0.outcome == .left && $0.nested != nil }) {
      list.isComplete = false
    }
    if list.isHeldBack { run.reportHeldBack(list) }
    guard list.canAdd || list.isComplete else { return }
    statements.add(list, isStale: isStale)
  }
}
