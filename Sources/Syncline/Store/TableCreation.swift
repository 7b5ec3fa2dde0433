import GRDB

/// Why a store does not fit the models.
struct StoreMisfit: Error {
  let reason: String
}

/// Creates the tables that are missing, and checks that those there are fit.
struct TableCreation {
  let catalog: ModelCatalog

  /// What the store has is asked for once: after each table that is made, SQLite and GRDB would have to read it again.
  func run(_ database: Database) throws {
    try StoredPendingLinks.create(database)
    let existing = try StoreNames(database)
    for table in catalog.tables {
      if existing.hasTable(table.name) {
        try check(table, database)
      } else if table.isGenerated {
        try database.execute(sql: definition(of: table))
      } else {
        throw SyncError.containerInitialization(
          reason: "the table “\(table.name)” is missing; create it before the container opens")
      }
      for index in indexes(of: table) {
        let former = ([table.name] + index.columns).joined(separator: "_") + "_index"
        try index.create(database, existing, formerName: former)
      }
    }
    var made: Set<String> = []
    for table in catalog.tables {
      for property in table.properties {
        guard case .link(let link) = property.kind, let related = property.related,
          made.insert(link.name).inserted
        else { continue }
        let source = link.isSource ? table : related.syncTable
        let target = link.isSource ? related.syncTable : table
        try createLinks(link, from: source, to: target, in: database, existing)
      }
    }
  }

  private func createLinks(
    _ link: SyncLinkTable, from source: SyncTable, to target: SyncTable, in database: Database,
    _ existing: StoreNames
  ) throws {
    // Earlier versions called the table of `Task.tags` as a model may be called, too.
    let former = link.name.replacing(".", with: "_")
    if former != link.name, existing.hasTable(former), !existing.hasTable(link.name),
      !catalog.tables.contains(where: { $0.name.lowercased() == former.lowercased() }),
      try database.columns(in: former).map(\.name) == ["source", "target"]
    {
      try database.execute(sql: "ALTER TABLE \(former.quotedIdentifier) RENAME TO \(link.quotedName)")
    }
    try database.execute(sql: definition(of: link, source, target))
    try StoreIndex(table: link.name, columns: ["target"])
      .create(database, existing, formerName: former + "_target_index")
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
  private func indexes(of table: SyncTable) -> [StoreIndex] {
    var indexes = table.indexes
    for (position, property) in table.columns.enumerated() {
      guard case .toOne = property.kind, !property.isUnique,
        !indexes.contains(where: { $0.first == position }),
        position != table.parentScope
      else { continue }
      indexes.append([position])
    }
    return indexes.map { positions in
      StoreIndex(table: table.name, columns: positions.map { table.properties[$0].name })
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
      )
      """
  }
}
