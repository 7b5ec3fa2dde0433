import GRDB

/// Fetching a row by its identity through a statement that is kept. GRDB makes the request and its SQL anew each time,
/// which takes ten times as long as to read the row.
extension SyncGeneratedModel {
  /// The row of an identity; nil where there is none.
  ///
  /// - Throws: ``SyncError/unreadableRow(model:reason:)`` when a column holds what its property cannot, `DatabaseError`
  ///   when SQLite cannot read.
  public static func fetchOne(_ db: Database, id: SyncID) throws -> Self? {
    try fetchOne(db, key: id.syncDatabaseValue)
  }

  /// The row of an identity as SQLite compares it; nil where there is none.
  ///
  /// - Throws: as ``fetchOne(_:id:)``.
  public static func fetchOne(_ db: Database, key: some DatabaseValueConvertible) throws -> Self? {
    let key = key.databaseValue
    let table = syncTable
    // Within a parent, an identity alone is not a key; where a transaction was lost, or the task cancelled, a statement does
    // not run: GRDB says so.
    guard !key.isNull, table.parentScope == nil, db.isInsideTransaction, !_Concurrency.Task.isCancelled else {
      return try filter(key: key).fetchOne(db)
    }
    let statement = try ReadStatement(db, table.fetchSQL)
    defer { statement.reset() }
    // What steps by itself is not seen by observations.
    try db.registerAccess(to: filter(key: key))
    statement.restart().bind(key, at: 1)
    let isFound: Bool
    do {
      isFound = try statement.step()
    } catch let error as DatabaseError where [.SQLITE_NOMEM, .SQLITE_TOOBIG].contains(error.resultCode) {
      // A value that SQLite refuses is a trap in GRDB.
      throw error
    } catch {
      // GRDB throws the error.
      return try filter(key: key).fetchOne(db)
    }
    return isFound ? try Self(columns: statement.decoder(of: table)) : nil
  }
}
