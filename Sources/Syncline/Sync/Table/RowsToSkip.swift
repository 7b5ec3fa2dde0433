/// Rows that cannot be kept: a link that they require leads nowhere, or one of several objects of theirs cannot be read. That is
/// known when the payload ends. Where invalid rows are skipped the sync begins again without them, so that nothing is left of
/// what was nested in them, led to them or waited for them.
struct RowsToSkip: Error {
  private struct Row {
    let error: SyncError
    /// Whether a sync without the rows that failed before it, or with it, met the row. Others stand in skipped rows alone.
    var isMet = false
  }

  private var rows: [ModelNumber: [RowKey: Row]] = [:]
  /// How often the sync began again.
  private(set) var rounds = 0

  /// Asked for each row.
  private(set) var isEmpty = true

  /// What keeps a row, if it is skipped.
  func error(of row: RowKey, in model: ModelNumber) -> SyncError? { rows[model]?[row]?.error }

  /// Whether the row of an object is skipped.
  func contains(_ object: PayloadObject, in model: ModelNumber) -> Bool {
    guard rows[model] != nil else { return false }
    return object.row.map { error(of: $0, in: model) != nil } ?? false
  }

  /// The rows for the next sync, without those that stand in others alone: they are as though they had never been in the
  /// payload.
  ///
  /// - Parameter isMet: whether this sync met a row.
  func confirmed(_ isMet: (ModelNumber, RowKey) -> Bool) -> RowsToSkip {
    var confirmed = RowsToSkip()
    confirmed.rounds = rounds + 1
    for (model, rows) in rows {
      for (key, row) in rows where row.isMet || isMet(model, key) {
        confirmed.isEmpty = false
        confirmed.rows[model, default: [:]][key] = Row(error: row.error, isMet: true)
      }
    }
    return confirmed
  }

  /// Adds a row; false where it is known.
  @discardableResult
  mutating func add(_ row: RowKey, of model: ModelNumber, error: SyncError) -> Bool {
    guard rows[model]?[row] == nil else { return false }
    rows[model, default: [:]][row] = Row(error: error)
    isEmpty = false
    return true
  }

  /// Calls the body with the rows that were met before, in the order of their models and identities.
  func forEachMet(_ body: (ModelNumber, RowKey, SyncError) -> Void) {
    for (model, rows) in rows.sorted(by: { $0.key < $1.key }) {
      for (key, row) in rows.sorted(by: { $0.key.identity < $1.key.identity }) where row.isMet {
        body(model, key, row.error)
      }
    }
  }
}
