import Foundation
import GRDB
import TestSupport

/// All that a store contains: its tables, the cursors of pages among them, and its schema.
struct StoreState: Equatable, Sendable {
  private let tables: [String: [String]]
  private let schema: [String]

  /// A state, and what is wrong with the file that it was read from.
  typealias Checked = (state: StoreState, problems: [String])

  /// Opens a file by SQLite alone, which recovers it, and checks it.
  static func read(_ file: URL) throws -> Checked {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let database = try DatabaseQueue(path: file.path, configuration: configuration)
    let result = Result { try read(database) }
    try database.close()
    return try result.get()
  }

  /// Reads and checks an open database.
  static func read(_ database: any DatabaseReader) throws -> Checked {
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
    return (StoreState(tables: try StoreDump(database).tables, schema: schema), problems)
  }

  /// The same without what differs from run to run: the times of syncs, and the random keys of unfinished pages.
  var withoutChance: StoreState {
    var tables = tables
    tables["syncline_moment"] = nil
    tables["syncline_run"] = nil
    tables["syncline_mark"] = tables["syncline_mark"]?.filter { !$0.contains(" | 'run' | ") }
    return StoreState(tables: tables.filter { !$0.value.isEmpty }, schema: schema)
  }

  /// The first differences from another state, for people.
  func difference(from other: StoreState) -> String {
    let names = Set(tables.keys).union(other.tables.keys).sorted()
    let rows = names.flatMap { name in
      let (own, others) = (tables[name] ?? [], other.tables[name] ?? [])
      return own.filter { !others.contains($0) }.map { "+ \(name): \($0)" }
        + others.filter { !own.contains($0) }.map { "- \(name): \($0)" }
    }
    let parts = schema == other.schema ? [] : ["the schema is another one"]
    return (parts + rows.prefix(6).map { String($0.prefix(200)) }).joined(separator: "; ")
  }
}
