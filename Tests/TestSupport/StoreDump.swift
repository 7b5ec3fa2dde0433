import Syncline

/// The contents of all tables of a store as text, including pending links, for comparing a store with an earlier state. Internal
/// tables of SQLite and Litestream are excluded.
package struct StoreDump: Equatable, Sendable {
  /// The rows of each table that is not empty. They are sorted by their text, since the order of writing does not matter.
  package let tables: [String: [String]]

  /// - Parameter unifyingMarks: for comparing two stores, replaces each time after 2025 in a column named `deletedAt`, which a
  ///   sync took from the clock, by one word, and a list's order by none if it is the order of identities.
  package init(_ store: SyncContainer, unifyingMarks: Bool = false) throws {
    try self.init(store.database, unifyingMarks: unifyingMarks)
  }

  package init(_ database: any DatabaseReader, unifyingMarks: Bool = false) throws {
    tables = try database.read { database in
      var tables: [String: [String]] = [:]
      let names = try String.fetchAll(
        database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"
      ).filter { !$0.hasPrefix("sqlite_") && !$0.hasPrefix("_litestream_") }
      for name in names {
        let columns = try database.columns(in: name).map { column in
          let value = column.name.quotedDatabaseIdentifier
          if unifyingMarks, column.name == "deletedAt" {
            return "iif(\(value) > '2025', 'marked', quote(\(value)))"
          }
          if unifyingMarks, column.name.hasSuffix("Order") {
            let sorted =
              "(SELECT json_group_array(value) FROM (SELECT value FROM json_each(\(value)) ORDER BY value))"
            return "iif(\(value) = \(sorted), 'NULL', quote(\(value)))"
          }
          // SQLite's `quote` stops at a NUL.
          return "quote(iif(typeof(\(value)) = 'text', replace(\(value), char(0), '␀'), \(value)))"
        }
        let row = columns.joined(separator: " || ' | ' || ")
        let rows = try String.fetchAll(
          database, sql: "SELECT \(row) FROM \(name.quotedDatabaseIdentifier)")
        if !rows.isEmpty { tables[name] = rows.sorted() }
      }
      return tables
    }
  }

  private init(tables: [String: [String]]) { self.tables = tables }

  /// The dump without the given tables.
  package func without(_ names: Set<String>) -> StoreDump {
    StoreDump(tables: tables.filter { !names.contains($0.key) })
  }

  /// The tables that differ in another dump.
  package func names(besides other: StoreDump) -> [String] {
    Set(tables.keys).union(other.tables.keys).filter { tables[$0] != other.tables[$0] }.sorted()
  }

  /// The rows that only one of two dumps contains, as readable text.
  package func difference(from other: StoreDump) -> String {
    names(besides: other).flatMap { name in
      let (mine, others) = (tables[name] ?? [], other.tables[name] ?? [])
      return mine.filter { !others.contains($0) }.map { "+ \(name): \($0)" }
        + others.filter { !mine.contains($0) }.map { "- \(name): \($0)" }
    }
    .joined(separator: "\n")
  }
}
