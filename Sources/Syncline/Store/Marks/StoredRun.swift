import Foundation
import GRDB

/// A run of pages that has not ended, as a store remembers it: which rows were stored when it began, and which of them it has
/// seen, in eight bytes a row.
struct StoredRun {
  static let table = "syncline_run"
  /// How many rows stand in one piece.
  private static let pieceLength = 1 << 16

  private let database: Database
  private let model: String
  private let name: String

  init(_ database: Database, of model: String, _ name: String) {
    self.database = database
    self.model = model
    self.name = name
  }

  private var mark: StoredMarks.Key { .init(kind: .run, model: model, name: name) }

  /// What tells the run from others; nil where there is none.
  func key() throws -> String? { try StoredMarks(database).mark(mark)?.value }

  /// Forgets the run, and its rows.
  ///
  /// - Returns: whether there was one.
  func remove() throws -> Bool {
    guard try StoredMarks(database).set(nil, for: mark) else { return false }
    try database.execute(
      sql: "DELETE FROM \(Self.table) WHERE \"model\" = ? AND \"name\" = ?", arguments: [model, name])
    return true
  }

  /// Begins a run in place of the one that was there.
  func begin(_ key: String, rows: [UInt64]) throws {
    _ = try remove()
    try database.makeTable(
      Self.table,
      """
      (
        "model" TEXT NOT NULL, "name" TEXT NOT NULL, "isSeen" INTEGER NOT NULL, "rows" BLOB NOT NULL
      )
      """)
    _ = try StoredMarks(database).set(.init(value: key, models: ""), for: mark)
    for start in stride(from: 0, to: rows.count, by: Self.pieceLength) {
      try add(rows[start..<min(rows.count, start + Self.pieceLength)], isSeen: false)
    }
  }

  func addSeen(_ rows: [UInt64]) throws {
    if !rows.isEmpty { try add(rows[...], isSeen: true) }
  }

  private func add(_ rows: ArraySlice<UInt64>, isSeen: Bool) throws {
    let data = rows.withUnsafeBytes { Data($0) }
    try database.cachedStatement(
      sql: "INSERT INTO \(Self.table) (\"model\", \"name\", \"isSeen\", \"rows\") VALUES (?, ?, ?, ?)"
    ).execute(arguments: [model, name, isSeen, data])
  }

  /// The rows that were stored when the run began, or those that it has seen.
  func rows(isSeen: Bool) throws -> [UInt64] {
    guard try database.hasTable(Self.table) else { return [] }
    let pieces = try Data.fetchCursor(
      database,
      sql: "SELECT \"rows\" FROM \(Self.table) WHERE \"model\" = ? AND \"name\" = ? AND \"isSeen\" = ?",
      arguments: [model, name, isSeen])
    var result: [UInt64] = []
    while let piece = try pieces.next() {
      piece.withUnsafeBytes { bytes in
        for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
          result.append(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
      }
    }
    return result
  }
}
