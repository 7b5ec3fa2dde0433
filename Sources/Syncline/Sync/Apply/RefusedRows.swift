/// Rows that are skipped unless another one gives up the partner that they require, where invalid rows are skipped.
///
/// What the payload says of a row later counts after what it says first, so its other objects wait behind the first.
struct RefusedRows {
  struct Row {
    let model: ModelRows
    let row: RowKey
    let object: PayloadObject
    let mode: RowMode
    let error: SyncError
  }

  private var rows: [Row] = []
  private var errors: [ModelNumber: [RowKey: SyncError]] = [:]

  var isEmpty: Bool { rows.isEmpty }
  var count: Int { rows.count }

  /// What keeps a row, if it is refused.
  func error(of row: RowKey, in model: ModelRows) -> SyncError? {
    errors.isEmpty ? nil : errors[model.entry.number]?[row]
  }

  mutating func add(_ row: Row) {
    rows.append(row)
    row.model.notes.setAside.insert(row.row, .named)
    if error(of: row.row, in: row.model) == nil {
      errors[row.model.entry.number, default: [:]][row.row] = row.error
    }
  }

  mutating func removeAll() -> [Row] {
    defer { self = RefusedRows() }
    return rows
  }

  /// Takes the first object of each row, and leaves the others.
  mutating func removeFirstOfEach() -> [Row] {
    var first = RefusedRows()
    for row in removeAll() {
      if first.error(of: row.row, in: row.model) == nil { first.add(row) } else { add(row) }
    }
    return first.rows
  }
}
