/// Objects of rows that the payload marks as deleted.
extension Run {
  /// Skips an object whose row is deleted, and records the rows nested in it as present.
  ///
  /// - Returns: nil if the object is applied.
  func skipped(
    _ object: PayloadObject, _ row: RowKey, in model: ModelRows, _ deleted: DeletedRows
  ) throws -> RowOutcome? {
    guard let treatment = deleted.treatment(of: row, in: model.table) else { return nil }
    switch treatment {
    case .applied: return nil
    case .skipped(let isKept):
      if isKept { try name(object) } else { try nameNested(in: object) }
      return .left
    case .ignored:
      try name(object)
      return .known
    }
  }
}
