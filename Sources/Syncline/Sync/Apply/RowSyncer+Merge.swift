/// Merging the objects of a row.
extension RowSyncer {
  func merge(_ object: PayloadObject, of row: RowKey) throws {
    guard table.isGenerated, var value = try merged[row] ?? reread(row) else { return }
    _ = try apply(object, to: &value)
    merged[row] = value
  }

  func differs(_ object: PayloadObject, of row: RowKey) throws -> Bool {
    guard var value = merged[row] else { return false }
    return try apply(object, to: &value)
  }

  /// Applies an object; false if it changes nothing, or cannot be read.
  private func apply(_ object: PayloadObject, to value: inout Model) throws -> Bool {
    do {
      return try value.apply(SyncPayload(object))
    } catch SyncError.invalidPayload {
      return false
    }
  }
}
