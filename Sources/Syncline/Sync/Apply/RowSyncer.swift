import GRDB

/// Syncs the rows of one model in one call: reads, makes, applies and writes them. It knows the model's type.
final class RowSyncer<Model: SyncUpdatableModel>: RowSyncing {
  /// Unowned, since `ModelRows` owns the syncer and the run owns the rest. They are used for each row, and retaining them is slow.
  unowned(unsafe) let rows: ModelRows
  unowned(unsafe) let applier: RowApplier
  unowned(unsafe) let run: Run
  unowned(unsafe) let links: PayloadLinks
  let table: SyncTable
  let named: NamedRows
  let journal: RowJournal
  let incomplete: IncompleteRows
  /// The values that objects have stated so far, for rows whose objects may differ.
  var stated: [RowKey: StatedRow<Model>] = [:]
  /// Where the last object begins in the payload, of those read so far. Only nested objects can begin before others that were read,
  /// unless rows are read model by model.
  private(set) var lastBegin = 0

  init(_ rows: ModelRows, _ applier: RowApplier) {
    self.rows = rows
    self.applier = applier
    run = rows.run
    links = applier.links
    table = rows.table
    named = rows.named
    journal = rows.journal
    incomplete = applier.incomplete
  }

  func sync(_ object: PayloadObject, _ row: RowKey, _ mode: RowMode) throws -> RowOutcome {
    if object.level == 1, let scope = object.scope {
      // An object of the row that is nested elsewhere may state another parent.
      if named.containsOutsideScan(row), !rows.isGiven(row) { try run.logLinks() }
      try rows.markGiven(row, at: scope.position)
    } else if rows.isGiven(row) || (object.level > 1 && object.isInsideItself) {
      try run.logLinks()
    }
    defer { if object.level > 1 || run.readsByModel { lastBegin = max(lastBegin, object.begin) } }
    guard let scan = named.scan, !scan.isClosed, object.level == 1 else {
      return try lookUp(object, row, mode)
    }
    let writes = journal.writeCount
    switch try scan.find(row.identity) {
    case .stored(let statement) where table.isGenerated:
      let stored = StoredRow(
        statement: statement, isScanned: true, isScanMatch: true, isRepeated: isKnownRepeated(row))
      try update(object, row, mode, stored: stored)
    case .stored, .outdated:
      let outcome = try lookUp(object, row, mode, isScanMatch: true)
      guard outcome == .known || outcome == .inserted else { return .left }
    case .absent where object.scope == nil:
      // The scan may not see rows that other rows of the payload inserted.
      guard !journal.isInserted(row) else { return try lookUp(object, row, mode) }
      return try insert(object, row, mode, isInOrder: true)
    case .absent, .unknown:
      // After the last stored row, a row is most likely new. If not, SQLite finds the conflict.
      if scan.isAtEnd, scan.isByRowNumbers, object.scope == nil {
        try rows.noteMissing()
        if try insertDirectly(object, row, isNew: rows.isKnownMissing(row)) { return .inserted }
      }
      return try lookUp(object, row, mode)
    }
    countScanMatch(row, object, isWritten: journal.writeCount != writes)
    return .known
  }

  /// Whether the payload had other objects of a row that the scan matched. Only determined if it affects the result.
  private func isKnownRepeated(_ row: RowKey) -> Bool {
    (table.isMerged || run.isReordered || run.readsByModel) && named.containsOutsideScan(row)
  }

  /// Counts a row that the scan matched. In the slice of a parent the scan skips the rows of other parents, so all rows are marked.
  private func countScanMatch(_ row: RowKey, _ object: PayloadObject, isWritten: Bool) {
    if isWritten || object.scope != nil {
      named.insert(row)
    } else if !named.containsOutsideScan(row) {
      named.countMatch()
    }
  }

  /// - Parameter isScanMatch: whether the scan just met the row.
  private func lookUp(
    _ object: PayloadObject, _ row: RowKey, _ mode: RowMode, isScanMatch: Bool = false
  ) throws -> RowOutcome {
    if rows.isKnownMissing(row) {
      // This sync inserted all rows of the table, but not this one.
    } else if table.isGenerated {
      let statement = try rows.select(row)
      if try statement.step() {
        let isRepeated =
          isScanMatch
          ? isKnownRepeated(row)
          : try !nameFound(row, rowNumber: statement.column(table.columnCount).int64)
        try update(
          object, row, mode,
          stored: StoredRow(
            statement: statement, isScanned: false, isScanMatch: isScanMatch, isRepeated: isRepeated))
        return .known
      }
      statement.reset()
      try rows.noteMissing()
    } else if let stored = try handwrittenRow(row) {
      if !isScanMatch, try !nameFound(row, rowNumber: 0) { try run.noteOrderDependence() }
      try updateHandwritten(object, row, mode, stored: stored)
      return .known
    }
    guard mode.inserts else {
      try run.nameNested(in: object)
      return .left
    }
    if object.level > 1, object.isKeyAlone {
      try syncIdentityParts(of: object, row)
      return .waits
    }
    return try insert(object, row, mode)
  }

  /// Records that the payload has a stored row that the scan did not just meet; false if that was known.
  private func nameFound(_ row: RowKey, rowNumber: Int64) throws -> Bool {
    if let scan = named.scan {
      let wasMatched =
        scan.isByRowNumbers
        ? !scan.isOfParent && scan.hasMatched(rowNumber: rowNumber) : rows.isMatchedInOrder(row)
      if wasMatched { return false }
      try scan.skip(to: rowNumber)
    }
    return named.insert(row)
  }

  // MARK: Models written by hand

  private func handwrittenRow(_ row: RowKey) throws -> Model? {
    guard let id = Model.SyncID(row.identity) else { return nil }
    return try Model.fetchOne(
      run.database, sql: "SELECT * FROM \(table.quotedName) WHERE \(rows.identityColumn) = ?",
      arguments: [id])
  }

  private func updateHandwritten(
    _ object: PayloadObject, _ row: RowKey, _ mode: RowMode, stored: Model
  ) throws {
    var value = stored
    if mode.updatesFields, try value.apply(SyncPayload(object)) {
      try write(value, of: row, from: stored)
    }
    guard LinkMask.applies(run.operations, isNew: false) else { return }
    try applyRelationships(to: value, object, row, mode, isNew: false)
  }
}

/// A stored row, and the statement that found it.
struct StoredRow {
  let statement: ReadStatement
  /// Whether the statement is the scan's, which goes on with the next row.
  let isScanned: Bool
  /// Whether the scan just met the row.
  let isScanMatch: Bool
  /// Whether the payload had other objects of the row. For rows that the scan met, only known if rows are merged or reordered.
  let isRepeated: Bool
  /// Whether the object equals the stored row, so that only its pending links need checking.
  var equalsStored = false

  /// Resets the statement of a row that was looked up.
  func release() {
    if !isScanned { statement.reset() }
  }
}
