extension Run {
  /// Reports a row that cannot be kept.
  ///
  /// - Parameter object: its object; nil if that was not reached.
  func reportSkipped(
    _ object: PayloadObject?, _ identity: SyncIdentity, in model: ModelRows,
    error: (model: String, reason: String)
  ) {
    model.counts.skipped += 1
    log.record(
      SyncProblem(
        model: error.model, row: object?.rowIndex, identity: identity.description, path: object?.path ?? "",
        reason: error.reason, action: .skippedRow))
  }

  /// Skips an object of a row that cannot be kept, and records the rows nested in it.
  ///
  /// - Returns: nil for all other rows.
  func skipped(_ object: PayloadObject, _ row: RowKey, in model: ModelRows) throws -> RowOutcome? {
    guard let error = mode.skipped.error(of: row, in: model.entry.number) else { return nil }
    if !model.journal.isSkipped(row), case .invalidPayload(let name, let reason) = error {
      // It keeps its stored values.
      model.name(row)
      model.journal.recordSkip(row)
      reportSkipped(object, row.identity, in: model, error: (name, reason))
    }
    return try pass(object, row, in: model)
  }

  /// Passes over an object of a row, and records the rows nested in it. Links to the row are made, or wait for it.
  func pass(_ object: PayloadObject, _ row: RowKey, in model: ModelRows) throws -> RowOutcome {
    try nameNested(in: object)
    return try model.isStored(row) ? .known : .waits
  }

  /// Reports skipped rows that were not reached, since they are nested in rows that were skipped after them.
  func reportSkippedInside() {
    mode.skipped.forEachReached { row, error in
      let model = rows(row.model)
      if !model.journal.isSkipped(row.key), case .invalidPayload(let name, let reason) = error {
        reportSkipped(nil, row.key.identity, in: model, error: (name, reason))
      }
    }
  }
}
