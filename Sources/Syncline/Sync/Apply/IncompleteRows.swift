/// New rows that an object of the payload does not say enough of. What is missing may stand elsewhere in the payload:
/// they are decided when another object names them, or when the payload ends.
final class IncompleteRows {
  private struct Entry {
    let model: ModelNumber
    let row: RowKey
    /// The latest object, which has the earlier ones behind it.
    var object: PayloadObject
    /// What is wrong with the row as it was met first.
    let error: SyncError
    /// Where the row was met first.
    let rowIndex: Int?
  }

  private unowned(unsafe) let run: Run
  private var entries: [Entry?] = []
  private var indexes: [ModelNumber: [RowKey: Int]] = [:]

  init(_ run: Run) {
    self.run = run
  }

  var isEmpty: Bool { indexes.isEmpty }

  /// What the payload has said of a row so far.
  func object(of row: RowKey, in model: ModelRows) -> PayloadObject? {
    guard !indexes.isEmpty, let index = indexes[model.entry.number]?[row] else { return nil }
    return entries[index]?.object
  }

  func add(_ object: PayloadObject, _ row: RowKey, in model: ModelRows, error: SyncError) throws {
    let kept = try object.setAside(in: run)
    model.notes.setAside.insert(row, .named)
    let number = model.entry.number
    if let index = indexes[number]?[row] {
      entries[index]?.object = kept
    } else {
      indexes[number, default: [:]][row] = entries.count
      entries.append(Entry(model: number, row: row, object: kept, error: error, rowIndex: object.rowIndex))
    }
  }

  /// Forgets a row that is made.
  func remove(_ row: RowKey, in model: ModelRows) {
    guard !indexes.isEmpty, let index = indexes[model.entry.number]?.removeValue(forKey: row) else { return }
    entries[index] = nil
    if indexes[model.entry.number]?.isEmpty == true { indexes[model.entry.number] = nil }
  }

  /// Ends with the rows that are not complete: the first one's error is thrown, or all are skipped.
  func finish() throws {
    var entries = entries.compactMap(\.self)
    if run.isReordered { entries.sort { $0.rowIndex ?? .max < $1.rowIndex ?? .max } }
    // What is missing may come by a list, or by what is nested in the row itself.
    if !entries.isEmpty { try run.logLinks() }
    if run.skipsInvalidRows { try skipWholeRows(entries) }
    for entry in entries {
      guard run.skipsInvalidRows, case .invalidPayload(let model, let reason) = entry.error else {
        throw entry.error
      }
      run.skip(entry.object, entry.row, in: run.rows(entry.model), error: (model, reason))
      try run.nameNested(in: entry.object)
    }
    self.entries = []
    indexes = [:]
  }

  /// Begins again without the rows of which other objects were applied: a row is kept as a whole, or not at all.
  private func skipWholeRows(_ entries: [Entry]) throws {
    let written =
      run.mode.logsLinks
      ? entries
      : entries.filter { entry in
        let journal = run.rows(entry.model).journal
        return journal.isInserted(entry.row) || journal.isChanged(entry.row)
      }
    guard !written.isEmpty else { return }
    var rows = run.rowsToSkip()
    for entry in written { rows.add(entry.row, of: entry.model, error: entry.error) }
    throw rows
  }
}
