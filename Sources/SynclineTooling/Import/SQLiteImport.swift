import Syncline
import SynclineCompiler
import SynclineNaming

/// Proposes a schema for the tables of an SQLite file.
package struct SQLiteImport {
  /// The file, or the tables that are made of it.
  let source: DatabaseQueue
  /// The tables of models, and join tables.
  let tables: [SQLiteTable]
  var draft = SchemaDraft()
  /// The models, by table name in lowercase.
  var models: [String: Int] = [:]
  /// The JSON keys that the properties of a model read, by the model's index. Collected when a name for a relationship is needed.
  var keysRead: [Int: Set<String>] = [:]
  private let tablesByName: [String: SQLiteTable]

  /// Reads the tables of a file, without writing to it.
  ///
  /// - Throws: the error of SQLite if the file is not a database.
  package init(_ path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let file = try DatabaseQueue(path: path, configuration: configuration)
    let coreData = try CoreDataFile(file)
    source = coreData?.tables ?? file
    draft.comments = coreData?.comments ?? []
    let (found, unreadable, others) = try source.snapshot { database in
      let unreadable = try SQLiteImport.unreadableTables(in: database)
      let names = try SQLiteImport.names(of: ["table"], in: database).filter { !unreadable.contains($0) }
      let others = try SQLiteImport.names(of: ["view", "virtual"], in: database)
      return (try names.map { try SQLiteTable($0, in: database) }, unreadable, others)
    }
    tables = found.filter { !FrameworkTables.contains($0) }
    tablesByName = Dictionary(
      tables.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    addComments(
      unreadable: unreadable, frameworks: found.filter(FrameworkTables.contains).map(\.name), others: others)
    for table in tables where !isJoinTable(table) {
      models[table.name.lowercased()] = draft.add(
        SchemaDraft.Declaration(kind: .model, name: DraftName.type(table.name, isList: true)))
    }
    for table in tables { models[table.name.lowercased()].map { addColumns(of: table, to: $0) } }
    for table in tables { addLists(to: table) }
    for table in tables { addLinks(of: table) }
    for table in tables { models[table.name.lowercased()].map { addIndexes(of: table, to: $0) } }
    if models.isEmpty { draft.comments.append("The file has no tables to import.") }
    draft.repair()
  }

  package var text: String { draft.text }

  /// Whether a table only contains links between rows of models: no other table refers to it, and its two foreign keys refer to
  /// the identities of tables that have other columns.
  private func isJoinTable(_ table: SQLiteTable) -> Bool {
    guard let ends = table.linkReferences else { return false }
    let isReferred = tables.contains { other in
      other.references.contains { $0.table.lowercased() == table.name.lowercased() }
    }
    return !isReferred
      && [ends.first, ends.second].allSatisfy { reference in
        tablesByName[reference.table.lowercased()]?.linkReferences == nil && leadsToIdentity(reference)
      }
  }

  /// The columns of a join table; nil for any other table.
  func linkColumns(of table: SQLiteTable) -> (first: String, second: String)? {
    guard models[table.name.lowercased()] == nil, let ends = table.linkReferences else { return nil }
    return (ends.first.columns[0], ends.second.columns[0])
  }

  private mutating func addComments(unreadable: [String], frameworks: [String], others: [String]) {
    for name in unreadable {
      draft.comments.append(
        "Left out: the table \(SwiftText.literal(name)), because its name or that of an index has a quotation mark."
      )
    }
    if !frameworks.isEmpty {
      draft.comments.append(
        "Left out, because they contain data of frameworks: \(frameworks.joined(separator: ", ")).")
    }
    if !others.isEmpty {
      draft.comments.append(
        "Left out, because they are views or virtual tables: \(others.joined(separator: ", ")).")
    }
  }

  /// The tables that GRDB cannot inspect, because it does not escape quotation marks in names.
  private static func unreadableTables(in database: Database) throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT DISTINCT tbl_name FROM sqlite_master WHERE type <> 'view' AND instr(name, '"') ORDER BY rowid
        """)
  }

  private static func names(of types: [String], in database: Database) throws -> [String] {
    let list = types.map { "'\($0)'" }.joined(separator: ", ")
    return try String.fetchAll(
      database,
      sql: """
        SELECT name FROM pragma_table_list JOIN sqlite_master USING (name)
        WHERE schema = 'main' AND pragma_table_list.type IN (\(list)) AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
        ORDER BY sqlite_master.rowid
        """)
  }

  private mutating func addColumns(of table: SQLiteTable, to index: Int) {
    let identity = table.identity
    if identity.isEmpty {
      draft.addMissingIdentity(to: index, "Int", because: "No column identifies a row")
    }
    let names = Set(table.columns.map(\.name))
    for column in table.columns {
      var property = property(
        of: column, in: table, isIdentity: identity == [column.name], isPart: identity.contains(column.name))
      property.name = draft.freeName(property.name, in: index)
      property.key = SQLiteImport.key(of: column.name)
      // The key of another column would be read before the column's own key: `created_at` before `createdAt`.
      let first = candidates(property).first { $0 == column.name || names.contains($0) }
      property.isKeyExplicit = first != column.name
      if identity.contains(column.name) { property.isOptional = false }
      if property.isIdentity, !table.isUnique(column.name) {
        property.comments.append("In the file several rows may have the same value.")
      }
      if property.isIdentity, let reference = table.reference(from: column.name) {
        property.comments.append("In the file it is also the key of a row of \(reference.table).")
      }
      if table.generatedColumns.contains(column.name) {
        property.comments.append("In the file it is computed from other columns.")
      }
      draft.declarations[index].properties.append(property)
    }
    for reference in table.references where reference.columns.count > 1 {
      let columns = reference.columns.joined(separator: ", ")
      draft.declarations[index].comments.append(
        "Left out: the foreign key (\(columns)) to \(reference.table).")
    }
    guard identity.count > 1 else { return }
    for (part, column) in identity.enumerated() {
      let key = SQLiteImport.key(of: column)
      guard let place = draft.declarations[index].properties.firstIndex(where: { $0.key == key }) else {
        continue
      }
      draft.declarations[index].properties[place].identityPart = part
    }
  }

  /// The JSON key of a column, in quotes if it would otherwise be read as a path.
  static func key(of column: String) -> String { RemotePath.part(column) ?? column }

  private func property(
    of column: ColumnInfo, in table: SQLiteTable, isIdentity: Bool, isPart: Bool
  ) -> SchemaDraft.Property {
    let isOptional = !column.isNotNull
    let type = table.type(of: column)
    let reference = table.reference(from: column.name)
    if !isIdentity, let target = reference.flatMap({ self.target(of: $0) }) {
      // A row may refer to a row of its own table that is copied later.
      let isOptional = isOptional || target == models[table.name.lowercased()]
      var property = SchemaDraft.Property(
        name: name(ofReference: column.name), type: .declared(target), isOptional: isOptional)
      addDefault(of: column, nil, to: &property)
      return property
    }
    guard isIdentity || (isPart && !["Int", "String", "UUID", "Date"].contains(type)) else {
      var property = SchemaDraft.Property(
        name: DraftName.property(column.name), type: .scalar(type), isOptional: isOptional)
      if let reference, models[reference.table.lowercased()] != nil {
        let columns = reference.destination.map { ".\($0)" }.joined()
        property.comments.append(
          "In the file it refers to \(reference.table)\(columns), which is not the identity.")
      }
      if table.sampledTypes[column.name] != nil {
        property.comments.append("In the file it has no type; this is the type of its values.")
      }
      addDefault(of: column, SQLiteType.literal(column.defaultValueSQL, type), to: &property)
      return property
    }
    let isPossible = ["Int", "String", "UUID"].contains(type)
    let found = column.type.isEmpty ? "of no type" : column.type
    return SchemaDraft.Property(
      name: DraftName.property(column.name), type: .scalar(isPossible ? type : "String"),
      isIdentity: isIdentity,
      comments: isPossible ? [] : ["In the file it is \(found), which cannot be an identity."])
  }

  private func addDefault(of column: ColumnInfo, _ literal: String?, to property: inout SchemaDraft.Property)
  {
    property.defaultValue = literal
    guard literal == nil, let sql = column.defaultValueSQL, sql.uppercased() != "NULL" else { return }
    property.comments.append("The default \(sql) is left out.")
  }

  /// The model whose identity a foreign key refers to.
  func target(of reference: SQLiteTable.Reference) -> Int? {
    leadsToIdentity(reference) ? models[reference.table.lowercased()] : nil
  }

  private func leadsToIdentity(_ reference: SQLiteTable.Reference) -> Bool {
    guard reference.columns.count == 1, let identity = tablesByName[reference.table.lowercased()]?.identity,
      identity.count == 1
    else { return false }
    return reference.destination.isEmpty || reference.destination[0].lowercased() == identity[0].lowercased()
  }

  /// The name of the relationship for a foreign key: `project` for `project_id`.
  private func name(ofReference column: String) -> String {
    for ending in ["_id", "Id", "ID"] where column.hasSuffix(ending) && column.count > ending.count {
      return DraftName.property(String(column.dropLast(ending.count)))
    }
    return DraftName.property(column)
  }

  func candidates(_ property: SchemaDraft.Property) -> [String] {
    draft.candidates(of: property, style: .snakeCase)
  }
}
