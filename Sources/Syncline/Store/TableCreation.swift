import GRDB

/// Why a store does not fit the models.
struct StoreMisfit: Error {
  let reason: String
}

/// Creates the tables that are missing, and checks that those there are fit.
struct TableCreation {
  let catalog: ModelCatalog

  func run(_ database: Database) throws {
    try StoredPendingLinks.create(database)
    for table in catalog.tables {
      if try database.tableExists(table.name) {
        try check(table, database)
      } else if table.isGenerated {
        try database.execute(sql: definition(of: table))
      } else {
        throw SyncError.containerInitialization(
          reason: "the table “\(table.name)” is missing; create it before the container opens")
      }
      for sql in indexes(of: table) { try database.execute(sql: sql) }
    }
    for table in catalog.tables {
      for property in table.properties {
        guard case .link(let link) = property.kind, let related = property.related else { continue }
        let source = link.isSource ? table : related.syncTable
        let target = link.isSource ? related.syncTable : table
        try database.execute(sql: definition(of: link, source, target))
      }
    }
  }

  private func check(_ table: SyncTable, _ database: Database) throws {
    guard table.isGenerated else { return }
    // Rows are walked by their numbers, and observation knows them by these.
    guard
      (try? database.makeStatement(sql: "SELECT \(table.rowNumberColumn) FROM \(table.quotedName)")) != nil
    else {
      throw StoreMisfit(
        reason: "the table “\(table.name)” was made WITHOUT ROWID: its rows have no numbers")
    }
    let columns = try database.columns(in: table.name)
    for property in table.columns {
      guard let column = columns.first(where: { $0.name == property.name }) else {
        throw StoreMisfit(
          reason: "the table “\(table.name)” has no column “\(property.name)”")
      }
      guard column.type.uppercased() == property.columnType.rawValue else {
        throw StoreMisfit(
          reason:
            "the column “\(table.name).\(property.name)” is \(column.type), not \(property.columnType.rawValue)"
        )
      }
    }
  }

  private func definition(of table: SyncTable) -> String {
    var lines = table.columns.enumerated().map { position, property in
      column(property, isIdentity: position == table.identity && table.parentScope == nil)
    }
    if let scope = table.parentScope {
      lines.append(
        "PRIMARY KEY (\(table.properties[scope].quotedName), \(table.identityProperty.quotedName))"
      )
    }
    return "CREATE TABLE \(table.quotedName) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  private func column(_ property: SyncProperty, isIdentity: Bool) -> String {
    var text = "\(property.quotedName) \(property.columnType.rawValue)"
    if isIdentity { text += " PRIMARY KEY" }
    if !property.isOptional { text += " NOT NULL" }
    guard case .toOne(let isOptional) = property.kind, let related = property.related?.syncTable else {
      return text
    }
    if property.isUnique { text += " UNIQUE" }
    text +=
      " REFERENCES \(related.quotedName)(\(related.identityProperty.quotedName))"
      + " ON DELETE \(isOptional ? "SET NULL" : "CASCADE") DEFERRABLE INITIALLY DEFERRED"
    return text
  }

  /// The declared indexes, and one for each foreign key.
  private func indexes(of table: SyncTable) -> [String] {
    var indexes = table.indexes
    for (position, property) in table.columns.enumerated() {
      guard case .toOne = property.kind, !property.isUnique,
        !indexes.contains(where: { $0.first == position }),
        position != table.parentScope
      else { continue }
      indexes.append([position])
    }
    return indexes.map { positions in
      let names = positions.map { table.properties[$0].name }
      let name = ([table.name] + names).joined(separator: "_") + "_index"
      return "CREATE INDEX IF NOT EXISTS \(name.quotedIdentifier) ON \(table.quotedName)"
        + "(\(names.map(\.quotedIdentifier).joined(separator: ", ")))"
    }
  }

  private func definition(of link: SyncLinkTable, _ source: SyncTable, _ target: SyncTable) -> String {
    func reference(_ table: SyncTable) -> String {
      "\(table.identityProperty.columnType.rawValue) NOT NULL REFERENCES \(table.quotedName)"
        + "(\(table.identityProperty.quotedName)) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED"
    }
    let name = link.quotedName
    return """
      CREATE TABLE IF NOT EXISTS \(name) (
        "source" \(reference(source)),
        "target" \(reference(target)),
        PRIMARY KEY ("source", "target")
      );
      CREATE INDEX IF NOT EXISTS \((link.name + "_target_index").quotedIdentifier) ON \(name)("target")
      """
  }
}
