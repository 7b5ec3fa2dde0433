/// Follows a join of the payload with the stored rows: the number of each row is known before it is asked for.
struct JoinScan {
  var rows: RowNumberScan
  /// The number of the row that is asked for next.
  var expected: Int64

  /// Reads the next row; nil if the payload has not reached the current one, or another row is expected.
  mutating func readNext() throws -> ReadStatement? {
    guard let statement = try rows.readNext(), rows.number == expected else { return nil }
    return statement
  }

  mutating func find(_ identity: SyncIdentity, _ order: inout OrderWatch) throws -> ScanFinding {
    // The row may be behind: it was met, or the scan was ahead when its number became known.
    guard try rows.pass(before: expected) else { return .unknown }
    return try rows.find(identity, &order)
  }
}
