import Foundation
import GRDB

extension RowSyncer {
  func update(_ object: PayloadObject, _ row: RowKey, _ mode: RowMode, stored: StoredRow) throws {
    var mode = mode
    // A row that this call inserted is new for all of its objects.
    if mode.updatesFields != mode.inserts, journal.isInserted(row) { mode.updatesFields = mode.inserts }
    let trustsKeys = !rows.mayWait
    if !rows.notedEnds.isEmpty { noteLinks(of: object, row, isNew: journal.isInserted(row)) }
    try addEarlier(to: object, row)
    var match = compare(object, with: stored, mode, trustsKeys: trustsKeys)
    var isMarked = table.softDelete.map { !stored.statement.column($0).isNull } ?? false
    if case .synced = object.values { isMarked = false }
    // No object reactivates a row that the payload deletes: it keeps the time of its deletion.
    if isMarked, rows.isToBeDeleted(row) { isMarked = false }
    let hasLists = match == .lists
    if hasLists {
      let areAsStored =
        try !isMarked && rows.otherList?.owner != row
        && applier.areListsAsStored(object, row, in: rows, mode)
      match = areAsStored ? .same : .relationships
    }
    // A nested object with just an identity is a key, which does not reactivate a row.
    let isSame = match == .same && (!isMarked || (object.level > 1 && object.isIdentityAlone))
    if stored.isRepeated,
      isSame
        ? rows.notes.unstamped.contains(row, .named)
        : match == .different || isMarked || (table.isComparedLoosely && journal.isChanged(row)),
      run.needsMerging(of: table)
    {
      stored.statement.reset()
      throw Restart.mergingRows
    }
    if isSame {
      if !hasLists { rows.noteSeen(object, row) }
      return stored.release()
    }
    let mayDependOnOrder = stored.isRepeated && !isAlone(object)
    if mayDependOnOrder, match != .relationships { try run.noteOrderDependence() }
    var stored = stored
    if !trustsKeys, match == .relationships, table.updatedAt != nil, object.isAlone, mode.updatesFields {
      stored.equalsStored = rows.comparison.match(object, stored.statement) == .same
    }
    let before = written
    try update(object, row, mode, stored: stored, match: match, isMarked: isMarked)
    // Another object of the row stated something else, or its links may be pending.
    if mayDependOnOrder, written.rows != before.rows || rows.mayWait { try run.noteOrderDependence() }
    // An object that begins later was applied before, such as that of a required to-one.
    if mayDependOnOrder, object.begin < lastBegin, written != before { try run.logLinks() }
  }

  /// The number of writes so far: to rows of the model, to links, and to pending links.
  private var written: (rows: Int, links: Int, waiting: Int) {
    (journal.writeCount, run.ledger.writeCount, links.pending.decisions.count)
  }

  private func compare(
    _ object: PayloadObject, with stored: StoredRow, _ mode: RowMode, trustsKeys: Bool
  ) -> RowMatch {
    if case .synced = object.values {
      // The values were applied with another object, so the row need not be decoded.
      return table.isFlat && object.placeInList == nil ? .same : .relationships
    }
    guard mode.updatesFields else { return .relationships }
    guard object.isAlone else { return .different }
    return (trustsKeys ? rows.comparison : rows.cautiousComparison).match(object, stored.statement)
  }

  /// Whether only objects of the same row affect an object: these are always read in payload order.
  private func isAlone(_ object: PayloadObject) -> Bool {
    table.isFlat && object.level == 1 && !run.readsByModel
  }

  /// Lets an object read missing values from earlier objects of the row that could not be applied on their own.
  func addEarlier(to object: PayloadObject, _ row: RowKey) throws {
    // The merged objects could not create the row, so a part of them cannot either.
    if case .synced = object.values { return }
    guard let earlier = incomplete.object(of: row, in: rows) else { return }
    object.earlier = earlier
    // The links that these objects state are decided together.
    if !isAlone(object) { try run.logLinks() }
  }

  /// Applies an object to a row that differs. It is not inlined, so that unchanged rows do not reserve stack for a `Model`.
  @inline(never)
  private func update(
    _ object: PayloadObject, _ row: RowKey, _ mode: RowMode, stored: StoredRow, match: RowMatch,
    isMarked: Bool
  ) throws {
    let old = try decode(stored)
    // If the operations do not update fields, the stamp does not apply to links either.
    let (values, isStale) =
      mode.updatesFields
      ? try values(of: object, row, stored: old, isReported: !stored.equalsStored) : (object, false)
    // An earlier object may have been older than the stored row, or without a stamp.
    if stored.isRepeated, !isStale || rows.notes.unstamped.contains(row, .named), table.updatedAt != nil,
      !journal.isInserted(row), run.needsMerging(of: table)
    {
      throw Restart.mergingRows
    }
    var value = old
    var changed = false
    if !isStale {
      let mark = run.log.mark
      do {
        try checkRequiredLinks(object, row)
        if mode.updatesFields, match == .different {
          if !table.unionTypes.isEmpty { values.limitUnions(to: run.operations, isNew: false) }
          changed = try value.apply(SyncPayload(values))
          if changed { noteRepeated(row, stored) }
        }
      } catch SyncError.invalidPayload(let model, let reason) {
        if stored.isRepeated, !isAlone(object) { try run.noteOrderDependence() }
        // A later object of the row may have the missing value.
        run.log.reset(to: mark)
        return try incomplete.add(
          values, row, in: rows, error: SyncError.invalidPayload(model: model, reason: reason))
      }
    }
    // The row's position in its list is updated even if the stored row is newer.
    if mode.updatesFields, let place = object.placeInList, value.syncTakePlace(place) { changed = true }
    if object.earlier != nil {
      incomplete.remove(row, in: rows)
      applier.differing.note(row, in: rows)
    }
    let reactivates =
      isMarked && mode.updatesFields && !(object.level > 1 && object.isIdentityAlone)
      && !values.contains(SyncKey(table.softDelete ?? 0))
    let isNew = journal.isInserted(row)
    let appliesLinks = LinkMask.applies(run.operations, isNew: isNew)
    let isDeleted = changed && table.softDelete != nil && rows.isToBeDeleted(row)
    // Without nested rows, only the row's own keys change it, so one write is enough.
    let isWrittenOnce =
      appliesLinks && changed && !reactivates && !isDeleted && !isStale && table.isGenerated
      && !object.hasNestedRows
    if changed || reactivates, !isWrittenOnce {
      try write(value, of: row, from: old, reactivates: reactivates, isDeleted: isDeleted)
      if reactivates || isDeleted { value = try reread(row) ?? value }
    }
    guard appliesLinks else {
      try stateInsertion(of: row, object, isNew: isNew)
      return try run.nameNested(in: object)
    }
    let awaited = pendingTargets(of: row, stored)
    let isLinked = try applyRelationships(
      to: value, from: isWrittenOnce ? old : nil, object, row, mode, isNew: false, isStale: isStale)
    if isLinked || pendingTargets(of: row, stored) != awaited { noteRepeated(row, stored) }
  }

  /// Notes that an object changed its row, if the payload had other objects of it.
  private func noteRepeated(_ row: RowKey, _ stored: StoredRow) {
    if isRepeated(row, stored) { applier.differing.note(row, in: rows) }
  }

  private func isRepeated(_ row: RowKey, _ stored: StoredRow) -> Bool {
    stored.isScanMatch ? named.containsOutsideScan(row) : stored.isRepeated
  }

  /// The pending targets of the to-one relationships of a row with several objects.
  private func pendingTargets(of row: RowKey, _ stored: StoredRow) -> [Int: [SyncIdentity]] {
    guard rows.mayWait, isRepeated(row, stored) else { return [:] }
    var targets: [Int: [SyncIdentity]] = [:]
    for case let end? in rows.entry.ends where end.isColumn {
      let awaited = links.pending.targets(of: LinkPlace(end: end, owner: row))
      if !awaited.isEmpty { targets[end.position] = awaited }
    }
    return targets
  }

  private func decode(_ stored: StoredRow) throws -> Model {
    defer { stored.release() }
    return try Model(columns: stored.statement.decoder(of: table))
  }

  func reread(_ row: RowKey) throws -> Model? {
    let statement = try rows.select(row)
    defer { statement.reset() }
    return try statement.step() ? try Model(columns: statement.decoder(of: table)) : nil
  }

  /// The object from which a row's values are read, and whether the stored row is at least as new.
  private func values(
    of object: PayloadObject, _ row: RowKey, stored: Model, isReported: Bool
  ) throws -> (values: PayloadObject, isStale: Bool) {
    if case .synced(let isStale) = object.values { return (object, isStale) }
    var values = object
    if case .merged(let merged) = object.values { values = merged }
    // A row that this call inserted, even from an object with only its identity, is older than all of its objects.
    let isStale = try !journal.isInserted(row) && isStale(values, row, stored: stored, isReported)
    if isStale, case .merged = object.values { applier.repeated?.noteStale(row, in: rows) }
    return (values, isStale)
  }

  /// Whether the stored row is at least as new as the payload's.
  ///
  /// - Parameter isReported: whether an object without a stamp is reported.
  private func isStale(
    _ object: PayloadObject, _ row: RowKey, stored: Model, _ isReported: Bool
  ) throws -> Bool {
    guard let position = table.updatedAt else { return false }
    let stamp = SyncKey(position)
    let property = table.properties[position]
    guard let date = object.date(at: position) else {
      // An object with only an identity has no values that could be older than the stored ones.
      if object.level > 1, object.isIdentityAlone { return false }
      if isReported {
        object.report(
          object.candidates(of: stamp).first?.text ?? property.name, .noStamp, .appliedWithoutStamp)
      }
      rows.notes.unstamped.insert(row, .named)
      return false
    }
    guard let current = Date.syncLoad(try stored.columnValues()[position]) else { return false }
    return Instant(date) < Instant(current) || Instant(date) == Instant(current) && !run.readsEqualStamps
  }

  /// Throws before anything is written if a required link is cleared, or its target is another row's partner.
  private func checkRequiredLinks(_ object: PayloadObject, _ row: RowKey) throws {
    guard table.hasRequiredLinks, links.statements == nil else { return }
    for case let end? in rows.entry.ends where end.isColumn && !end.isOptional {
      guard object.scopeParent(for: end.key) == nil else { continue }
      let reading = object.toOne(end.key, target: end.targetTable)
      if case .null = reading.decision, run.operations.contains(.delete) {
        throw object.error(end.name, key: reading.key, .requiredIsNull)
      }
      guard run.skipsInvalidRows, end.isUnique, let target = reading.identity else { continue }
      if try rows.holders(of: target, at: end.position).contains(where: { $0 != row.identity }) {
        try run.logLinks()
      }
    }
  }

  func write(
    _ value: Model, of row: RowKey, from old: Model, reactivates: Bool = false, isDeleted: Bool = false
  ) throws {
    guard table.isGenerated else {
      try value.updateChanges(run.database, from: old)
      return journal.recordUpdate(row, from: [false.databaseValue], to: [true.databaseValue])
    }
    var values = try value.columnValues()
    let stored = try old.columnValues()
    if let position = table.softDelete {
      if reactivates { values[position] = .null }
      // A deleted row keeps its mark, or gets the payload's.
      if isDeleted, values[position].isNull { values[position] = stored[position] }
      if isDeleted, stored[position].isNull, !values[position].isNull { journal.recordSoftDeletion(row) }
    }
    try rows.update(row, from: stored, to: values)
    if reactivates { journal.recordReactivation(row) }
  }
}
