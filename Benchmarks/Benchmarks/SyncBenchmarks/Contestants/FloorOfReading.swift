import Foundation
import GRDB
import GRDBSQLite
import Syncline

/// Minimal loops that create the same structs.
extension Floor {
  static let articleColumns = "id, title, details, state, createdAt, updatedAt, isPublished, score, author"

  static func fetchArticles(
    _ db: Database, _ suffix: String = "", _ argument: Int? = nil
  ) throws -> [ArticleRecord<Int>] {
    try fetch(db, "SELECT \(articleColumns) FROM Article \(suffix)", argument, article)
  }

  static func fetchCardsWithBoards(_ db: Database) throws -> [CardOnBoard] {
    try fetch(
      db,
      """
      SELECT c.id, c.title, c.position, c.isDone, c.board, b.id, b.name FROM Card c JOIN Board b ON b.id = c.board
      """, nil
    ) { row in
      CardOnBoard(
        card: CardRecord(
          id: Int(sqlite3_column_int64(row, 0)), title: text(row, 1),
          position: Int(sqlite3_column_int64(row, 2)), isDone: sqlite3_column_int64(row, 3) != 0,
          board: sqlite3_column_type(row, 4) == SQLITE_NULL ? nil : Int(sqlite3_column_int64(row, 4))),
        owner: BoardRecord(id: Int(sqlite3_column_int64(row, 5)), name: text(row, 6)))
    }
  }

  private static func fetch<Row>(
    _ db: Database, _ sql: String, _ argument: Int?, _ make: (SQLiteStatement) -> Row
  ) throws -> [Row] {
    let handle = try db.cachedStatement(sql: sql).sqliteStatement
    sqlite3_reset(handle)
    if let argument { sqlite3_bind_int64(handle, 1, Int64(argument)) }
    var rows: [Row] = []
    while sqlite3_step(handle) == SQLITE_ROW { rows.append(make(handle)) }
    sqlite3_reset(handle)
    return rows
  }

  private static func article(_ row: SQLiteStatement) -> ArticleRecord<Int> {
    ArticleRecord(
      id: Int(sqlite3_column_int64(row, 0)), title: text(row, 1),
      details: sqlite3_column_type(row, 2) == SQLITE_NULL ? nil : text(row, 2), state: text(row, 3),
      createdAt: date(row, 4), updatedAt: date(row, 5), isPublished: sqlite3_column_int64(row, 6) != 0,
      score: sqlite3_column_double(row, 7), author: text(row, 8))
  }

  private static func text(_ row: SQLiteStatement, _ column: Int32) -> String {
    let start = sqlite3_column_text(row, column)
    let count = Int(sqlite3_column_bytes(row, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// A date in the format `2024-05-02 10:01:12.000`, without validation.
  private static func date(_ row: SQLiteStatement, _ column: Int32) -> Date {
    guard let text = sqlite3_column_text(row, column), sqlite3_column_bytes(row, column) == 23 else {
      return .distantPast
    }
    func digits(_ start: Int, _ count: Int) -> Int {
      (start..<start + count).reduce(0) { $0 * 10 + Int(text[$1]) - 48 }
    }
    let (year, month, day) = (digits(0, 4), digits(5, 2), digits(8, 2))
    // Years that begin in March, in cycles of 400 years.
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = shifted % 400 * 365 + shifted % 400 / 4 - shifted % 400 / 100 + dayOfYear
    let days = shifted / 400 * 146_097 + dayOfEra - 719_468
    let seconds = days * 86_400 + digits(11, 2) * 3_600 + digits(14, 2) * 60 + digits(17, 2)
    return Date(timeIntervalSince1970: Double(seconds) + Double(digits(20, 3)) / 1_000)
  }
}
