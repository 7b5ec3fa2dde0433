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
  func create(_ database: Database, formerName: String) throws {
    let existing = try database.indexes(on: table)
    guard !existing.contains(where: { $0.name == formerName && $0.columns == columns }) else { return }
    try database.execute(
      sql: """
        CREATE INDEX IF NOT EXISTS \(name.quotedIdentifier) ON \(table.quotedIdentifier)\
        (\(columns.map(\.quotedIdentifier).joined(separator: ", ")))
        """)
  }
}
