import Foundation
import GRDB
import TestSupport

/// All that a store contains: its tables, the cursors of pages among them, and its schema.
struct StoreState: Equatable, Sendable {
  let dump: StoreDump
  private let schema: [String]

  /// A state, and what is wrong with the file that it was read from.
  typealias Checked = (state: StoreState, problems: [String])

  /// Opens a file by SQLite alone, which recovers it, and checks it.
  ///
  /// - Parameter unifyingMarks: for comparing the stores of two runs; see `StoreDump`.
  static func read(_ file: URL, unifyingMarks: Bool = false) throws -> Checked {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let database = try DatabaseQueue(path: file.path, configuration: configuration)
    let result = Result { try read(database, unifyingMarks: unifyingMarks) }
    try database.close()
    return try result.get()
  }

  /// Reads and checks an open database.
  static func read(_ database: any DatabaseReader, unifyingMarks: Bool = false) throws -> Checked {
    let (schema, problems) = try database.read { database in
      let damage = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
      let violations = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map {
        "a row of \($0[0] as String? ?? "") references a missing row of \($0[2] as String? ?? "")"
      }
      let schema = try String.fetchAll(
        database,
        sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name, sql")
      return (schema, damage + violations)
    }
    let dump = try StoreDump(database, unifyingMarks: unifyingMarks)
    return (StoreState(dump: dump, schema: schema), problems)
  }

  /// The first differences from another state, for people.
  func difference(from other: StoreState) -> String {
    let rows = dump.difference(from: other.dump).split(separator: "\n").prefix(6)
    let parts = schema == other.schema ? [] : ["the schema is another one"]
    return (parts + rows.map { String($0.prefix(200)) }).joined(separator: "; ")
  }
}
