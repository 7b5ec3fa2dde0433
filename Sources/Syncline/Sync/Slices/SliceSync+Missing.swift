/// What takes all rows of a slice to know: which are missing, or gone.
extension SliceSync {
  /// Ends the reading, when the rows of all slices were read.
  func finishReading() throws {
    run.endReading()
    try rows.named.scan?.finish { [table, named = rows.named] in
      // Where identities are unique within a parent, they alone do not name a row.
      table.parentScope == nil && named.containsOutsideScan(RowKey(identity: $0))
    }
    run.mode.progress?.read(bytes: .max, rows: rowCount)
    run.mode.progress?.begin(.linking)
    // What comes with the rows is reported.
    // Of several models, the rows of the others are kept.
    if isWithoutIdentities, slice.part?.isMain ?? true, slice.unionKey == nil {
      throw missingIdentities()
    }
  }

  /// Remembers the links that the rows state to rows that were deleted.
  func rememberDeleted() throws {
    guard !applier.links.deletedTargets.isEmpty else { return }
    try feed.forEachObject { try applier.links.deletedTargets.remember(object($0, $1)) }
  }

  /// Counts the objects that say other values than another object of their row.
  func countMerged() throws {
    let differing = applier.differing
    guard !differing.isEmpty else { return }
    try feed.forEachObject { try differing.merge(object($0, at: place($1), differing.settings)) }
    try feed.forEachObject { try differing.count(object($0, at: place($1), differing.settings)) }
  }

  private var isWithoutIdentities: Bool { identityCount == 0 && rowCount > 0 }

  private func missingIdentities() -> SyncError {
    let named = table.isComposite ? table.identityParts : [table.identity]
    return SyncError(
      .noIdentities(keys: named.flatMap { table.properties[$0].keys(in: run.style) }), model: table.name)
  }

  /// The rows of the slice that the payload does not name, or says are gone, where all links are settled: of a parent
  /// those that lead to it in the end, and those that did and lead nowhere now.
  func missingRows(_ settlement: LinkSettlement) throws -> [(row: LinkedRow, policy: DeletionPolicy)] {
    let number = slice.entry.number
    let parent = table.parentScope == nil ? nil : slice.scope?.parent
    let isGone = slice.gone != nil
    var missing: [LinkedRow]
    if isGone {
      missing = gone.sorted().map { LinkedRow(number, RowKey(identity: $0, parent: parent)) }
    } else {
      guard slice.policy != .none, !isWithoutIdentities, !isHeldBack, let scan = rows.named.scan else {
        return []
      }
      missing = scan.missing.map { LinkedRow(number, RowKey(identity: $0, parent: parent)) }
        .filter { !rows.named.containsOutsideScan($0.key) }
    }
    if let scope = slice.scope, parent == nil, let column = rows.end(scope.position) {
      let parent = LinkedRow(column.target, scope.parent)
      missing = try missing.filter { row in
        let target = try settlement.target(of: row, at: column)
        return target == parent || (target == nil && !isGone)
      }
      if !isGone {
        missing += settlement.arrivals(at: parent, by: column).filter { !rows.isNamed($0.key) }
      }
    }
    let policy = slice.gone?.policy ?? slice.policy
    return missing.map { ($0, policy) }
  }

  /// Whether an empty list deletes nothing.
  private var isHeldBack: Bool { slice.requiresRows && rowCount == 0 && slice.gone == nil }

  /// Reports that an empty list deletes nothing.
  func reportHeldBack() {
    guard isHeldBack, slice.policy != .none, !isWithoutIdentities else { return }
    run.log.record(
      SyncProblem(
        model: table.name, row: nil, identity: nil, path: slice.path.text ?? "", .emptyPayload,
        action: .deletedNothing))
  }

  /// Deletes the rows of the slice that the payload does not name, or says are gone.
  func deleteMissing() throws {
    run.mode.progress?.begin(.deleting)
    if let rows = slice.gone { return try deleteGone(rows.policy) }
    guard slice.policy != .none, !isWithoutIdentities, let scan = rows.named.scan else { return }
    if isHeldBack { return reportHeldBack() }
    let parent = table.parentScope == nil ? nil : slice.scope?.parent
    // In one order, whichever the payload's is: what is denied first may be all that is denied.
    var missing = scan.missing.map { RowKey(identity: $0, parent: parent) }
    if scan.isDescending { missing.reverse() }
    if let scope = slice.scope, parent == nil, let column = rows.end(scope.position) {
      // Rows that a key brought into the slice would be missing if the payload came again.
      missing += run.ledger.arrivals(at: scope.parent, by: column)
        .filter { !rows.isGiven($0, at: scope.position) }.sorted { $0.identity < $1.identity }
    }
    try applier.links.missing.delete(
      missing.filter { !rows.named.containsOutsideScan($0) }, in: rows, slice.policy, isOfSlice: true)
  }

  // MARK: Rows that are gone

  /// Reads which rows are gone: by their identities, or by objects that have them.
  func readGone() throws {
    guard let gone = slice.gone else { return }
    try gone.list.withUnsafeBytes { bytes in
      let reader = PayloadReader(bytes, path: [])
      guard let first = reader.firstElement(at: 0) else { return }
      _ = try reader.forEachElement(from: first, depth: 0) { tape, index in
        let value = tape.value(at: 0)
        let place = gone.place(index ?? 0)
        let identity =
          value.isObject ? object(tape, at: place).identity : table.identityReader.identity(in: value)
        if let identity {
          self.gone.insert(identity)
        } else {
          rows.counts.skipped += 1
          let object = object(tape, at: place)
          object.report("", value.isObject ? object.noIdentity : .noIdentity, .skippedRow)
        }
        return .kept
      }
    }
  }

  private func deleteGone(_ policy: DeletionPolicy) throws {
    let parent = table.parentScope == nil ? nil : slice.scope?.parent
    var keys = gone.sorted().map { RowKey(identity: $0, parent: parent) }
    if let scope = slice.scope, parent == nil {
      // A row that another parent has since is not gone.
      keys = try keys.filter { try rows.target(of: $0, at: scope.position) == scope.parent }
    }
    try applier.links.missing.delete(keys, in: rows, policy, isOfSlice: true)
  }
}
