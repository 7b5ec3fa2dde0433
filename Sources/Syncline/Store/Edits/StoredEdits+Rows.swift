import Foundation
import GRDB
import SynclineSchema

/// Writes the rows themselves.
extension StoredEdits {
  /// Inserts a row, without the links in its lists.
  ///
  /// - Parameter ignoresConflicts: whether the row is left out if another one has its unique values, or if it lacks a property
  ///   that became required since.
  /// - Returns: whether it was inserted.
  @discardableResult
  func insert(_ values: Edit.Values, ignoresConflicts: Bool = false) throws -> Bool {
    let parameters = table.columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let clause = ignoresConflicts ? "OR IGNORE " : ""
    let statement = try WriteStatement(
      database, "INSERT \(clause)INTO \(table.quotedName) (\(table.columnList)) VALUES (\(parameters))")
    statement.restart().bind(values.columns)
    return try statement.execute() > 0
  }

  func update(_ row: RowKey, _ positions: [Int], to values: [DatabaseValue]) throws {
    guard !positions.isEmpty else { return }
    let columns = positions.enumerated().map {
      "\(table.properties[$1].quotedName) = ?\($0 + 1)"
    }
    let condition = StoredEdits.condition(model.keyColumns, from: 1 + positions.count)
    try write(
      "UPDATE \(table.quotedName) SET \(columns.joined(separator: ", ")) WHERE \(condition)",
      positions.map { values[$0] } + keyValues(row))
  }

  /// Sets the columns of a row that a user's trigger has changed.
  func correct(_ row: RowKey, _ values: Edit.Values) throws {
    // A trigger may write again.
    for _ in 0..<3 {
      guard let stored = try stored(row) else { return }
      let columns = values.differingColumns(from: stored)
      if columns.isEmpty { return }
      try update(row, columns, to: values.columns)
    }
  }

  /// Gives columns that are unique, of those given or of all, values that no other row has.
  func clearUnique(_ positions: [Int]? = nil, of edit: Edit) throws {
    let placeholders = try uniquePlaceholders(of: edit).filter { positions?.contains($0.key) ?? true }
    guard !placeholders.isEmpty else { return }
    var values = [DatabaseValue](repeating: .null, count: table.columnCount)
    for (position, value) in placeholders { values[position] = value }
    try update(edit.row, placeholders.keys.sorted(), to: values)
  }

  /// Values that no other row has, for the columns that are unique.
  func uniquePlaceholders(of edit: Edit) throws -> [Int: DatabaseValue] {
    let placeholders = try uniqueColumns().map { ($0, try placeholder(at: $0, of: edit)) }
    return Dictionary(uniqueKeysWithValues: placeholders)
  }

  /// A value that no other row has. It has the type of the property, since a sync may read the row before it has another value.
  private func placeholder(at position: Int, of edit: Edit) throws -> DatabaseValue {
    let property = table.properties[position]
    if property.isOptional { return .null }
    let number = -(1 << 53) - edit.number
    switch property.storedType?.scalar {
    case .uuid?:
      let bytes = (UInt64(0), UInt64(bitPattern: number).bigEndian)
      return withUnsafeBytes(of: bytes) { UUID(uuid: $0.load(as: uuid_t.self)) }.databaseValue
    case .date?:
      let first = Instant(Date.distantPast)
      return (Instant(microseconds: first.microseconds + edit.number) ?? first).storedText.databaseValue
    case .double?, .float?: return (Double(edit.number) * -0x1p60).databaseValue
    case .decimal?: return "\(number)".databaseValue
    default: break
    }
    guard property.columnType == .integer else { return "syncline \(edit.number)".databaseValue }
    guard let range = property.storedType?.integers, !range.contains(number) else {
      return number.databaseValue
    }
    var free = range.upperBound
    let sql = "SELECT 1 FROM \(table.quotedName) WHERE \(property.quotedName) = ?1"
    while try exists(sql, [free.databaseValue]) { free -= 1 }
    return free.databaseValue
  }

  /// The positions of the columns, except those of the key, in any unique index.
  private func uniqueColumns() throws -> Set<Int> {
    if let known = cache.uniqueColumns { return known }
    let names = try reading(
      """
      SELECT info.name FROM pragma_index_list(?1) AS list, pragma_index_info(list.name) AS info
      WHERE list."unique" AND list.origin <> 'pk' AND info.name IS NOT NULL
      """, [table.name.databaseValue]
    ).all { $0.column(0).string }
    // The indexes of unique values may be dropped temporarily.
    let columns = Set(names.compactMap { table.position(of: $0) }).union(table.uniqueValues)
      .subtracting([table.identity])
    cache.uniqueColumns = columns
    return columns
  }

  /// Deletes a row, and the rows that foreign keys delete with it.
  func delete(_ row: RowKey) throws {
    let condition = StoredEdits.condition(model.keyColumns, from: 1)
    try write("DELETE FROM \(table.quotedName) WHERE \(condition)", keyValues(row))
  }

  /// A random identity that no row has.
  func unusedIdentity(_ sources: TimeAndRandomness) -> SyncIdentity {
    var sources = sources
    switch table.identityKind {
    case .uuid: return .uuid(sources.uuid())
    case .integer: return .integer(Int64.random(in: .min ..< -(1 << 53), using: &sources))
    default: return .text("syncline \(sources.uuid().uuidString)")
    }
  }

  /// Removes a row from its table temporarily. It first gets an identity that no row references, so that foreign keys delete no
  /// other rows.
  func removeTemporarily(_ row: RowKey, _ sources: TimeAndRandomness) throws {
    let unused = unusedIdentity(sources).databaseValue
    try setIdentity(of: row, to: unused)
    try write(
      "DELETE FROM \(table.quotedName) WHERE \(table.identityProperty.quotedName) = ?1", [unused])
    for list in model.lists {
      try write(
        "DELETE FROM \(list.linkTable?.quotedName ?? "") WHERE \"source\" = ?1", [row.identity.databaseValue])
    }
  }

  /// Gives a row another identity. Users' tables keep their references to the old one: the transaction inserts a row with it, or
  /// changes the references.
  func setIdentity(of row: RowKey, to identity: DatabaseValue) throws {
    let references = try foreignReferences()
    // Unlike Syncline's, users' foreign keys may be checked at each statement. This ends with the transaction.
    if !references.isEmpty { try database.execute(sql: "PRAGMA defer_foreign_keys = ON") }
    let parts = SyncIdentity(identity).map { self.parts(of: $0) } ?? []
    let columns = [table.identityProperty.quotedName] + parts.map { table.properties[$0.position].quotedName }
    let assignments = columns.enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: ", ")
    let condition = StoredEdits.condition(model.keyColumns, from: columns.count + 1)
    try database.with(.foreignKeys, isOn: !references.contains(where: \.hasUpdateAction)) {
      try write(
        "UPDATE \(table.quotedName) SET \(assignments) WHERE \(condition)",
        [identity] + parts.map(\.value) + keyValues(row))
    }
  }

  /// The columns of the parts of a composite identity, with their values; empty for other identities.
  func parts(of identity: SyncIdentity) -> [(position: Int, value: DatabaseValue)] {
    guard table.isComposite else { return [] }
    var parts: [(position: Int, value: DatabaseValue)] = []
    for (position, part) in zip(table.identityParts, SyncIDReader.parts(of: identity.description)) {
      let property = table.properties[position]
      let kind = property.related?.syncTable.identityKind ?? property.columnType.identityKind
      if let value = kind.identity(inPart: part) { parts.append((position, value.databaseValue)) }
    }
    return parts
  }

  /// A column of a user's table that references the model's identity.
  struct ForeignReference {
    let table: String
    let column: String
    /// Whether SQLite changes the column, or fails at once, if the identity changes.
    let hasUpdateAction: Bool
  }

  /// The columns of users' tables that reference the model's identity.
  func foreignReferences() throws -> [ForeignReference] {
    if let known = cache.foreignReferences { return known }
    let own = model.entry.references
    let links = model.entry.links.map(\.table.name)
    let found = try reading(
      """
      SELECT "table".name, key."from", key."to", key.on_update
      FROM sqlite_master AS "table", pragma_foreign_key_list("table".name) AS key
      WHERE "table".type = 'table' AND key."table" = ?1 COLLATE NOCASE
      """, [table.name.databaseValue]
    ).all { row -> ForeignReference? in
      let (name, column, target) = (row.column(0).string, row.column(1).string, row.column(2))
      // Without a column, a foreign key references the primary key.
      let isToIdentity =
        target.isNull ? table.parentScope == nil : table.position(of: target.string) == table.identity
      guard isToIdentity, !links.contains(name),
        !own.contains(where: { $0.table.name == name && $0.name == column })
      else { return nil }
      return ForeignReference(
        table: name, column: column, hasUpdateAction: row.column(3).string != "NO ACTION")
    }
    cache.foreignReferences = found
    return found
  }

  /// The edits of rows whose list had a member in the server's last values.
  func edits(ofRowsWith member: SyncIdentity, in list: LinkEnd) throws -> [Edit] {
    let column = EditTable.Version.base.column(list.name).quotedIdentifier
    return try edits(
      "WHERE \(StoredEdits.hasMember(column, "?1")) ORDER BY \"number\"", [StoredEdits.member(member)])
  }

  /// Whether a list in a column has a member, in SQL that can use the column's index, where lists with members come before the
  /// empty one.
  static func hasMember(_ column: String, _ member: String) -> String {
    "\(column) < '[]' AND EXISTS (SELECT 1 FROM json_each(\(column)) WHERE value = \(member))"
  }

  /// A member as the triggers write it into lists.
  static func member(_ identity: SyncIdentity) -> DatabaseValue {
    if case .uuid(let uuid) = identity { return uuid.uuidString.replacing("-", with: "").databaseValue }
    return identity.databaseValue
  }

  /// Replaces the members of all lists, without those that are not stored.
  func setLists(of row: RowKey, to values: Edit.Values) throws {
    for (list, members) in zip(model.lists, values.lists) {
      try set(list, of: row, to: members.filter { try isStored($0, list) })
    }
  }

  func set(_ list: LinkEnd, of row: RowKey, to members: Set<SyncIdentity>) throws {
    let stored = try self.members(of: list, row)
    let table = list.linkTable?.quotedName ?? ""
    for member in stored.subtracting(members).sorted() {
      try write(
        "DELETE FROM \(table) WHERE \"source\" = ?1 AND \"target\" = ?2",
        [row.identity.databaseValue, member.databaseValue])
    }
    for member in members.subtracting(stored).sorted() {
      try write(
        "INSERT INTO \(table) (\"source\", \"target\") VALUES (?1, ?2)",
        [row.identity.databaseValue, member.databaseValue])
    }
  }
}

extension ColumnType {
  /// The kind of a column's values as parts of an identity.
  fileprivate var identityKind: SyncIdentityKind {
    switch self {
    case .integer: .integer(Int64.min...Int64.max)
    case .blob: .uuid
    case .text, .double, .boolean: .text
    }
  }
}

extension ModelCatalog {
  /// The relationships whose rows are deleted with a row of a model, each with the edits of these rows.
  func dependents(on model: ModelNumber, in database: Database) -> [(store: StoredEdits, end: LinkEnd)] {
    offlineModels.flatMap { other in
      other.owners.filter { $0.target == model }.map { (StoredEdits(database, of: other), $0) }
    }
  }
}
