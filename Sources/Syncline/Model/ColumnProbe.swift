import GRDB

/// The statement and column from which GRDB reads a value, after all row adapters.
///
/// GRDB passes them only to a type that reads columns itself.
struct ColumnProbe: DatabaseValueConvertible, StatementColumnConvertible {
  /// Nil if the row holds its own values.
  private(set) var statement: SQLiteStatement?
  private(set) var column: Int32 = -1

  init(sqliteStatement: SQLiteStatement, index: CInt) {
    (statement, column) = (sqliteStatement, index)
  }

  private init() {}

  // GRDB also calls this for null.
  static func fromStatement(_ statement: SQLiteStatement, atUncheckedIndex index: CInt) -> Self? {
    Self(sqliteStatement: statement, index: index)
  }

  static func fromDatabaseValue(_ value: DatabaseValue) -> Self? { Self() }

  var databaseValue: DatabaseValue { .null }
}
