import Syncline

/// The parts of a table that are needed to propose a schema.
struct SQLiteTable {
  /// A foreign key.
  struct Reference {
    let columns: [String]
    let table: String
    /// The columns that it refers to; empty for the primary key.
    let destination: [String]
    let deleteAction: String
  }

  let name: String
  let columns: [ColumnInfo]
  /// The columns of the primary key, in its order.
  let primaryKey: [String]
  let references: [Reference]
  let indexes: [IndexInfo]
  let partialIndexes: Set<String>
  /// The schema types of columns without a declared type, derived from their values.
  let sampledTypes: [String: String]
  /// The columns of the primary key of a `WITHOUT ROWID` table, with the collations that order it. Empty for other tables.
  let keyOrder: [(column: String, collation: String)]
  let generatedColumns: Set<String>
  /// The names of the indexes on expressions.
  let expressionIndexes: [String]

  /// The number of rows that are read to find the type of a column.
  private static let sampleLimit = 1000

  init(_ name: String, in database: Database) throws {
    self.name = name
    columns = try database.columns(in: name)
    primaryKey = try String.fetchAll(
      database, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", arguments: [name])
    references = try SQLiteTable.references(of: name, in: database)
    indexes = try database.indexes(on: name)
    partialIndexes = try String.fetchSet(
      database, sql: "SELECT name FROM pragma_index_list(?) WHERE partial", arguments: [name])
    keyOrder = try Row.fetchAll(
      database,
      sql: """
        SELECT info.name, info.coll FROM pragma_table_list AS tables
        JOIN pragma_index_list(tables.name) AS list JOIN pragma_index_xinfo(list.name) AS info
        WHERE tables.schema = 'main' AND tables.name = ? AND tables.wr AND list.origin = 'pk' AND info.key
        ORDER BY info.seqno
        """, arguments: [name]
    ).map { (column: $0[0] ?? "", collation: $0[1] ?? "BINARY") }
    generatedColumns = try String.fetchSet(
      database, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden IN (2, 3)", arguments: [name])
    expressionIndexes = try String.fetchAll(
      database,
      sql: """
        SELECT name FROM pragma_index_list(?) AS list
        WHERE EXISTS (SELECT 1 FROM pragma_index_info(list.name) WHERE name IS NULL)
        """, arguments: [name])
    var types: [String: String] = [:]
    for column in columns where SQLiteType.isUndeclared(column.type) {
      types[column.name] = try SQLiteTable.sampledType(of: column.name, in: name, database)
    }
    sampledTypes = types
  }

  private static func references(of name: String, in database: Database) throws -> [Reference] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT id, "table", "from", "to", on_delete FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq
        """, arguments: [name])
    var parts: [(id: Int, rows: [Row])] = []
    for row in rows {
      let id: Int = row["id"] ?? 0
      if parts.last?.id == id { parts[parts.count - 1].rows.append(row) } else { parts.append((id, [row])) }
    }
    return parts.compactMap { part in
      guard let first = part.rows.first else { return nil }
      return Reference(
        columns: part.rows.map { $0["from"] ?? "" }, table: first["table"] ?? "",
        destination: part.rows.compactMap { row -> String? in row["to"] },
        deleteAction: first["on_delete"] ?? "")
    }
  }

  /// The common type of a column's values; nil if there are no values, or values of several types.
  private static func sampledType(of column: String, in table: String, _ database: Database) throws -> String?
  {
    let found = try String.fetchSet(
      database,
      sql: """
        SELECT DISTINCT typeof(value)
        FROM (SELECT \(quoted(column)) AS value FROM \(quoted(table)) LIMIT \(sampleLimit)) WHERE value IS NOT NULL
        """)
    switch found {
    case ["integer"]: return "Int"
    case ["real"], ["integer", "real"]: return "Double"
    case ["text"]: return "String"
    case ["blob"]: return "Data"
    default: return nil
    }
  }

  static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

  /// The foreign key that consists only of this column.
  func reference(from column: String) -> Reference? {
    references.first { $0.columns.count == 1 && $0.columns[0].lowercased() == column.lowercased() }
  }

  /// Whether a column has a unique index.
  func isUnique(_ column: String) -> Bool {
    indexes.contains { index in
      index.isUnique && !partialIndexes.contains(index.name)
        && index.columns.map { $0.lowercased() } == [column.lowercased()]
    } || primaryKey.map { $0.lowercased() } == [column.lowercased()]
  }

  var identity: [String] {
    if !primaryKey.isEmpty { return primaryKey }
    let unique =
      columns.first { $0.isNotNull && isUnique($0.name) } ?? columns.first { $0.name.lowercased() == "id" }
    return unique.map { [$0.name] } ?? []
  }

  /// The foreign keys to the two ends, if the table has no other columns. A table with its own identity contains rows, not only
  /// links.
  var linkReferences: (first: Reference, second: Reference)? {
    let ends = columns.compactMap { reference(from: $0.name) }
    guard columns.count == 2, ends.count == 2, primaryKey.count != 1 else { return nil }
    return (ends[0], ends[1])
  }

  func type(of column: ColumnInfo) -> String {
    SQLiteType.isUndeclared(column.type) ? sampledTypes[column.name] ?? "JSON" : SQLiteType.name(column.type)
  }
}
