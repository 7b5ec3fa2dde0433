import Foundation
import GRDB
import GRDBSQLite
import Syncline

/// The minimum of necessary work: scan the bytes, and bind and step what is really written, or read what is compared.
enum Floor {
  static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  static func scan(_ payload: Data) throws { try SyncJSON.validate(payload) }

  /// Inserts rows whose values are already in memory.
  static func insert<ID: ArticleIdentity>(_ rows: [ArticleRecord<ID>], in store: Store) async throws {
    try await store.database.write { db in
      let statement = try db.makeStatement(
        sql: """
          INSERT INTO \(ID.table) (id, title, details, state, createdAt, updatedAt, isPublished, score, author)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """)
      defer { withExtendedLifetime(statement) {} }
      let handle = statement.sqliteStatement
      for row in rows {
        sqlite3_reset(handle)
        bind(row.id, to: handle, at: 1)
        sqlite3_bind_text(handle, 2, row.title, -1, transient)
        if let details = row.details {
          sqlite3_bind_text(handle, 3, details, -1, transient)
        } else {
          sqlite3_bind_null(handle, 3)
        }
        sqlite3_bind_text(handle, 4, row.state, -1, transient)
        sqlite3_bind_text(handle, 5, "2024-03-10 10:15:30.000", -1, transient)
        sqlite3_bind_text(handle, 6, "2025-07-10 10:45:12.000", -1, transient)
        sqlite3_bind_int64(handle, 7, row.isPublished ? 1 : 0)
        sqlite3_bind_double(handle, 8, row.score)
        sqlite3_bind_text(handle, 9, row.author, -1, transient)
        guard sqlite3_step(handle) == SQLITE_DONE else { throw DatabaseError(message: db.lastErrorMessage) }
      }
      sqlite3_reset(handle)
    }
  }

  private static func bind(_ id: some ArticleIdentity, to handle: SQLiteStatement, at index: Int32) {
    if let id = id as? Int {
      sqlite3_bind_int64(handle, index, Int64(id))
    } else if let id = id as? String {
      sqlite3_bind_text(handle, index, id, -1, transient)
    }
  }

  /// Reads all columns of all rows.
  static func select(_ table: String, in store: Store) async throws {
    try await store.database.write { db in
      let statement = try db.makeStatement(sql: "SELECT * FROM \(table)")
      defer { withExtendedLifetime(statement) {} }
      let handle = statement.sqliteStatement
      var bytes = 0
      while sqlite3_step(handle) == SQLITE_ROW {
        for column in 0..<9 as Range<Int32> where sqlite3_column_type(handle, column) == SQLITE_TEXT {
          bytes += Int(sqlite3_column_bytes(handle, column))
        }
      }
      sqlite3_reset(handle)
    }
  }

  /// Reads all columns of all rows, and writes the titles of some.
  static func update<ID: ArticleIdentity>(every step: Int, of rows: [ArticleRecord<ID>], in store: Store)
    async throws
  {
    try await select(ID.table, in: store)
    try await store.database.write { db in
      let statement = try db.makeStatement(sql: "UPDATE \(ID.table) SET title = ? WHERE id = ?")
      defer { withExtendedLifetime(statement) {} }
      let handle = statement.sqliteStatement
      for row in stride(from: 0, to: rows.count, by: step).map({ rows[$0] }) {
        sqlite3_reset(handle)
        sqlite3_bind_text(handle, 1, row.title + " (edited)", -1, transient)
        bind(row.id, to: handle, at: 2)
        guard sqlite3_step(handle) == SQLITE_DONE else { throw DatabaseError(message: db.lastErrorMessage) }
      }
      sqlite3_reset(handle)
    }
  }

  /// Reads one row, and writes its title.
  static func update(id: Int, title: String, in store: Store) async throws {
    try await store.database.write { db in
      let selection = try db.cachedStatement(sql: "SELECT * FROM Article WHERE id = ?").sqliteStatement
      sqlite3_reset(selection)
      sqlite3_bind_int64(selection, 1, Int64(id))
      guard sqlite3_step(selection) == SQLITE_ROW else { throw DatabaseError(message: "no row") }
      sqlite3_reset(selection)
      let update = try db.cachedStatement(sql: "UPDATE Article SET title = ? WHERE id = ?").sqliteStatement
      sqlite3_reset(update)
      sqlite3_bind_text(update, 1, title, -1, transient)
      sqlite3_bind_int64(update, 2, Int64(id))
      guard sqlite3_step(update) == SQLITE_DONE else { throw DatabaseError(message: db.lastErrorMessage) }
      sqlite3_reset(update)
    }
  }
}
