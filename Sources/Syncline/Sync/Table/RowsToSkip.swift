/// Rows that cannot be kept, because a required link has no target, or one of their objects cannot be read. This is known at the
/// end of the payload. If invalid rows are skipped, the sync restarts without them. So nothing remains of rows nested in them,
/// links to them, or pending links.
struct RowsToSkip {
  private struct Row {
    let error: SyncError
    /// Whether a sync has reached the row while the rows that failed before it, or with it, were skipped. If not, the row occurs
    /// only in skipped rows.
    var wasReached = false
  }

  private var rows: [LinkedRow: Row] = [:]
  /// How often the sync restarted.
  private(set) var rounds = 0

  var isEmpty: Bool { rows.isEmpty }

  /// The error of a row, if it is skipped.
  func error(of row: RowKey, in model: ModelNumber) -> SyncError? { rows[LinkedRow(model, row)]?.error }

  func contains(_ object: PayloadObject, in model: ModelNumber) -> Bool {
    object.row.map { error(of: $0, in: model) != nil } ?? false
  }

  /// The rows for the next sync, without those that are only nested in others: these count as if they had never been in the
  /// payload.
  ///
  /// - Parameter wasReached: whether this sync reached a row.
  func confirmed(_ wasReached: (LinkedRow) -> Bool) -> RowsToSkip {
    var confirmed = RowsToSkip()
    confirmed.rounds = rounds + 1
    for (key, row) in rows where row.wasReached || wasReached(key) {
      confirmed.rows[key] = Row(error: row.error, wasReached: true)
    }
    return confirmed
  }

  /// Adds a row; false if it is already there.
  @discardableResult
  mutating func add(_ row: LinkedRow, error: SyncError) -> Bool {
    guard rows[row] == nil else { return false }
    rows[row] = Row(error: error)
    return true
  }

  /// Calls the body with the rows that a sync met, ordered by model and identity.
  func forEachReached(_ body: (LinkedRow, SyncError) -> Void) {
    for (key, row) in rows.sorted(by: { $0.key < $1.key }) where row.wasReached { body(key, row.error) }
  }
}
