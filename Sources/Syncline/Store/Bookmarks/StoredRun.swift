import Foundation
import GRDB

/// An unfinished run of pages, as the store keeps it: the rows that were stored when it began, and the rows that it has seen,
/// with eight bytes for each row.
struct StoredRun {
  static let table = "syncline_run"
  /// The number of rows in one piece.
  private static let pieceLength = 1 << 16

  let database: Database
  let model: String
  let name: String

  private var bookmark: StoredBookmarks.Key { .init(kind: .run, model: model, name: name) }
  private var bookmarks: StoredBookmarks { StoredBookmarks(database: database) }

  /// The key that identifies the run; nil if there is no run.
  func key() throws -> String? { try bookmarks.bookmark(bookmark)?.value }

  /// Removes the run and its rows.
  ///
  /// - Returns: whether there was one.
  func remove() throws -> Bool {
    guard try bookmarks.set(nil, for: bookmark) else { return false }
    try WriteStatement(database, "DELETE FROM \(Self.table) WHERE \"model\" = ?1 AND \"name\" = ?2")
      .execute(.text(model), .text(name))
    return true
  }

  /// Begins a run, and replaces an earlier one.
  func begin(_ key: String, rows: [UInt64]) throws {
    _ = try remove()
    try database.makeTable(
      Self.table,
      """
      (
        "model" TEXT NOT NULL, "name" TEXT NOT NULL, "isSeen" INTEGER NOT NULL, "rows" BLOB NOT NULL
      )
      """)
    _ = try bookmarks.set(.init(value: key, models: ""), for: bookmark)
    for start in stride(from: 0, to: rows.count, by: Self.pieceLength) {
      try add(rows[start..<min(rows.count, start + Self.pieceLength)], isSeen: false)
    }
  }

  func addSeen(_ rows: [UInt64]) throws {
    if !rows.isEmpty { try add(rows[...], isSeen: true) }
  }

  private func add(_ rows: ArraySlice<UInt64>, isSeen: Bool) throws {
    let statement = try WriteStatement(
      database,
      "INSERT INTO \(Self.table) (\"model\", \"name\", \"isSeen\", \"rows\") VALUES (?1, ?2, ?3, ?4)")
    let parameters = statement.restart()
    parameters.bind([.text(model), .text(name), .integer(isSeen ? 1 : 0)])
    rows.withUnsafeBytes { parameters.bind(blob: $0, at: 4) }
    try statement.execute()
  }

  /// The rows that were stored when the run began, or those that it has seen.
  func rows(isSeen: Bool) throws -> [UInt64] {
    guard try database.hasTable(Self.table) else { return [] }
    let statement = try ReadStatement(
      database,
      "SELECT \"rows\" FROM \(Self.table) WHERE \"model\" = ?1 AND \"name\" = ?2 AND \"isSeen\" = ?3")
    statement.restart().bind([.text(model), .text(name), .integer(isSeen ? 1 : 0)])
    return try statement.all { row in
      let bytes = row.column(0).blob
      return stride(from: 0, to: bytes.count - 7, by: 8).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
      }
    }.flatMap { $0 }
  }
}
