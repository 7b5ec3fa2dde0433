import Syncline

/// All tables of a store as text, the links that wait included, but those that SQLite or Litestream keep for themselves: for
/// comparing a store with what it was.
package struct StoreDump: Equatable, Sendable {
  /// The rows of each table that has some, ordered by their text: what order they were written in is no part of it.
  package let tables: [String: [String]]

  /// - Parameter unifyingMarks: writes every time in a column named `deletedAt` that is later than 2025, which a sync
  ///   took from the clock, as the same word, and the order of a list that is that of its identities as none: for
  ///   comparing two stores.
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
          // “quote” ends at a NUL.
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

  /// The dump without some tables.
  package func without(_ names: Set<String>) -> StoreDump {
    StoreDump(tables: tables.filter { !names.contains($0.key) })
  }

  /// The tables that are not the same in another dump.
  package func names(besides other: StoreDump) -> [String] {
    Set(tables.keys).union(other.tables.keys).filter { tables[$0] != other.tables[$0] }.sorted()
  }

  /// The rows that only one of two dumps has, for people.
  package func difference(from other: StoreDump) -> String {
    names(besides: other).flatMap { name in
      let (mine, others) = (tables[name] ?? [], other.tables[name] ?? [])
      return mine.filter { !others.contains($0) }.map { "+ \(name): \($0)" }
        + others.filter { !mine.contains($0) }.map { "- \(name): \($0)" }
    }
    .joined(separator: "\n")
  }
}
