import GRDB

/// Applies the objects of a payload to the rows of all models.
final class RowApplier {
  let run: Run
  let links: PayloadLinks
  let incomplete: IncompleteRows
  let differing: DifferingObjects
  /// The rows whose objects are merged; nil if none are.
  let repeated: RepeatedRows?
  private(set) lazy var unidentified = UnidentifiedRows(self)

  init(_ run: Run, _ links: PayloadLinks) {
    self.run = run
    self.links = links
    incomplete = IncompleteRows(run)
    differing = DifferingObjects(run)
    repeated = run.mode.mergesAny ? RepeatedRows(run.mode, differing) : nil
  }

  /// Applies one object. Under `.skip` a row that cannot be kept is reported, and the others go on.
  ///
  /// - Parameter isCounted: whether the object is merged with other objects of its row.
  func apply(
    _ object: PayloadObject, _ identity: SyncIdentity, in model: ModelRows, _ mode: RowMode,
    isCounted: Bool = true
  ) throws -> RowOutcome {
    var wasSkipped = false
    do {
      return try applyReadable(
        object, identity, in: model, mode, isCounted: isCounted, wasSkipped: &wasSkipped)
    } catch SyncError.invalidPayload(let name, let reason) where run.skipsInvalidRows,
      SyncError.unreadableRow(let name, let reason) where run.skipsInvalidRows
    {
      if !wasSkipped { run.reportSkipped(object, identity, in: model, error: (name, reason)) }
      try run.nameNested(in: object)
      return .left
    }
  }

  /// Applies an object of a row, and throws all errors.
  ///
  /// - Parameter wasSkipped: set if it throws for a row of which it skipped an earlier object.
  private func applyReadable(
    _ object: PayloadObject, _ identity: SyncIdentity, in model: ModelRows, _ mode: RowMode,
    isCounted: Bool, wasSkipped: inout Bool
  ) throws -> RowOutcome {
    let row = RowKey(identity: identity, parent: try model.scopeParent(of: object))
    if run.skipsRows, let outcome = try run.skipped(object, row, in: model) { return outcome }
    // The payload marks the row as deleted. The rows nested in its object are present.
    switch run.deletedRows?.treatment(of: row, in: model.table) {
    case .applied, nil: break
    case .skipped(let isKept):
      if isKept { try run.name(object) } else { try run.nameNested(in: object) }
      return .left
    case .ignored:
      try run.name(object)
      return .known
    }
    // The row is not inserted only to be deleted: the deletion of a new row could cascade to rows that the deletion of the stored
    // row keeps. Links to it stay pending, as if the payload had only its key.
    if let lists = model.listsOfDeletedRows, lists.isDeletedPermanently(row) {
      return try run.pass(object, row, in: model)
    }
    run.uniqueValues?.note(object, row, in: model)
    if isCounted { repeated?.prepare(object, row, in: model) }
    do {
      // GRDB writes these rows, and crashes at a value that SQLite refuses.
      if !model.table.isGenerated, object.value.content.count > run.database.lengthLimit {
        throw object.tooLong(limit: run.database.lengthLimit)
      }
      return try syncer(of: model).sync(object, row, mode)
    } catch {
      // The scan may have matched the row before the error, but not counted it.
      model.named.insert(row)
      wasSkipped = model.journal.isSkipped(row)
      model.journal.recordSkip(row)
      guard (error as? DatabaseError)?.resultCode == .SQLITE_TOOBIG else { throw error }
      throw object.tooLong(limit: run.database.lengthLimit)
    }
  }

  private func syncer(of model: ModelRows) -> any RowSyncing {
    if let syncer = model.syncer { return syncer }
    func make<Model: SyncUpdatableModel>(_ type: Model.Type) -> any RowSyncing {
      RowSyncer<Model>(model, self)
    }
    let syncer = make(model.entry.model)
    model.syncer = syncer
    return syncer
  }
}
