import GRDB

/// Where GRDB reads a value: its statement and the column there, behind all adapters.
///
/// GRDB gives them only to a type that reads columns itself.
struct ColumnProbe: DatabaseValueConvertible, StatementColumnConvertible {
  /// Nil where the row holds its values itself.
  let statement: SQLiteStatement?
  let column: Int32

  init(sqliteStatement: SQLiteStatement, index: CInt) {
    (statement, column) = (sqliteStatement, index)
  }

  private init() {
    (statement, column) = (nil, -1)
  }

  // Null is asked for like any other value.
  static func fromStatement(_ statement: SQLiteStatement, atUncheckedIndex index: CInt) -> Self? {
    Self(sqliteStatement: statement, index: index)
  }

  static func fromDatabaseValue(_ value: DatabaseValue) -> Self? { Self() }

  var databaseValue: DatabaseValue { .null }
}
