import GRDB

/// Unique values of edited rows: `@Unique`.
extension StoredEdits {
  /// The positions of the unique values that count: they are not null, and their row is not marked as deleted.
  func uniqueValues(of values: Edit.Values) -> [Int] {
    if let mark = table.softDelete, !values.columns[mark].isNull { return [] }
    return table.uniqueValues.filter { !values.columns[$0].isNull }
  }

  /// The columns to write, so that a row has other values: those that differ, and the unique values if their index has only one of
  /// the two rows, because the other is marked as deleted.
  func columnsToWrite(_ values: Edit.Values, from other: Edit.Values?) -> [Int] {
    let differing = values.differingColumns(from: other)
    guard let mark = table.softDelete, differing.contains(mark) else { return differing }
    return Set(differing).union(table.uniqueValues).sorted()
  }

  /// The values without unique ones that another row has now. A required value is that of the edited row, if it is given and free,
  /// or stays the one that the row has.
  func withoutTakenValues(
    _ values: Edit.Values, of row: RowKey, insteadUsing edited: Edit.Values? = nil
  ) throws -> Edit.Values {
    if table.uniqueValues.isEmpty { return values }
    var values = values
    for position in uniqueValues(of: values) {
      guard try isTaken(values.columns[position], at: position, besides: row) else { continue }
      if table.properties[position].isOptional {
        values.columns[position] = .null
      } else if let edited, try !isTaken(edited.columns[position], at: position, besides: row) {
        values.columns[position] = edited.columns[position]
      } else if let stored = try stored(row) {
        values.columns[position] = stored.columns[position]
      }
    }
    return values
  }

  /// Whether another row has a unique value.
  func isTaken(_ value: DatabaseValue, at position: Int, besides row: RowKey) throws -> Bool {
    let key = StoredEdits.condition(model.keyColumns, from: 2)
    return try exists(
      """
      SELECT 1 FROM \(table.quotedName)
      WHERE \(table.properties[position].quotedName) = ?1 AND NOT (\(key))\(table.andIsNotDeleted)
      """, [value] + keyValues(row))
  }
}
