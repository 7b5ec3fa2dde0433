import GRDB

/// An index of a table that the models are stored in.
///
/// Neither models nor properties have parentheses or dots in their names: the names of tables, of links and of indexes
/// cannot meet, nor can those of two indexes.
struct StoreIndex {
  let table: String
  let columns: [String]

  private var name: String { "\(table)(\(columns.joined(separator: ", ")))" }

  /// Makes the index, unless the store has it; by the name of earlier versions, too.
  func create(_ database: Database, _ existing: StoreNames, formerName: String) throws {
    guard !existing.hasIndex(name) else { return }
    if existing.hasIndex(formerName) {
      let indexes = try database.indexes(on: table)
      guard !indexes.contains(where: { $0.name == formerName && $0.columns == columns }) else { return }
    }
    try database.execute(
      sql: """
        CREATE INDEX IF NOT EXISTS \(name.quotedIdentifier) ON \(table.quotedIdentifier)\
        (\(columns.map(\.quotedIdentifier).joined(separator: ", ")))
        """)
  }
}

/// What a store had when it was opened. SQLite does not tell apart names that differ in the case of ASCII letters.
struct StoreNames {
  private let tables, indexes: Set<String>

  init(_ database: Database) throws {
    func names(_ type: String) throws -> Set<String> {
      try Set(
        String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = ?", arguments: [type])
          .map { $0.lowercased() })
    }
    (tables, indexes) = (try names("table"), try names("index"))
  }

  func hasTable(_ name: String) -> Bool { tables.contains(name.lowercased()) }
  func hasIndex(_ name: String) -> Bool { indexes.contains(name.lowercased()) }
}
