import Foundation
import GRDB
import GRDBSQLite

/// A prepared statement for minimal loops.
struct BareStatement {
  private let statement: Statement
  private let database: Database

  init(_ database: Database, _ sql: String) throws {
    self.database = database
    statement = try database.cachedStatement(sql: sql)
  }

  /// Binds integers and strings, and steps to the end.
  func run(_ values: any DatabaseValueConvertible...) throws {
    let handle = statement.sqliteStatement
    sqlite3_reset(handle)
    for (index, value) in values.enumerated() {
      if let integer = value as? Int {
        sqlite3_bind_int64(handle, Int32(index + 1), Int64(integer))
      } else if let text = value as? String {
        sqlite3_bind_text(handle, Int32(index + 1), text, -1, Floor.transient)
      }
    }
    var code = sqlite3_step(handle)
    while code == SQLITE_ROW {
      for column in 0..<sqlite3_column_count(handle) { _ = sqlite3_column_bytes(handle, column) }
      code = sqlite3_step(handle)
    }
    sqlite3_reset(handle)
    guard code == SQLITE_DONE else { throw DatabaseError(message: database.lastErrorMessage) }
  }
}

extension Floor {
  /// Reads the cards of a board, and writes the titles of ten.
  static func updateCards(of board: Int, title: String, in store: Store) async throws {
    try await store.database.write { db in
      try BareStatement(db, "SELECT * FROM Card WHERE board = ?").run(board)
      let update = try BareStatement(db, "UPDATE Card SET title = ? WHERE id = ?")
      for index in 0..<10 { try update.run("\(title) \(index)", board * 100 + index * 10) }
    }
  }

  /// Inserts boards and their cards.
  static func insertBoards(_ count: Int, cards: Int, in store: Store) async throws {
    try await store.database.write { db in
      let board = try BareStatement(db, "INSERT INTO Board (id, name) VALUES (?, ?)")
      let card = try BareStatement(
        db, "INSERT INTO Card (id, title, position, isDone, board) VALUES (?, ?, ?, ?, ?)")
      for id in 1...count {
        try board.run(id, "Board")
        for index in 0..<cards { try card.run(id * cards + index, "Card – \"été\"", index, 0, id) }
      }
    }
  }

  /// Reads boards and the cards of each.
  static func selectBoards(_ count: Int, in store: Store) async throws {
    try await store.database.write { db in
      try BareStatement(db, "SELECT * FROM Board").run()
      let cards = try BareStatement(db, "SELECT * FROM Card WHERE board = ?")
      for id in 1...count { try cards.run(id) }
    }
  }

  /// Reads tasks and the tags of each, and replaces some of these.
  static func selectTagged(_ count: Int, replacing churn: [(old: [Int], new: [Int])]?, in store: Store)
    async throws
  {
    try await store.database.write { db in
      try BareStatement(db, "SELECT * FROM Task").run()
      let tags = try BareStatement(db, "SELECT target FROM \"Task.tags\" WHERE source = ?")
      let insertion = try BareStatement(
        db, "INSERT OR IGNORE INTO \"Task.tags\" (source, target) VALUES (?, ?)")
      let deletion = try BareStatement(db, "DELETE FROM \"Task.tags\" WHERE source = ? AND target = ?")
      for id in 1...count {
        try tags.run(id)
        guard let change = churn?[id - 1] else { continue }
        for tag in change.old { try deletion.run(id, tag) }
        for tag in change.new { try insertion.run(id, tag) }
      }
    }
  }
}
