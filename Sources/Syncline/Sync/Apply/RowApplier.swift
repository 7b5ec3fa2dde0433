import GRDB

/// Applies the objects of a payload to the rows of all models.
final class RowApplier {
  let run: Run
  let links: PayloadLinks
  let incomplete: IncompleteRows
  private(set) var refused = RefusedRows()
  let differing: DifferingObjects
  /// The rows whose objects are merged; nil where they need not be.
  let repeated: RepeatedRows?
  private(set) lazy var unidentified = UnidentifiedRows(self)

  init(_ run: Run, _ links: PayloadLinks) {
    self.run = run
    self.links = links
    incomplete = IncompleteRows(run)
    differing = DifferingObjects(run)
    repeated = run.mode.mergedTables.isEmpty ? nil : RepeatedRows(run.mode, differing)
  }

  /// Applies one object. Under `.skip` a row that cannot be kept is reported, and the others go on.
  func apply(
    _ object: PayloadObject, _ identity: SyncIdentity, in model: ModelRows, _ mode: RowMode
  ) throws -> RowOutcome {
    let row = RowKey(identity: identity)
    if let error = refused.error(of: row, in: model), !object.isIdentityAlone {
      // What comes later of the row counts after what comes first.
      try refuse(object, row, in: model, mode, error: error)
      return .waits
    }
    do {
      return try applyReadable(object, identity, in: model, mode)
    } catch let error as PartnerTaken {
      if try model.exists(identity) { model.name(row) }
      try refuse(object, row, in: model, mode, error: error.error)
      return .waits
    } catch SyncError.invalidPayload(let name, let reason) where run.skipsInvalidRows {
      run.reportSkipped(object, identity, in: model, error: (name, reason))
      try run.nameNested(in: object)
      return .left
    } catch SyncError.unreadableRow(let name, let reason) where run.skipsInvalidRows {
      // The stored row stays as it is.
      model.name(row)
      run.reportSkipped(object, identity, in: model, error: (name, reason))
      try run.nameNested(in: object)
      return .left
    }
  }

  private func refuse(
    _ object: PayloadObject, _ row: RowKey, in model: ModelRows, _ mode: RowMode, error: SyncError
  ) throws {
    try run.logLinks()
    // What keeps the row may itself be nested in it, and is not missing.
    try run.nameNested(in: object)
    try refused.add(
      .init(model: model, row: row, object: object.setAside(in: run), mode: mode, error: error))
  }

  /// Tries again to keep rows that were refused for what others had then, as long as that helps.
  func retryRefused(_ decideLinks: () throws -> Void) throws {
    while !refused.isEmpty {
      let rows = refused.removeAll()
      for refused in rows {
        _ = try apply(refused.object, refused.row.identity, in: refused.model, refused.mode)
      }
      links.pending.reopen()
      try decideLinks()
      if refused.count == rows.count { return }
    }
  }

  /// Skips what is still refused of a row, its first object first: what the payload says later of it may be kept.
  func skipRefused(_ decideLinks: () throws -> Void) throws {
    while !refused.isEmpty {
      for first in refused.removeFirstOfEach() {
        guard case .invalidPayload(let name, let reason) = first.error else { throw first.error }
        run.skip(first.object, first.row, in: first.model, error: (name, reason))
        try run.nameNested(in: first.object)
      }
      try retryRefused(decideLinks)
    }
  }

  /// Applies an object of a row that is not refused.
  private func applyReadable(
    _ object: PayloadObject, _ identity: SyncIdentity, in model: ModelRows, _ mode: RowMode
  ) throws -> RowOutcome {
    let row = RowKey(identity: identity, parent: try model.scopeParent(of: object))
    if run.skipsRows, let outcome = try run.skipped(object, row, in: model) { return outcome }
    repeated?.prepare(object, row, in: model)
    do {
      // GRDB, which writes such rows, traps at a value that SQLite refuses.
      if !model.table.isGenerated, object.value.content.count > run.database.lengthLimit {
        throw object.tooLong(limit: run.database.lengthLimit)
      }
      return try syncer(of: model).sync(object, row, mode)
    } catch let error as PartnerTaken {
      throw error
    } catch {
      // Before its error the scan may have met it, and did not count it.
      model.named.insert(row)
      model.journal.recordSkip(row)
      guard (error as? DatabaseError)?.resultCode == .SQLITE_TOOBIG else { throw error }
      throw object.tooLong(limit: run.database.lengthLimit)
    }
  }

  /// What syncs the rows of a model: it knows the model's type.
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
