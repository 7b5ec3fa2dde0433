import Syncline
import SynclineCompiler
import SynclineNaming

/// Proposes a schema for the tables of an SQLite file.
package struct SQLiteImport {
  /// The parts of a table that matter for a schema.
  struct Table {
    let name: String
    let columns: [ColumnInfo]
    /// The columns of the primary key, in order.
    let primaryKey: [String]
    let foreignKeys: [ForeignKeyInfo]
    let indexes: [IndexInfo]
    /// The actions `ON DELETE` of foreign keys, by column.
    let deleteActions: [String: String]

    /// The foreign key that consists of this column only.
    func reference(from column: String) -> ForeignKeyInfo? {
      foreignKeys.first { $0.mapping.count == 1 && $0.mapping[0].origin.lowercased() == column.lowercased() }
    }

    /// Whether a column has a unique index.
    func isUnique(_ column: String) -> Bool {
      indexes.contains { $0.isUnique && $0.columns.map { $0.lowercased() } == [column.lowercased()] }
        || primaryKey.map { $0.lowercased() } == [column.lowercased()]
    }

    /// Whether it is a join table without data of its own.
    var isLink: Bool {
      let references = columns.filter { reference(from: $0.name) != nil }
      let others = columns.filter { column in reference(from: column.name) == nil }
      let areIdentities = others.allSatisfy { primaryKey == [$0.name] }
      return references.count == 2 && areIdentities && Set(references.map(\.name)).count == 2
    }
  }

  private let tables: [Table]
  private(set) var draft = SchemaDraft()
  /// The models, by table name.
  private var models: [String: Int] = [:]

  /// Reads the tables of a file, without writing to it.
  ///
  /// - Throws: the error of SQLite if the file is not a database.
  package init(_ path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let unreadable: [String]
    (tables, unreadable) = try DatabaseQueue(path: path, configuration: configuration).read { database in
      let unreadable = try SQLiteImport.unreadableTables(in: database)
      let names = try SQLiteImport.tableNames(in: database).filter { !unreadable.contains($0) }
      return (try names.map { try SQLiteImport.table($0, in: database) }, unreadable)
    }
    for name in unreadable {
      draft.comments.append(
        "Left out: the table \(SwiftText.literal(name)), which or an index of which has a quotation mark in its name."
      )
    }
    for table in tables where !table.isLink {
      models[table.name.lowercased()] = draft.add(
        SchemaDraft.Declaration(kind: .model, name: DraftName.type(table.name, isList: true)))
    }
    for table in tables { models[table.name.lowercased()].map { addColumns(of: table, to: $0) } }
    for table in tables where !table.isLink { addLists(to: table) }
    for table in tables where table.isLink { addLinks(of: table) }
    for table in tables { models[table.name.lowercased()].map { addIndexes(of: table, to: $0) } }
    if models.isEmpty { draft.comments.append("There is no table.") }
    draft.repair()
  }

  /// The schema file.
  package var text: String { draft.text }

  /// Tables that GRDB cannot inspect, since it does not escape quotation marks in names.
  private static func unreadableTables(in database: Database) throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT DISTINCT tbl_name FROM sqlite_master WHERE type <> 'view' AND instr(name, '"') ORDER BY rowid
        """)
  }

  private static func tableNames(in database: Database) throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT name FROM pragma_table_list JOIN sqlite_master USING (name)
        WHERE schema = 'main' AND pragma_table_list.type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
        ORDER BY sqlite_master.rowid
        """)
  }

  private static func table(_ name: String, in database: Database) throws -> Table {
    let actions = try Row.fetchAll(
      database, sql: "SELECT \"from\", on_delete FROM pragma_foreign_key_list(?)", arguments: [name])
    let primaryKey = try Row.fetchAll(
      database, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", arguments: [name])
    return Table(
      name: name, columns: try database.columns(in: name), primaryKey: primaryKey.map { $0["name"] ?? "" },
      foreignKeys: try database.foreignKeys(on: name), indexes: try database.indexes(on: name),
      deleteActions: Dictionary(
        actions.map { ($0["from"] ?? "", $0["on_delete"] ?? "") }, uniquingKeysWith: { first, _ in first }))
  }

  // MARK: Columns

  private mutating func addColumns(of table: Table, to index: Int) {
    let identity = identity(of: table)
    if identity.isEmpty {
      draft.addMissingIdentity(to: index, "Int", because: "No column identifies a row")
    }
    for column in table.columns {
      var property = property(
        of: column, in: table, isIdentity: identity == [column.name], isPart: identity.contains(column.name))
      property.name = draft.freeName(property.name, in: index)
      property.key = column.name
      property.isKeyExplicit = !candidates(property).contains(column.name)
      if identity.contains(column.name) { property.isOptional = false }
      draft.declarations[index].properties.append(property)
    }
    guard identity.count > 1 else { return }
    let parts = identity.compactMap { column in
      draft.declarations[index].properties.first { $0.key == column }?.name
    }
    draft.declarations[index].attributes.append(
      "@PrimaryKey(\(parts.map { "\\.\($0)" }.joined(separator: ", ")))")
  }

  /// The columns of the identity.
  private func identity(of table: Table) -> [String] {
    if !table.primaryKey.isEmpty { return table.primaryKey }
    let unique = table.columns.first { $0.isNotNull && table.isUnique($0.name) }
    return unique.map { [$0.name] } ?? []
  }

  private func property(
    of column: ColumnInfo, in table: Table, isIdentity: Bool, isPart: Bool
  ) -> SchemaDraft.Property {
    let isOptional = !column.isNotNull
    if !isIdentity,
      let target = table.reference(from: column.name).flatMap({ models[$0.destinationTable.lowercased()] })
    {
      return SchemaDraft.Property(
        name: reference(column.name), type: .declared(target), isOptional: isOptional)
    }
    let type = SQLiteType.name(column.type)
    guard isIdentity || (isPart && !["Int", "String", "UUID", "Date"].contains(type)) else {
      var property = SchemaDraft.Property(
        name: DraftName.property(column.name), type: .scalar(type), isOptional: isOptional)
      property.defaultValue = SQLiteType.literal(column.defaultValueSQL, type)
      return property
    }
    let isPossible = ["Int", "String", "UUID"].contains(type)
    let found = column.type.isEmpty ? "of no type" : column.type
    return SchemaDraft.Property(
      name: DraftName.property(column.name), type: .scalar(isPossible ? type : "String"),
      isIdentity: isIdentity,
      comments: isPossible ? [] : ["In the file it is \(found), which identifies no row here."])
  }

  /// The name of a reference: `project` for `project_id`.
  private func reference(_ column: String) -> String {
    for ending in ["_id", "Id", "ID"] where column.hasSuffix(ending) && column.count > ending.count {
      return DraftName.property(String(column.dropLast(ending.count)))
    }
    return DraftName.property(column)
  }

  private func candidates(_ property: SchemaDraft.Property) -> [String] {
    if draft.isRelationship(property) { return KeyCandidates.toOne(property.name, style: .snakeCase) }
    return property.isIdentity
      ? KeyCandidates.identity(property.name, style: .snakeCase)
      : KeyCandidates.scalar(property.name, style: .snakeCase)
  }

  // MARK: Relationships

  /// Adds the inverses of a table's references.
  private mutating func addLists(to table: Table) {
    guard let index = models[table.name.lowercased()] else { return }
    for (place, property) in draft.declarations[index].properties.enumerated() {
      guard let target = property.type.declaration, let column = property.key,
        identity(of: table) != [column]
      else { continue }
      let others = draft.declarations[index].properties.count { $0.type.declaration == target }
      guard others == 1, target != index else {
        draft.declarations[index].properties[place].inverse = .nothing
        continue
      }
      let isOne = table.isUnique(column)
      let name = isOne ? lowered(draft.declarations[index].name) : DraftName.property(table.name)
      var list = SchemaDraft.Property(
        name: draft.freeName(name, in: target),
        type: isOne ? .declared(index) : .list(.declared(index)), isOptional: isOne)
      list.inverse = .property(declaration: index, name: property.name)
      switch table.deleteActions[column] {
      case "CASCADE" where property.isOptional: list.deleteRule = "cascade"
      case "RESTRICT": list.deleteRule = "deny"
      default: break
      }
      draft.declarations[target].properties.append(list)
    }
  }

  private func lowered(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

  /// Adds both ends of the relationship that a join table stores.
  private mutating func addLinks(of table: Table) {
    let ends = table.columns.compactMap { column -> Int? in
      table.reference(from: column.name).flatMap { models[$0.destinationTable.lowercased()] }
    }
    guard ends.count == 2 else { return }
    func name(of end: Int, in owner: Int) -> String {
      let plural = Names.plural(of: Names.snake(draft.declarations[end].name))
      return draft.freeName(DraftName.property(plural), in: owner)
    }
    let first = name(of: ends[1], in: ends[0])
    let comment = "In the file these are the rows of \(table.name)."
    guard ends[0] != ends[1] else {
      draft.declarations[ends[0]].properties.append(
        SchemaDraft.Property(
          name: first, type: .list(.declared(ends[1])), comments: [comment], inverse: .nothing))
      return
    }
    let second = name(of: ends[0], in: ends[1])
    draft.declarations[ends[0]].properties.append(
      SchemaDraft.Property(
        name: first, type: .list(.declared(ends[1])), comments: [comment],
        inverse: .property(declaration: ends[1], name: second)))
    draft.declarations[ends[1]].properties.append(
      SchemaDraft.Property(
        name: second, type: .list(.declared(ends[0])), inverse: .property(declaration: ends[0], name: first)))
  }

  // MARK: Indexes

  private mutating func addIndexes(of table: Table, to index: Int) {
    for entry in table.indexes where entry.columns != table.primaryKey {
      let properties = entry.columns.compactMap { column in
        draft.declarations[index].properties.first { $0.key?.lowercased() == column.lowercased() }
      }
      guard properties.count == entry.columns.count, !properties.isEmpty else { continue }
      // References and identities are indexed anyway.
      if properties.count == 1, draft.isRelationship(properties[0]) || properties[0].isIdentity { continue }
      if entry.isUnique {
        let names = properties.map(\.name).joined(separator: ", ")
        draft.declarations[index].comments.append(
          "In the file no two rows have the same \(names), which an index here does not see to.")
      }
      let paths = properties.map { "\\.\($0.name)" }.joined(separator: ", ")
      draft.declarations[index].attributes.append("@Index(\(paths))")
    }
  }
}
