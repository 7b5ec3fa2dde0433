import Syncline

/// The tables of a file of Core Data or SwiftData, as other programs would create them.
///
/// In the file, the objects of the entity `Task` are in a table `ZTASK` with a row number `Z_PK`. To-one relationships are row numbers
/// without a declared foreign key, many-to-many relationships are tables such as `Z_2TAGS`, and dates are seconds since 2001. The rows
/// are copied into a temporary database with declared keys, in which dates are seconds since 1970.
struct CoreDataFile {
  /// The temporary database. SQLite removes its file when it is closed.
  let tables: DatabaseQueue
  let comments: [String]

  /// The seconds from 1970 to 2001.
  fileprivate static let reference = 978_307_200

  /// - Returns: nil if the file was not written by Core Data or SwiftData.
  init?(_ source: DatabaseQueue) throws {
    let found: (DatabaseQueue, [String])? = try source.snapshot { source in
      guard try source.tableExists("Z_PRIMARYKEY"), try source.tableExists("Z_METADATA"),
        try source.columns(in: "Z_PRIMARYKEY").map(\.name).starts(with: ["Z_ENT", "Z_NAME", "Z_SUPER"])
      else { return nil }
      let entities = try CoreDataEntity.all(in: source)
      let links = try CoreDataLinks.all(in: source, between: entities)
      let tables = try DatabaseQueue(path: "")
      try tables.write { copy in
        for entity in entities { try entity.copy(from: source, to: copy, entities) }
        for links in links { try links.copy(from: source, to: copy) }
      }
      var comments = [
        "Core Data stores names in uppercase only: check the case of names that have several words."
      ]
      let unknown = entities.flatMap { entity in
        entity.columns.filter(\.isOfUnknownEntity).map { "\(entity.name).\($0.name)" }
      }
      if !unknown.isEmpty {
        let list = unknown.joined(separator: ", ")
        comments.append(
          "The file does not name the entities of these relationships, whose values are row numbers: \(list)."
        )
      }
      return (tables, comments)
    }
    guard let found else { return nil }
    (tables, comments) = found
  }

  fileprivate static func copy(
    _ query: String, from source: Database, to copy: Database, in table: String, _ columns: [String]
  ) throws {
    let table = SQLiteTable.quoted(table)
    try copy.execute(sql: "CREATE TABLE \(table) (\(columns.joined(separator: ", ")))")
    let values = columns.map { _ in "?" }.joined(separator: ", ")
    let insert = try copy.makeStatement(sql: "INSERT INTO \(table) VALUES (\(values))")
    let rows = try Row.fetchCursor(source, sql: query)
    while let row = try rows.next() { try insert.execute(arguments: StatementArguments(row.databaseValues)) }
  }
}

/// An entity without a parent entity. Its table contains the objects of the entities that inherit from it, too.
private struct CoreDataEntity {
  struct Column {
    let source: String
    var name: String
    var type: String
    /// The table of the objects whose row numbers the column contains.
    var target: String?
    /// Whether the column contains row numbers, but none of the entities matches its name and values.
    var isOfUnknownEntity = false
  }

  let name: String
  let table: String
  /// The names of the entity and of those that inherit from it, by their numbers.
  let numbers: [Int: String]
  var columns: [Column] = []
  /// The column that identifies the objects; nil if only their row numbers do.
  var identity: Column?

  var keyType: String { identity?.type ?? "INTEGER" }

  static func all(in database: Database) throws -> [CoreDataEntity] {
    // GRDB traps if a value has another type.
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT Z_ENT, Z_NAME, iif(typeof(Z_SUPER) = 'integer', Z_SUPER, NULL) FROM Z_PRIMARYKEY
        WHERE typeof(Z_ENT) = 'integer' AND typeof(Z_NAME) = 'text' ORDER BY Z_ENT
        """)
    var names: [Int: String] = [:]
    var parents: [Int: Int] = [:]
    for row in rows { if let number: Int = row[0] { (names[number], parents[number]) = (row[1], row[2]) } }
    func root(of number: Int) -> Int {
      var number = number
      for _ in names { if let parent = parents[number], names[parent] != nil { number = parent } }
      return number
    }
    let families = Dictionary(grouping: names.keys, by: root)
    var entities: [CoreDataEntity] = []
    for (number, members) in families.sorted(by: { $0.key < $1.key }) {
      guard let name = names[number], try database.tableExists("Z\(name.uppercased())") else { continue }
      entities.append(
        CoreDataEntity(
          name: name, table: "Z\(name.uppercased())",
          numbers: Dictionary(uniqueKeysWithValues: members.map { ($0, names[$0] ?? "") })))
    }
    let known = entities
    for index in entities.indices { try entities[index].addColumns(in: database, known) }
    return entities
  }

  private mutating func addColumns(in database: Database, _ entities: [CoreDataEntity]) throws {
    let indexes = try database.indexes(on: table)
    for column in try database.columns(in: table) {
      let source = column.name.uppercased()
      // The others are Core Data's own: `Z_PK`, `Z_ENT`, `Z_FOK_TAGS`, and `Z4_OWNER`, the entity of a related object.
      guard source.hasPrefix("Z"), source.wholeMatch(of: /Z[0-9]*_.*/) == nil else { continue }
      var new = Column(source: column.name, name: CoreDataEntity.name(of: source), type: column.type)
      let isIndexed = indexes.contains { $0.name.uppercased() == "\(table)_\(source)_INDEX".uppercased() }
      if column.type.uppercased() == "INTEGER" {
        // Before the type, since a relationship such as `issue` may begin like a flag.
        new.target = try target(of: new, isIndexed: isIndexed, entities, database)
      }
      new.type = try new.target == nil ? type(of: new, database) : "INTEGER"
      new.isOfUnknownEntity = new.type == "INTEGER" && isIndexed && new.target == nil
      if new.type == "BOOLEAN" {
        new.name.replace(/^(is|has|can|was)([a-z])/) { "\($0.1)\($0.2.uppercased())" }
      }
      columns.append(new)
    }
    let unique = indexes.filter { $0.isUnique && $0.columns.count == 1 }.map { $0.columns[0].uppercased() }
    for name in unique + ["ZID"] where identity == nil {
      guard let column = columns.first(where: { $0.source.uppercased() == name }), column.target == nil,
        ["INTEGER", "VARCHAR", "UUID"].contains(column.type)
      else { continue }
      // An index allows several nulls.
      let isKey = try holds("count(*) = count(DISTINCT \(SQLiteTable.quoted(column.source)))", database)
      if isKey { identity = column }
    }
  }

  /// Dates, UUIDs and booleans are declared as such, so that the import finds them.
  private func type(of column: Column, _ database: Database) throws -> String {
    let value = SQLiteTable.quoted(column.source)
    switch column.type.uppercased() {
    case "TIMESTAMP": return "DATETIME"
    case "BLOB":
      return try holds("max(length(\(value))) = 16 AND min(length(\(value))) = 16", database)
        ? "UUID" : "BLOB"
    case "INTEGER" where column.name.starts(with: /is|has|can|was/):
      return try holds("max(\(value)) <= 1 AND min(\(value)) >= 0", database) ? "BOOLEAN" : "INTEGER"
    case let type: return ["INTEGER", "VARCHAR", "FLOAT", "DOUBLE", "DECIMAL"].contains(type) ? type : ""
    }
  }

  /// The table of the objects that a to-one relationship refers to, by its name: `project` or `parentProject`. All row numbers in
  /// the column must be those of such objects.
  private func target(
    of column: Column, isIndexed: Bool, _ entities: [CoreDataEntity], _ database: Database
  ) throws -> String? {
    let name = column.source.dropFirst().uppercased()
    let found = entities.filter { name.hasSuffix($0.name.uppercased()) }
      .max { $0.name.count < $1.name.count }
    let entity = name == "PARENT" ? found ?? self : found
    guard let entity, isIndexed || name == entity.name.uppercased() else { return nil }
    let value = SQLiteTable.quoted(column.source)
    let isValid = try holds(
      "total(\(value) NOT IN (SELECT Z_PK FROM \(SQLiteTable.quoted(entity.table)))) = 0", database)
    return isValid ? entity.table : nil
  }

  private func holds(_ condition: String, _ database: Database) throws -> Bool {
    try Bool.fetchOne(database, sql: "SELECT \(condition) FROM \(SQLiteTable.quoted(table))") ?? false
  }

  /// The name of an attribute, in which only `createdAt` and the like show where a word begins.
  private static func name(of column: String) -> String {
    let name = column.dropFirst().lowercased()
    return name.hasSuffix("edat") ? "\(name.dropLast(2))At" : name
  }

  func copy(from source: Database, to copy: Database, _ entities: [CoreDataEntity]) throws {
    let names = Set(columns.map(\.name))
    var definitions: [String] = []
    var values: [String] = []
    if identity == nil {
      definitions.append("\(names.contains("pk") ? "Z_PK" : "pk") INTEGER PRIMARY KEY")
      values.append("Z_PK")
    }
    if numbers.count > 1 {
      definitions.append("\(names.contains("entity") ? "Z_ENT" : "entity") TEXT")
      let cases = numbers.map { "WHEN \($0.key) THEN '\($0.value.replacing("'", with: "''"))'" }
      values.append("CASE Z_ENT \(cases.joined(separator: " ")) END")
    }
    for column in columns {
      let (name, value) = (SQLiteTable.quoted(column.name), SQLiteTable.quoted(column.source))
      if let entity = entities.first(where: { $0.table == column.target }) {
        definitions.append("\(name) \(entity.keyType) REFERENCES \(SQLiteTable.quoted(entity.name))")
        values.append(entity.key(ofRow: "\(SQLiteTable.quoted(table)).\(value)"))
      } else if column.type == "DATETIME" {
        definitions.append("\(name) DATETIME")
        values.append(
          "iif(typeof(\(value)) IN ('integer', 'real'), \(value) + \(CoreDataFile.reference), \(value))")
      } else {
        let isKey = column.source == identity?.source
        definitions.append("\(name) \(column.type)\(isKey ? " NOT NULL PRIMARY KEY" : "")")
        values.append(SQLiteRows.expression(column.source))
      }
    }
    try CoreDataFile.copy(
      "SELECT \(values.joined(separator: ", ")) FROM \(SQLiteTable.quoted(table)) ORDER BY Z_PK",
      from: source, to: copy, in: name, definitions)
  }

  /// The SQL that selects the identity of the object with a row number.
  func key(ofRow number: String) -> String {
    let key = identity.map { SQLiteRows.expression($0.source) } ?? "Z_PK"
    return "(SELECT \(key) FROM \(SQLiteTable.quoted(table)) AS related WHERE related.Z_PK = \(number))"
  }
}

/// A many-to-many relationship: a table such as `Z_2TAGS`, with columns such as `Z_2TASKS` and `Z_3TAGS`, whose names contain the
/// numbers of entities.
private struct CoreDataLinks {
  let table: String
  let name: String
  let ends: [(column: String, entity: CoreDataEntity)]

  static func all(in database: Database, between entities: [CoreDataEntity]) throws -> [CoreDataLinks] {
    let tables = try String.fetchAll(
      database,
      sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*' ORDER BY rowid")
    return try tables.compactMap { table in
      guard let name = table.wholeMatch(of: /Z_[0-9]+(.+)/)?.1 else { return nil }
      var ends: [(column: String, entity: CoreDataEntity)] = []
      for column in try database.columns(in: table).map(\.name) {
        let number = column.prefixMatch(of: /Z_([0-9]+)/).flatMap { Int($0.1) }
        // The other column of a relationship of an entity with itself.
        let isOther = column.uppercased() == "REFLEXIVE"
        let entity = isOther ? ends.first?.entity : entities.first { $0.numbers[number ?? 0] != nil }
        if let entity { ends.append((column, entity)) }
      }
      guard ends.count == 2 else { return nil }
      return CoreDataLinks(table: table, name: "\(ends[0].entity.name)_\(name.lowercased())", ends: ends)
    }
  }

  func copy(from source: Database, to copy: Database) throws {
    let table = SQLiteTable.quoted(table)
    let values = ends.map { $0.entity.key(ofRow: "\(table).\(SQLiteTable.quoted($0.column))") }
    let columns = zip(["source", "target"], ends).map { name, end in
      "\(name) \(end.entity.keyType) REFERENCES \(SQLiteTable.quoted(end.entity.name))"
    }
    try CoreDataFile.copy(
      "SELECT \(values.joined(separator: ", ")) FROM \(table)", from: source, to: copy, in: name, columns)
  }
}
