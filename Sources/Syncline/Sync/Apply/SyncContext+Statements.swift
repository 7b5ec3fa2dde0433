/// Logging a row's statements about links, for calls that decide links at the end of the payload.
extension SyncContext {
  /// Whether the row was not stored before the call. It is the same for all objects of the row.
  var isNewRow: Bool { isNew || owner.journal.isInserted(row) }

  var mask: LinkMask { LinkMask(run.operations, isNew: isNewRow) }

  /// Logs the row's statement about a to-one, or the far end of a one-to-one, and syncs the nested object. The column is kept.
  func state(toOne place: LinkPlace, _ object: PayloadObject, in statements: LinkStatements) throws {
    let end = place.end
    let reading = object.toOne(end.key, target: end.targetTable)
    if let scope = object.scope, scope.position == end.position {
      return try state(place, inside: scope, reading: reading, object, in: statements)
    }
    if case .absent = reading.decision {
      if let nested = reading.nested { try ignore(nested, at: place, in: object) }
      return
    }
    guard let named = try named(by: reading, at: place, in: object, scope: backScope(of: end)) else { return }
    if named == nil {
      guard mask.canRemove || isNewRow, isNullOfAllCases(end, object) else { return }
    } else if !mask.canAdd {
      return
    }
    let nests = named.map(reading.nests) ?? false
    statements.add(
      place, target: named, begin: reading.begin, isStale: isStale, isNested: !end.isColumn && nests,
      isUninserted: nests && !run.operations.contains(.insert), ProblemPlace(object, reading.key))
  }

  /// The scope of a row that is nested in its partner, so that its own statement back is ignored.
  private func backScope(of end: LinkEnd) -> PayloadObject.Scope? { end.back.map(scope) }

  /// Whether no case of a union has a target. It is true only for the first case, so that the null is logged once.
  private func isNullOfAllCases(_ end: LinkEnd, _ object: PayloadObject) -> Bool {
    guard let gate = end.table.unionGates[end.position] else { return true }
    return gate.union.isFirst
      && gate.positions.allSatisfy { position in
        guard let other = owner.end(position) else { return true }
        return object.toOne(SyncKey(position), target: other.targetTable).identity == nil
      }
  }

  /// Handles an object's statement about the row around it, which links nothing. Logs the parent that the call gives.
  private func state(
    _ place: LinkPlace, inside scope: PayloadObject.Scope, reading: PayloadObject.ToOneReading,
    _ object: PayloadObject, in statements: LinkStatements
  ) throws {
    if reading.nests(scope.parent) {
      try syncNested(reading, beside: scope.parent, at: place, in: object, scope: backScope(of: place.end))
    } else {
      try run.nameNested(place.end.position, object)
    }
    if place.end.isColumn, !scope.isFromList || owner.table.parentScope == place.end.position {
      statements.give(place, scope.parent, begin: object.begin, ProblemPlace(object, ""))
    }
  }

  /// Logs a list of the row, and syncs the rows nested in it.
  func state(
    toMany place: LinkPlace, _ reading: PayloadObject.ToManyReading, _ object: PayloadObject,
    in statements: LinkStatements
  ) throws {
    var list = try statement(of: reading, at: place, object, mask, policy(of: place.end))
    try syncElements(of: &list, object)
    if list.isHeldBack, list.isComplete, !isStale { run.reportHeldBack(list) }
    guard list.canAdd || list.isComplete else { return }
    // The list of a row that is not newer replaces no list of an earlier page: the same page may have arrived twice.
    if !isStale, !list.isHeldBack { run.noteListOfPage(place) }
    statements.add(list, isStale: isStale)
  }
}
