import GRDB

/// Reads the stored pending links of a to-one relationship in the order of their rows, in step with a payload that has the rows in
/// that order. A lookup for each row takes several times as long.
final class PendingLinkScan {
  /// The stored pending link of a row.
  enum Entry: Equatable {
    /// The row has none.
    case none
    /// Its target was not stored when the scan read it.
    case waits(for: SyncIdentity)
    /// Its target is stored, or the row comes before one that was requested earlier.
    case unknown
  }

  unowned(unsafe) let end: LinkEnd
  private let statement: ReadStatement
  /// The row whose link was read last; nil at the end.
  private var owner: SyncIdentity?
  private var hasBegun = false
  /// The row that was requested last, and its entry.
  private var last: (owner: SyncIdentity, entry: Entry)?

  init(_ end: LinkEnd, in database: Database) throws {
    self.end = end
    let target = end.targetTable
    statement = try ReadStatement(
      own: """
        SELECT "ownerID", "targetID",
        EXISTS (SELECT 1 FROM \(target.quotedName) WHERE \(target.identityProperty.quotedName) = "targetID")
        FROM \(StoredPendingLinks.table)
        WHERE "owner" = \(end.table.name.sqlLiteral) AND "relationship" = \(end.name.sqlLiteral) ORDER BY "ownerID"
        """, in: database)
  }

  func entry(of row: SyncIdentity) throws -> Entry {
    if let last {
      if last.owner == row { return last.entry }
      if row < last.owner { return .unknown }
    }
    while !hasBegun || owner.map({ $0 < row }) ?? false {
      owner = try statement.step() ? SyncIdentity(statement.column(0)) : nil
      hasBegun = true
    }
    let entry = owner == row ? currentEntry : .none
    last = (row, entry)
    return entry
  }

  private var currentEntry: Entry {
    guard statement.column(2).int64 == 0, let target = SyncIdentity(statement.column(1)) else {
      return .unknown
    }
    return .waits(for: target)
  }

  /// Ends the reading, so that the statement holds no lock.
  func close() {
    (owner, hasBegun, last) = (nil, true, nil)
    statement.reset()
  }
}
