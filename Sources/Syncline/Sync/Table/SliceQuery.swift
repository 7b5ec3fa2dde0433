import GRDB

/// Counts how far the payload's order differs from the scan's.
struct OrderWatch {
  var isOn = false
  /// How many rows were requested.
  var asked = 0
  /// How many rows of the payload were not the scan's next row, and how many stored rows the scan passed.
  var outOfOrder = 0

  var isMostlyOutOfOrder: Bool { isOn && outOfOrder > 32 + asked >> 6 }
}

/// The query for the stored rows that a scan reads.
struct SliceQuery {
  let database: Database
  let table: SyncTable
  /// The parent whose rows are read; nil for all rows.
  let scope: PayloadObject.Scope?

  func rows(_ columns: String, orderedBy order: String) throws -> ReadStatement {
    let filter = scope.map { " WHERE \(table.properties[$0.position].quotedName) = ?1" } ?? ""
    let statement = try ReadStatement(
      database, "SELECT \(columns) FROM \(table.quotedName)\(filter) ORDER BY \(order)")
    scope?.parent.bind(to: statement.restart(), at: 1)
    return statement
  }

  func highestRowNumber() throws -> Int64 {
    let highest = try ReadStatement(
      database, "SELECT max(\(table.rowNumberColumn)) FROM \(table.quotedName)")
    defer { highest.reset() }
    return try highest.step() && !highest.column(0).isNull ? highest.column(0).int64 : .min
  }
}

enum ScanFinding {
  /// The statement is on the row.
  case stored(ReadStatement)
  /// The scan is on the row, but read it earlier: it may have been written since.
  case outdated
  /// The scan proves that the slice does not have the row.
  case absent
  /// The row must be looked up.
  case unknown
}
