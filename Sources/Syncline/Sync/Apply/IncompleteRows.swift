/// Rows with an object that cannot be applied on its own, such as a new row without a required value. The value may be elsewhere
/// in the payload: the row is decided with its next object, or at the end of the payload.
final class IncompleteRows {
  private struct Entry {
    let row: LinkedRow
    /// The latest object, with the earlier ones linked to it.
    var object: PayloadObject
    var count = 1
    /// The error of the row's first object.
    let error: SyncError
    /// The index in the payload of the row with the first object.
    let rowIndex: Int?
  }

  private unowned(unsafe) let run: Run
  private var entries: [Entry?] = []
  @exclusivity(unchecked) private var indexes: [LinkedRow: Int] = [:]

  /// The maximum number of objects of a row that wait for a later one. Each new object reads all earlier ones again, so for more
  /// objects the call merges all objects of a row at once.
  private static let objectLimit = 8

  init(_ run: Run) {
    self.run = run
  }

  var isEmpty: Bool { indexes.isEmpty }

  /// The objects of a row that could not be applied so far; nil if there are none.
  func object(of row: RowKey, in model: ModelRows) -> PayloadObject? {
    guard !indexes.isEmpty, let index = indexes[LinkedRow(model.entry.number, row)] else { return nil }
    return entries[index]?.object
  }

  func add(_ object: PayloadObject, _ row: RowKey, in model: ModelRows, error: SyncError) throws {
    let kept = try object.setAside(in: run)
    model.notes.setAside.insert(row, .named)
    let row = LinkedRow(model.entry.number, row)
    if let index = indexes[row] {
      entries[index]?.object = kept
      entries[index]?.count += 1
      if let count = entries[index]?.count, count > IncompleteRows.objectLimit { try run.logLinks() }
    } else {
      indexes[row] = entries.count
      entries.append(Entry(row: row, object: kept, error: error, rowIndex: object.rowIndex))
    }
  }

  func remove(_ row: RowKey, in model: ModelRows) {
    guard !indexes.isEmpty, let index = indexes.removeValue(forKey: LinkedRow(model.entry.number, row))
    else { return }
    entries[index] = nil
  }

  /// Throws the error of the first row that is still incomplete, or restarts the call without these rows.
  func finish() throws {
    var entries = entries.compactMap(\.self)
    guard !entries.isEmpty else { return }
    // A list, or an object nested in the row itself, may state the missing link.
    try run.logLinks()
    if run.isReordered { entries.sort { $0.rowIndex ?? .max < $1.rowIndex ?? .max } }
    guard run.skipsInvalidRows else { throw entries[0].error }
    var rows = run.rowsToSkip()
    for entry in entries { rows.add(entry.row, error: entry.error) }
    throw Restart.skipping(rows)
  }
}
