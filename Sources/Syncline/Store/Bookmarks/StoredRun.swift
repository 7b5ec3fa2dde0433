import Foundation
import GRDB

/// An unfinished run of pages, as the store keeps it: the rows that were stored when it began, the rows that it has seen, and what
/// else its pages contain, with eight bytes for each of them.
struct StoredRun {
  static let table = "syncline_run"
  /// The kinds of hashes. The raw values are stored.
  enum Kind: Int64 {
    /// The rows that were stored when the run began.
    case stored = 0
    /// Those of them that it has seen.
    case seen = 1
    /// What else its pages contain.
    case contents = 2
  }

  /// The number of hashes in one piece.
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
    try add(rows, .stored)
  }

  func add(_ hashes: [UInt64], _ kind: Kind) throws {
    for start in stride(from: 0, to: hashes.count, by: Self.pieceLength) {
      let statement = try WriteStatement(
        database,
        "INSERT INTO \(Self.table) (\"model\", \"name\", \"isSeen\", \"rows\") VALUES (?1, ?2, ?3, ?4)")
      let parameters = statement.restart()
      parameters.bind([.text(model), .text(name), .integer(kind.rawValue)])
      hashes[start...].prefix(Self.pieceLength).withUnsafeBytes { parameters.bind(blob: $0, at: 4) }
      try statement.execute()
    }
  }

  func hashes(_ kind: Kind) throws -> [UInt64] {
    guard try database.hasTable(Self.table) else { return [] }
    let statement = try ReadStatement(
      database,
      "SELECT \"rows\" FROM \(Self.table) WHERE \"model\" = ?1 AND \"name\" = ?2 AND \"isSeen\" = ?3")
    statement.restart().bind([.text(model), .text(name), .integer(kind.rawValue)])
    return try statement.all { row in
      let bytes = row.column(0).blob
      return stride(from: 0, to: bytes.count - 7, by: 8).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
      }
    }.flatMap { $0 }
  }
}
