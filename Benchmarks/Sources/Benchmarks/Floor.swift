import Foundation
import GRDB
import GRDBSQLite
import Syncline

/// The least that must be done: scan the bytes, and bind and step what is really written, or read what is compared.
enum Floor {
  /// Inserts rows whose values are at hand already.
  static func insert(_ rows: [Article], in database: any DatabaseWriter) throws {
    try database.write { db in
      let statement = try db.makeStatement(
        sql: """
          INSERT INTO Article (id, title, details, state, createdAt, updatedAt, isPublished, score, authorID)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """)
      let handle = statement.sqliteStatement
      let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      for row in rows {
        sqlite3_reset(handle)
        sqlite3_bind_int64(handle, 1, Int64(row.id))
        sqlite3_bind_text(handle, 2, row.title, -1, transient)
        if let details = row.details {
          sqlite3_bind_text(handle, 3, details, -1, transient)
        } else {
          sqlite3_bind_null(handle, 3)
        }
        sqlite3_bind_text(handle, 4, row.state, -1, transient)
        sqlite3_bind_text(handle, 5, "2024-03-10 10:15:30.000", -1, transient)
        sqlite3_bind_text(handle, 6, "2024-04-10 10:45:12.250", -1, transient)
        sqlite3_bind_int64(handle, 7, row.isPublished ? 1 : 0)
        sqlite3_bind_double(handle, 8, row.score)
        sqlite3_bind_int64(handle, 9, Int64(row.authorID))
        guard sqlite3_step(handle) == SQLITE_DONE else { throw DatabaseError(message: db.lastErrorMessage) }
      }
    }
  }

  /// Reads all columns of all rows.
  static func select(in database: any DatabaseWriter) throws -> Int {
    try database.read { db in
      let statement = try db.makeStatement(sql: "SELECT * FROM Article ORDER BY id")
      let handle = statement.sqliteStatement
      var bytes = 0
      while sqlite3_step(handle) == SQLITE_ROW {
        for column in 0..<9 where sqlite3_column_type(handle, Int32(column)) == SQLITE_TEXT {
          bytes += Int(sqlite3_column_bytes(handle, Int32(column)))
        }
      }
      sqlite3_reset(handle)
      return bytes
    }
  }
}
