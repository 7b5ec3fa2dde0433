import GRDB
import SynclineNaming
import SynclineSchema

/// The current tables, indexes, triggers and views of a database. SQLite ignores the case of ASCII letters in names.
final class LiveStore {
  /// A table, index, trigger or view, with the SQL that created it.
  struct Item: Equatable {
    let type: String
    let name: String
    /// The table that it belongs to; for a table, its own name.
    let table: String
    let sql: String

    /// Whether the SQL of a table contains `WITHOUT ROWID`.
    let mayLackRowNumbers: Bool

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
    /// Whether `CREATE INDEX` created it, rather than a constraint of its table.
    let isOwn: Bool
    /// The columns; nil if it indexes anything but columns in ascending order, or is partial in another way than by a mark.
    let columns: [String]?
    /// The column that marks rows as deleted, if the index leaves such rows out.
    let deletionMark: String?
    /// All columns that its terms mention.
    let named: [String]

    /// The index as a schema describes it; nil if none can.
    var described: StoreIndex? {
      columns.map { StoreIndex(table: table, columns: $0, isUnique: isUnique, deletionMark: deletionMark) }
    }
  }

  let items: [Item]
  private let database: Database
  /// Tables, with their indexes and triggers, by lowercased table name.
  private lazy var tables = Dictionary(
    items.lazy.filter { $0.type == "table" }.map { ($0.name.lowercasedASCII, $0) },
    uniquingKeysWith: { first, _ in first })
  private lazy var itemsOfTables = Dictionary(grouping: items) { $0.table.lowercasedASCII }
  private var columns: [String: [Column]] = [:]
  private var indexes: [String: [Index]] = [:]

  /// - Parameter former: an earlier state of the database. Its unchanged parts are not read again.
  init(_ database: Database, after former: LiveStore? = nil) throws {
    self.database = database
    items = try Row.fetchAll(
      database,
      sql: """
        SELECT type, name, tbl_name, sql, sql LIKE '%WITHOUT%ROWID%' FROM sqlite_master
        WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        """
    ).map { Item(type: $0[0], name: $0[1], table: $0[2], sql: $0[3], mayLackRowNumbers: $0[4]) }
    guard let former else { return }
    columns = former.columns.filter { name, _ in table(name).map { $0 == former.table(name) } ?? false }
    indexes = former.indexes.filter { table, _ in
      columns[table] != nil && former.items(of: table, "index") == items(of: table, "index")
    }
  }

  func table(_ name: String) -> Item? { tables[name.lowercasedASCII] }

  /// The fingerprint of a schema's tables, from the SQL that created them.
  func fingerprint(of schema: SyncSchemaSnapshot) -> String {
    let names = schema.withEditTables.tables + [StoredPendingLinks.table]
    var hash = StableHash()
    for name in Set(names.map(\.lowercasedASCII)).sorted() { hash.add(name, tables[name]?.sql ?? "") }
    return hash.text
  }

  /// The indexes or triggers of a table.
  func items(of table: String, _ type: String) -> [Item] {
    (itemsOfTables[table.lowercasedASCII] ?? []).filter { $0.type == type }
  }

  /// The triggers of a table that users created: all but those that record edits.
  func userTriggers(of table: String) -> [Item] {
    items(of: table, "trigger").filter { EditTable.model(of: $0.name) == nil }
  }

  /// The columns of a table, read once.
  func columns(of table: String) throws -> [Column] {
    try columns.value(of: table) {
      // cid, name, type, notnull, dflt_value, pk, hidden
      try Row.fetchAll(database, sql: "PRAGMA table_xinfo(\(table.quotedIdentifier))").map { row in
        Column(
          name: row[1], type: row[2], isRequired: row[3], isGenerated: (row[6] as Int) > 1,
          hasDefault: (row[4] as DatabaseValue) != .null, isKey: (row[5] as Int) > 0)
      }
    }
  }

  /// Why a column cannot store identities: its collation does not compare their bytes. Nil if it does.
  func collationMisfit(of column: String, in table: String) -> String? {
    guard let collation = database.collation(of: column, in: table), collation.uppercased() != "BINARY"
    else { return nil }
    return
      "the column “\(table).\(column)” has the collation \(collation), but identities are compared by their bytes"
  }

  /// The indexes of a table, read once.
  func indexes(of table: String) throws -> [Index] {
    try indexes.value(of: table) { try readIndexes(of: table) }
  }

  private func readIndexes(of table: String) throws -> [Index] {
    // seq, name, unique, origin, partial
    try Row.fetchAll(database, sql: "PRAGMA index_list(\(table.quotedIdentifier))").map { row in
      let name: String = row[1]
      // seqno, cid, name, desc, coll, key
      let keys = try Row.fetchAll(database, sql: "PRAGMA index_xinfo(\(name.quotedIdentifier))")
        .filter { $0[5] == 1 }
      let isPartial = (row[4] as Int) != 0
      let isPlain =
        !isPartial && keys.allSatisfy { ($0[1] as Int) >= 0 && $0[3] == 0 && $0[4] == "BINARY" }
      var named = keys.compactMap { $0[2] as String? }
      var columns = isPlain ? named : nil
      var mark: String?
      // An expression has no name.
      if !isPlain, isPartial || keys.count > named.count,
        let sql = items(of: table, "index").first(where: { $0.name == name })?.sql,
        let found = StoreIndex.terms(ofSQL: sql), (found.deletionMark != nil) == isPartial
      {
        columns = found.columns
        mark = found.deletionMark
        named = found.columns.map { String($0.prefix { $0 != "." }) } + (mark.map { [$0] } ?? [])
      }
      return Index(
        name: name, table: table, isUnique: row[2], isOwn: row[3] == "c", columns: columns,
        deletionMark: mark, named: named)
    }
  }

  /// The foreign keys of all tables but the given ones: the table, the table that it references, and the column there.
  func foreignKeys(besides tables: Set<String>) throws -> [(table: String, target: String, column: String?)] {
    try items.filter { $0.type == "table" && !$0.isVirtual && !tables.contains($0.name.lowercasedASCII) }
      .flatMap { item in
        try Row.fetchAll(database, sql: "PRAGMA foreign_key_list(\(item.name.quotedIdentifier))").map {
          (item.name, $0["table"] as String, $0["to"] as String?)
        }
      }
  }

  /// Whether there is anything but the given tables, Syncline's own tables, and their indexes.
  func hasMoreThan(_ tables: [String]) -> Bool {
    let own = [
      StoredSchema.table, StoredPendingLinks.table, StoredBookmarks.table, StoredRun.table,
      StoredAbsences.table, StoredMoments.table, EditTriggers.gate,
    ]
    let known = Set((tables + own).map(\.lowercasedASCII))
    return items.contains { item in
      switch item.type {
      case "table": !known.contains(item.name.lowercasedASCII)
      case "index":
        !known.contains(item.table.lowercasedASCII)
          || !item.name.isNameOfIndex && !item.name.hasPrefix("syncline_")
      case "trigger": EditTable.model(of: item.name) == nil
      default: true
      }
    }
  }
}
