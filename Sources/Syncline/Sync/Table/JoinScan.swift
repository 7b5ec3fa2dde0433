/// Scans the stored rows along their join with the payload: the number of each row is known in advance.
struct JoinScan {
  var rows: RowNumberScan
  /// The number of the row that is requested next.
  var expected: Int64

  /// Reads the next row; nil if the payload has not reached the current one, or another row is expected.
  mutating func readNext() throws -> ReadStatement? {
    guard let statement = try rows.readNext(), rows.number == expected else { return nil }
    return statement
  }

  mutating func find(_ identity: SyncIdentity, _ order: inout OrderWatch) throws -> ScanFinding {
    // The scan may be past the row: it has matched the row before, or was ahead when the row's number became known.
    guard try rows.pass(before: expected) else { return .unknown }
    return try rows.find(identity, &order)
  }
}
