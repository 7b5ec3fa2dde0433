import GRDB

/// Fetches a row by its identity with a cached statement. GRDB creates the request and its SQL each time, which takes ten times
/// as long as reading the row.
extension SyncGeneratedModel {
  /// The row with an identity; nil if there is none.
  ///
  /// - Throws: ``SyncError/unreadableRow(model:reason:)`` when a column's value does not fit its property, `DatabaseError` when
  ///   SQLite cannot read.
  public static func fetchOne(_ db: Database, id: SyncID) throws -> Self? {
    try fetchOne(db, key: id.syncDatabaseValue)
  }

  /// The row with an identity, compared by SQLite; nil if there is none.
  ///
  /// - Throws: the same errors as ``fetchOne(_:id:)``.
  public static func fetchOne(_ db: Database, key: some DatabaseValueConvertible) throws -> Self? {
    let key = key.databaseValue
    let table = syncTable
    // The identity of a parent-scoped model is not a key. If the transaction was lost or the task cancelled, the statement must
    // not run, and GRDB throws the error.
    guard !key.isNull, table.parentScope == nil, db.isInsideTransaction, !_Concurrency.Task.isCancelled else {
      return try filter(key: key).fetchOne(db)
    }
    let statement = try ReadStatement(db, table.fetchSQL)
    defer { statement.reset() }
    // Reports the access to observations, because GRDB does not see the statement.
    try db.registerAccess(to: filter(key: key))
    statement.restart().bind(key, at: 1)
    let isFound: Bool
    do {
      isFound = try statement.step()
    } catch let error as DatabaseError where [.SQLITE_NOMEM, .SQLITE_TOOBIG].contains(error.resultCode) {
      // GRDB would trap on a value that SQLite refuses.
      throw error
    } catch {
      // GRDB throws the error.
      return try filter(key: key).fetchOne(db)
    }
    return isFound ? try Self(columns: statement.decoder(of: table)) : nil
  }
}
