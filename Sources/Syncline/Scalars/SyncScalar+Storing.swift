import Foundation
import GRDB

extension SyncScalar {
  /// Whether a column can hold the value. A value that is nested too deeply or has a number that JSON cannot represent, and an
  /// unsigned integer that is too large for SQLite, cannot be stored.
  var isStorable: Bool {
    if Self.self == UInt64.self || Self.self == UInt.self {
      return syncDatabaseValue != Int64.max.databaseValue || isReadBack
    }
    return !isMade || isReadBack
  }

  /// Whether the value is stored as JSON, or as the text of a number.
  private var isMade: Bool {
    self is SyncJSON || self is Decimal || self is any SyncStruct || self is any SyncValueUnion
      || Self.self is any ScalarList.Type
      || Self.self is any ScalarMap.Type
  }

  /// Whether reading the stored value gives an equal value.
  private var isReadBack: Bool {
    Self.syncLoad(syncDatabaseValue).map { Self.syncIsSame($0, self) } ?? false
  }
}
