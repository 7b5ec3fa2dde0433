import GRDB
internal import SynclineBytes

/// A setting of an SQLite connection that can be changed within a transaction, and without memory.
enum ConnectionSetting: Int32 {
  case foreignKeys = 1002
  case triggers = 1003
  case legacyAlterTable = 1012

  /// Changes the setting. If that changes its value, all statements of the connection are prepared anew.
  ///
  /// - Parameter isOn: nil keeps the setting.
  /// - Returns: whether it is on now.
  @discardableResult
  func set(_ isOn: Bool?, of database: Database) -> Bool {
    guard let connection = database.sqliteConnection.map(UnsafeMutableRawPointer.init) else { return false }
    return syncline_setting(connection, rawValue, isOn.map { $0 ? 1 : 0 } ?? -1) == 1
  }
}

extension Database {
  /// Runs a closure while a setting of the connection is on or off. Afterwards it is as before, whatever the closure did.
  func with<T>(_ setting: ConnectionSetting, isOn: Bool, _ body: () throws -> T) rethrows -> T {
    let wasOn = setting.set(nil, of: self)
    setting.set(isOn, of: self)
    defer { setting.set(wasOn, of: self) }
    return try body()
  }
}
