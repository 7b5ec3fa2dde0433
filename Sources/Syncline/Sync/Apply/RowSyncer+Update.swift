import Foundation
import GRDB

/// Updating the rows that the store has.
extension RowSyncer {
  func update(_ object: PayloadObject, _ row: RowKey, _ mode: RowMode, stored: StoredRow) throws {
    var mode = mode
    // A row that the payload brought is new for all of its objects.
    if mode.updatesFields != mode.inserts, journal.isInserted(row) { mode.updatesFields = mode.inserts }
    let trustsKeys = !rows.mayWait
    let comparison = RowComparison(rows, trustsKeys: trustsKeys)
    try addEarlier(to: object, row)
    var isMarked = table.softDelete.map { !stored.statement.column($0).isNull } ?? false
    var match: RowMatch
    if object.isAlone {
      match = mode.updatesFields ? comparison.match(object, stored.statement) : .relationships
    } else if case .synced = object.values {
      (match, isMarked) = (.relationships, false)
    } else {
      match = mode.updatesFields ? .different : .relationships
    }
    let hasLists = match == .lists
    if hasLists {
      let isKnownOther = rows.otherList?.owner == row
      let areAsStored =
        try !isMarked && !isKnownOther
        && applier.areListsAsStored(object, row, in: rows, mode)
      match = areAsStored ? .same : .relationships
    }
    // A nested object that is an identity alone is a key, which does not bring a row back.
    let isSame = match == .same && (!isMarked || (object.level > 1 && object.isIdentityAlone))
    if stored.isRepeated,
      isSame
        ? rows.notes.unstamped.contains(row, .named)
        : match == .different || isMarked || (table.updatedAt != nil && journal.isChanged(row)),
      let error = run.unmergedRows(of: table)
    {
      stored.statement.reset()
      throw error
    }
    if isSame {
      if !hasLists { rows.noteSeen(object, row) }
      return stored.release()
    }
    let mayTell = stored.isRepeated && !isAlone(object)
    if mayTell, match != .relationships { try run.noteOrderTells() }
    var stored = stored
    if !trustsKeys, match == .relationships, table.updatedAt != nil, object.isAlone, mode.updatesFields {
      stored.saysWhatIsStored =
        RowComparison(rows, trustsKeys: true).match(object, stored.statement) == .same
    }
    let writes = journal.writeCount
    try update(object, row, mode, stored: stored, match: match, isMarked: isMarked)
    // Another object of the row has said something else, or what it waits for.
    if mayTell, journal.writeCount != writes || rows.mayWait { try run.noteOrderTells() }
    if mayTell, journal.writeCount != writes, object.value.node.offset < lastBegin { try run.logLinks() }
  }

  /// Whether nothing but the objects of its row matters for an object: they are read in their order.
  private func isAlone(_ object: PayloadObject) -> Bool { table.isFlat && object.level == 1 }

  /// What earlier objects say of the row, and could not be applied alone, counts where an object says nothing.
  func addEarlier(to object: PayloadObject, _ row: RowKey) throws {
    // What all objects of a row say together is not made up for by one of them.
    if case .synced = object.values { return }
    guard let earlier = incomplete.object(of: row, in: rows) else { return }
    object.earlier = earlier
    if !isAlone(object) { try run.noteOrderTells() }
  }

  /// Applies an object to a row that is not the same. On its own, so that rows that are take no room for a model's
  /// value.
  @inline(never)
  private func update(
    _ object: PayloadObject, _ row: RowKey, _ mode: RowMode, stored: StoredRow, match: RowMatch,
    isMarked: Bool
  ) throws {
    let old = try decode(stored)
    let (values, isStale) = try values(of: object, row, stored: old, isReported: !stored.saysWhatIsStored)
    // An object before this one may have been older than what is stored, or have no stamp at all.
    if stored.isRepeated, !isStale || rows.notes.unstamped.contains(row, .named), table.updatedAt != nil,
      !journal.isInserted(row), let error = run.unmergedRows(of: table)
    {
      throw error
    }
    var value = old
    var changed = false
    if !isStale {
      do {
        try checkRequiredLinks(object, row, mode)
        if mode.updatesFields, match == .different {
          if !table.unionTypes.isEmpty { values.limitUnions(to: mode.operations, isNew: false) }
          changed = try value.apply(SyncPayload(values))
          if changed, stored.isMet ? named.containsOutsideScan(row) : stored.isRepeated {
            applier.differing.note(row, in: rows)
          }
        }
      } catch SyncError.invalidPayload(let model, let reason) {
        if stored.isRepeated, !isAlone(object) { try run.noteOrderTells() }
        // A later object of the row may say what this one should.
        return try incomplete.add(
          values, row, in: rows, error: SyncError.invalidPayload(model: model, reason: reason))
      }
    }
    // Where a row stands is no part of what its stamp is of.
    if mode.updatesFields, let place = object.placeInList, value.syncTakePlace(place) { changed = true }
    if object.earlier != nil {
      incomplete.remove(row, in: rows)
      applier.differing.note(row, in: rows)
    }
    let reactivates =
      isMarked && mode.updatesFields && !(object.level > 1 && object.isIdentityAlone)
      && !values.contains(SyncKey(table.softDelete ?? 0))
    let appliesLinks =
      LinkMask.applies(mode.operations, isNew: journal.isInserted(row))
      || (object.scope != nil && links.statements == nil)
    // With no rows nested in it, nothing but its own keys changes the row meanwhile: it is written once.
    let isWrittenOnce =
      appliesLinks && changed && !reactivates && !isStale && table.isGenerated && !object.hasNestedRows
    if changed || reactivates, !isWrittenOnce {
      try write(value, of: row, from: old, reactivates: reactivates)
      if reactivates { value = try reread(row) ?? value }
    }
    guard appliesLinks else {
      if let statements = links.statements { stateScope(of: object, row, in: statements) }
      return try run.nameNested(in: object)
    }
    try applyRelationships(
      to: value, from: isWrittenOnce ? old : nil, object, row, mode, isNew: false, isStale: isStale)
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

  // MARK: Stamps

  /// Where a row's values are read from, and whether the stored ones are as new.
  private func values(
    of object: PayloadObject, _ row: RowKey, stored: Model, isReported: Bool
  ) throws -> (values: PayloadObject, isStale: Bool) {
    switch object.values {
    // A row that is new in this payload is older than all that the payload says of it.
    case .own:
      let isStale = try !journal.isInserted(row) && isStale(object, row, stored: stored, isReported)
      return (object, isStale)
    case .merged(let merged):
      let isStale = try isStale(merged, row, stored: stored, isReported)
      if isStale { applier.repeated?.noteStale(row, in: rows) }
      return (merged, isStale)
    case .synced(let isStale): return (object, isStale)
    }
  }

  /// Whether the stored row is as new as the payload's, or newer.
  ///
  /// - Parameter isReported: whether an object without a stamp is reported.
  private func isStale(
    _ object: PayloadObject, _ row: RowKey, stored: Model, _ isReported: Bool
  ) throws -> Bool {
    guard let position = table.updatedAt else { return false }
    let stamp = SyncKey(position)
    let property = table.properties[position]
    var cursor = object.cursor(stamp)
    func date<Value: SyncScalar>(_ type: Value.Type) -> Date? {
      SyncPayload(object).read(type, &cursor, property.format).flatMap { Date.syncLoad($0.syncDatabaseValue) }
    }
    let stated =
      property.transformedType.map { date($0) }
      ?? SyncPayload(object).read(Date.self, &cursor, property.format)
    guard let date = stated else {
      guard isReported else { return false }
      object.report(
        object.candidates(of: stamp).first?.text ?? property.name, .noStamp, .appliedWithoutStamp)
      rows.notes.unstamped.insert(row, .named)
      return false
    }
    guard let current = Date.syncLoad(try stored.columnValues()[position]) else { return false }
    return Instant(date) <= Instant(current)
  }

  // MARK: Required links

  /// A required link that cannot be cleared, or taken from its owner, is refused before anything of the row is
  /// written.
  private func checkRequiredLinks(_ object: PayloadObject, _ row: RowKey, _ mode: RowMode) throws {
    guard table.hasRequiredLinks, links.statements == nil else { return }
    for case let end? in rows.entry.ends where end.isColumn && !end.isOptional {
      guard object.scopeParent(for: end.key) == nil else { continue }
      let reading = object.toOne(end.key, target: end.targetTable)
      if case .null = reading.decision, mode.operations.contains(.delete) {
        throw object.error(end.name, key: reading.key, .requiredIsNull)
      }
      guard run.skipsInvalidRows, end.isUnique, let target = reading.identity else { continue }
      if let owner = try rows.holders(of: target, at: end.position).first(where: { $0 != row.identity }) {
        throw PartnerTaken(
          error: object.error(
            end.name, key: reading.key,
            .requiredBy(row: owner.description, target: target.description)))
      }
    }
  }

  // MARK: Writing

  /// Writes the columns that differ.
  func write(_ value: Model, of row: RowKey, from old: Model, reactivates: Bool = false) throws {
    guard table.isGenerated else {
      try value.updateChanges(run.database, from: old)
      return journal.recordUpdate(row, from: [false.databaseValue], to: [true.databaseValue])
    }
    var values = try value.columnValues()
    if reactivates, let position = table.softDelete { values[position] = .null }
    try rows.update(row, from: old.columnValues(), to: values)
    if reactivates { journal.recordReactivation(row) }
  }
}
