import GRDB
import SynclineSchema

/// What a database has at the moment: its tables, indexes, triggers and views. SQLite does not tell apart names that differ in the
/// case of ASCII letters.
final class LiveStore {
  /// A thing of the database, with the SQL that made it.
  struct Item {
    let type: String
    let name: String
    /// The table that it is of; a table's own name.
    let table: String
    let sql: String

    var isVirtual: Bool { type == "table" && sql.prefix(14).uppercased() == "CREATE VIRTUAL" }
  }

  struct Column {
    let name: String
    let type: String
    let isRequired: Bool
    /// Whether its value is computed.
    let isGenerated: Bool
    let hasDefault: Bool
    let isKey: Bool
  }

  struct Index {
    let name: String
    let table: String
    let isUnique: Bool
    /// Whether `CREATE INDEX` made it, and not a constraint of its table.
    let isOwn: Bool
    /// The columns; nil where something else than columns in ascending order is indexed, or not all rows are.
    let columns: [String]?
    /// All columns that it names, whatever it does with them.
    let named: [String]
  }

  let items: [Item]
  private let database: Database
  private var columns: [String: [Column]] = [:]
  private var indexes: [String: [Index]] = [:]

  init(_ database: Database) throws {
    self.database = database
    items = try Row.fetchAll(
      database,
      sql:
        "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    ).map { Item(type: $0[0], name: $0[1], table: $0[2], sql: $0[3]) }
  }

  func table(_ name: String) -> Item? { item("table", name) }

  func item(_ type: String, _ name: String) -> Item? {
    let name = name.lowercasedASCII
    return items.first { $0.type == type && $0.name.lowercasedASCII == name }
  }

  /// Whether a table, view or index has a name.
  func isTaken(_ name: String) -> Bool {
    let name = name.lowercasedASCII
    return items.contains { $0.type != "trigger" && $0.name.lowercasedASCII == name }
  }

  /// What is of a table: its indexes and triggers.
  func items(of table: String, _ type: String) -> [Item] {
    let table = table.lowercasedASCII
    return items.filter { $0.type == type && $0.table.lowercasedASCII == table }
  }

  /// The columns of a table, asked for once.
  func columns(of table: String) throws -> [Column] {
    if let known = columns[table] { return known }
    let found = try readColumns(of: table)
    columns[table] = found
    return found
  }

  /// The indexes of a table, asked for once.
  func indexes(of table: String) throws -> [Index] {
    if let known = indexes[table] { return known }
    let found = try readIndexes(of: table)
    indexes[table] = found
    return found
  }

  private func readColumns(of table: String) throws -> [Column] {
    try Row.fetchAll(database, sql: "PRAGMA table_xinfo(\(table.quotedIdentifier))").map { row in
      Column(
        name: row["name"], type: row["type"], isRequired: row["notnull"],
        isGenerated: (row["hidden"] as Int) > 1,
        hasDefault: (row["dflt_value"] as DatabaseValue) != .null, isKey: (row["pk"] as Int) > 0)
    }
  }

  private func readIndexes(of table: String) throws -> [Index] {
    try Row.fetchAll(database, sql: "PRAGMA index_list(\(table.quotedIdentifier))").map { row in
      let name: String = row["name"]
      let keys = try Row.fetchAll(database, sql: "PRAGMA index_xinfo(\(name.quotedIdentifier))")
        .filter { $0["key"] == 1 }
      let isPlain =
        row["partial"] == 0
        && keys.allSatisfy { ($0["cid"] as Int) >= 0 && $0["desc"] == 0 && $0["coll"] == "BINARY" }
      let named = keys.compactMap { $0["name"] as String? }
      return Index(
        name: name, table: table, isUnique: row["unique"], isOwn: row["origin"] == "c",
        columns: isPlain ? named : nil, named: named)
    }
  }

  /// The foreign keys of all tables that are not the named ones: table, column, the table it leads to and its column.
  func foreignKeys(besides tables: Set<String>) throws -> [(table: String, target: String, column: String?)] {
    try items.filter { $0.type == "table" && !$0.isVirtual && !tables.contains($0.name.lowercasedASCII) }
      .flatMap { item in
        try Row.fetchAll(database, sql: "PRAGMA foreign_key_list(\(item.name.quotedIdentifier))").map {
          (item.name, $0["table"] as String, $0["to"] as String?)
        }
      }
  }

  /// Whether there is anything but tables, and those of syncline, that are not named.
  func hasMoreThan(_ tables: [String]) -> Bool {
    let known = Set((tables + [StoredSchema.table, StoredPendingLinks.table]).map(\.lowercasedASCII))
    return items.contains { item in
      switch item.type {
      case "table": !known.contains(item.name.lowercasedASCII)
      case "index":
        !known.contains(item.table.lowercasedASCII)
          || !item.name.isNameOfIndex && !item.name.hasPrefix("syncline_")
      default: true
      }
    }
  }
}
