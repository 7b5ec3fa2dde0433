import GRDB
internal import SynclineBytes

extension Database {
  /// Runs a closure while the connection's foreign keys are enabled or disabled, also within a transaction, where
  /// `PRAGMA foreign_keys` has no effect.
  func withForeignKeys<T>(areOn: Bool, _ body: () throws -> T) rethrows -> T {
    guard let connection = sqliteConnection.map(UnsafeMutableRawPointer.init) else { return try body() }
    let wereOn = syncline_foreign_keys(connection, -1)
    let isChanged = (wereOn == 1) != areOn
    if isChanged { syncline_foreign_keys(connection, areOn ? 1 : 0) }
    defer { if isChanged { syncline_foreign_keys(connection, wereOn) } }
    return try body()
  }
}
