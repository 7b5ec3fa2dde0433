import GRDB

extension ModelCatalog {
  /// Why the tables of the models cannot be used on a connection; nil if they can. If a temporary table or view has the name of a
  /// table, SQLite uses the temporary one.
  func hiddenTable(in database: Database) throws -> String? {
    // Temporary tables are rare, and reading their names does not read the file.
    let names = try ReadStatement(
      database, "SELECT name FROM sqlite_temp_master WHERE type IN ('table', 'view')"
    ).all { $0.column(0).string }
    let hidden = names.first { name in
      let name = name.lowercasedASCII
      return name.hasPrefix("syncline_")
        || entries.contains { entry in
          let table = entry.table.name.lowercasedASCII
          // A join table is named after its model and relationship.
          return name == table || name.hasPrefix(table + ".")
        }
    }
    return hidden.map {
      "the temporary table or view “\($0)” shadows the table of the same name: rename or drop it"
    }
  }
}
