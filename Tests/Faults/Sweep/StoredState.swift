import Foundation
import GRDB
import Syncline
import TestSupport

/// The contents of a store's file, for comparison with the expected contents.
struct StoredState: Equatable, Sendable {
  /// The SQL statements of the tables, indexes and triggers.
  let schema: [String]
  /// The rows of each table that is not empty, as sorted text.
  let tables: [String: [String]]
  /// The bytes of a file that is not a database.
  let foreign: Data?

  /// Tables with random numbers or times: runs of pages, and times of responses.
  private static let leftOut: Set<String> = ["syncline_run", "syncline_moment"]
  /// Columns with random numbers or times, about pushes and their attempts.
  private static let leftOutColumns: Set<String> = ["pushKey", "sentAt", "attempts", "nextTry"]

  /// Reads the state of a file that no store has open. The file may be missing.
  init(of file: URL) throws {
    guard FileManager.default.fileExists(atPath: file.path) else {
      self.init(foreign: nil)
      return
    }
    do {
      // A read-only connection cannot roll back a journal.
      let queue = try DatabaseQueue(path: file.path)
      try self.init(queue)
      try queue.close()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
      self.init(foreign: try Data(contentsOf: file))
    }
  }

  private init(foreign: Data?) { (schema, tables, self.foreign) = ([], [:], foreign) }

  init(_ reader: any DatabaseReader) throws {
    foreign = nil
    (schema, tables) = try reader.read { database in
      (try StoredState.schema(database), try StoredState.tables(database))
    }
  }

  private static func schema(_ database: Database) throws -> [String] {
    // Automatic indexes have no SQL statement.
    try String.fetchAll(
      database, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND substr(name, 1, 7) <> 'sqlite_'"
    ).sorted()
  }

  private static func tables(_ database: Database) throws -> [String: [String]] {
    let names = try String.fetchAll(
      database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    var tables: [String: [String]] = [:]
    for name in names where !name.hasPrefix("sqlite_") && !leftOut.contains(name) {
      let columns = try database.columns(in: name).map(\.name).filter { column in
        !(name.hasPrefix("syncline_edit_") && leftOutColumns.contains(column))
      }
      let row = columns.map { "quote(\($0.quotedDatabaseIdentifier))" }.joined(separator: " || ' | ' || ")
      // The key of a run of pages is also random.
      let condition = name == "syncline_mark" ? " WHERE kind <> 'run'" : ""
      let rows = try String.fetchAll(
        database, sql: "SELECT \(row) FROM \(name.quotedDatabaseIdentifier)\(condition)")
      if !rows.isEmpty { tables[name] = rows.sorted() }
    }
    return tables
  }

  /// The first differences, as readable text.
  func difference(from other: StoredState) -> String {
    if foreign != other.foreign { return "the file is not a database, or another one" }
    var lines: [String] = []
    func compare(_ mine: [String], _ others: [String], _ name: String) {
      let (left, right) = (Set(mine), Set(others))
      lines += mine.filter { !right.contains($0) }.prefix(2).map { "+ \(name): \($0)" }
      lines += others.filter { !left.contains($0) }.prefix(2).map { "- \(name): \($0)" }
      if left == right, mine != others { lines.append("~ \(name): the same rows, not as often") }
    }
    compare(schema, other.schema, "schema")
    for name in Set(tables.keys).union(other.tables.keys).sorted() {
      compare(tables[name] ?? [], other.tables[name] ?? [], name)
    }
    // The row with the schema is very long.
    return lines.prefix(8).map { $0.prefix(160) }.joined(separator: " | ")
  }
}

/// Checks a store for damage.
enum StoreSoundness {
  /// The problems that were found.
  static func problems(in reader: any DatabaseReader) throws -> [String] {
    try reader.read { database in
      let damage = try String.fetchAll(database, sql: "PRAGMA integrity_check(3)").filter { $0 != "ok" }
      let links = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
      return damage + links.prefix(3).map { "a foreign key leads nowhere: \($0)" }
    }
  }
}
