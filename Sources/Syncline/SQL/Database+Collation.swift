import GRDB
import GRDBSQLite

extension Database {
  /// The collation by which the values of a column are compared; nil if there is no such column.
  func collation(of column: String, in table: String) -> String? {
    var name: UnsafePointer<CChar>?
    guard let connection = sqliteConnection else { return nil }
    let code = sqlite3_table_column_metadata(connection, "main", table, column, nil, &name, nil, nil, nil)
    return code == SQLITE_OK ? name.map { String(cString: $0) } : nil
  }
}
