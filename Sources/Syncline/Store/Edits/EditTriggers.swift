import GRDB
internal import SynclineBytes

/// The triggers that record local edits, whoever makes them: a record, SQL, another program, or a trigger of the user's.
///
/// The first edit of a row copies it; later ones only look that copy up. What was edited is found by comparing the row with the
/// copy. While a container syncs, a table of one row switches the triggers off.
struct EditTriggers {
  static let gate = "syncline_gate"
  private static let isOpen = "(SELECT \"isSyncing\" FROM \(gate)) = 0"

  private let models: [OfflineModel]
  /// The models of the container, in lowercase. Triggers of other models are left alone.
  private let tables: Set<String>

  init(_ catalog: ModelCatalog) {
    models = catalog.offlineModels
    tables = Set(catalog.tables.map { $0.name.lowercased() })
  }

  // MARK: Installing

  /// A trigger in a store.
  private struct Found {
    let name: String
    let table: String
    let sql: String

    var isOurs: Bool { EditTable.model(of: name) != nil }
    /// The model whose edits it records; a join table is named after it.
    var model: String { String(table.prefix { $0 != "." }).lowercased() }
  }

  /// The triggers of a store, the youngest first.
  private static func found(_ database: Database) throws -> [Found] {
    try Row.fetchAll(
      database,
      sql: "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid DESC"
    ).map { Found(name: $0[0], table: $0[1], sql: $0[2]) }
  }

  /// Whether the triggers are in a store, and older than no trigger of the user's: SQLite runs the youngest first.
  func areInstalled(_ database: Database) throws -> Bool {
    let found = try EditTriggers.found(database)
    let own = found.filter { $0.isOurs && tables.contains($0.model) }
    guard own.count == statements.count, Set(own.map(\.sql)) == Set(statements) else { return false }
    return Set(own.map(\.table)).allSatisfy { table in
      found.filter { $0.table == table }.drop(while: \.isOurs).allSatisfy { !$0.isOurs }
    }
  }

  /// Creates the triggers of the container's models anew.
  func install(_ database: Database) throws {
    try drop(database)
    guard !models.isEmpty else { return }
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(EditTriggers.gate) (
          "id" INTEGER PRIMARY KEY CHECK ("id" = 1), "isSyncing" INTEGER NOT NULL
        )
        """)
    try database.execute(sql: "INSERT OR IGNORE INTO \(EditTriggers.gate) VALUES (1, 0)")
    for statement in statements { try database.execute(sql: statement) }
  }

  /// Switches the triggers off, for what a sync writes, or on again.
  static func setGate(_ database: Database, isSyncing: Bool) throws {
    try database.cachedStatement(sql: "UPDATE \(gate) SET \"isSyncing\" = ?1").execute(arguments: [isSyncing])
  }

  /// Whether a store has triggers of the user's.
  static func areMixed(_ database: Database) throws -> Bool { try found(database).contains { !$0.isOurs } }

  /// Switches all triggers of the connection on or off. Statements are prepared anew, which takes as long as a few hundred rows
  /// that ask ``gate``.
  static func setAll(_ database: Database, areOn: Bool) {
    guard let connection = database.sqliteConnection else { return }
    // It fails only for an option that SQLite does not know.
    let code = syncline_set_triggers(UnsafeMutableRawPointer(connection), areOn ? 1 : 0)
    assert(code == 0)
  }

  /// Drops the triggers of the container's models.
  func drop(_ database: Database) throws {
    for trigger in try EditTriggers.found(database) where trigger.isOurs && tables.contains(trigger.model) {
      try database.execute(sql: "DROP TRIGGER \(trigger.name.quotedIdentifier)")
    }
  }

  /// Drops the triggers of all models.
  static func dropAll(_ database: Database) throws {
    for trigger in try found(database) where trigger.isOurs {
      try database.execute(sql: "DROP TRIGGER \(trigger.name.quotedIdentifier)")
    }
  }

  // MARK: SQL

  private var statements: [String] { models.flatMap(statements) }

  private func statements(_ model: OfflineModel) -> [String] {
    let table = model.table
    let identity = model.keyColumns
    var statements = [
      trigger(
        "insert", "BEFORE INSERT", on: table.quotedName, of: model,
        [copyStanding(model)] + copyPartners(model)),
      // SQLite makes the identities of some rows.
      trigger("inserted", "AFTER INSERT", on: table.quotedName, of: model, [addNew(model)]),
      trigger(
        "delete", "BEFORE DELETE", on: table.quotedName, of: model, [copyOld(model)] + noteOwners(model)),
      trigger(
        "move", "BEFORE UPDATE OF \(identity.joined(separator: ", "))", on: table.quotedName, of: model,
        [copyOld(model), copyStanding(model)]),
      trigger(
        "moved", "AFTER UPDATE OF \(identity.joined(separator: ", "))", on: table.quotedName, of: model,
        [addNew(model)]),
    ]
    let columns = model.tracked.map { table.properties[$0].quotedName }.filter { !identity.contains($0) }
    if !columns.isEmpty {
      statements.append(
        trigger(
          "update", "BEFORE UPDATE OF \(columns.joined(separator: ", "))", on: table.quotedName, of: model,
          [copyOld(model)] + copyPartners(model)))
    }
    for list in model.lists {
      guard let links = list.linkTable?.quotedName else { continue }
      let name = ".\(list.name)"
      statements += [
        trigger(
          "\(name)_insert", "BEFORE INSERT", on: links, of: model, [copyOwner(model, of: "NEW.\"source\"")]),
        trigger(
          "\(name)_delete", "BEFORE DELETE", on: links, of: model, [copyOwner(model, of: "OLD.\"source\"")]),
        trigger(
          "\(name)_update", "BEFORE UPDATE", on: links, of: model,
          [copyOwner(model, of: "OLD.\"source\""), copyOwner(model, of: "NEW.\"source\"")]),
      ]
    }
    return statements
  }

  private func trigger(
    _ name: String, _ event: String, on table: String, of model: OfflineModel, _ body: [String]
  ) -> String {
    let separator = name.hasPrefix(".") ? "" : "_"
    let full = (EditTable.name(of: model.table.name) + separator + name).quotedIdentifier
    return """
      CREATE TRIGGER \(full) \(event) ON \(table) WHEN \(EditTriggers.isOpen) BEGIN \(body.map { $0 + ";" }.joined(separator: " ")) END
      """
  }

  /// Copies the row that is changed.
  private func copyOld(_ model: OfflineModel) -> String {
    let keys = model.keyColumns.map { "OLD.\($0)" }
    let values = model.table.columns.map { "OLD.\($0.quotedName)" } + members(model, of: keys[0])
    return
      "INSERT INTO \(model.editTable) (\(target(model))) SELECT \((keys + ["0"] + values).joined(separator: ", "))"
      + " WHERE \(isUnknown(model, keys))"
  }

  /// Notes whether a row is deleted by the foreign key of a row that it requires: that row is gone before it.
  private func noteOwners(_ model: OfflineModel) -> [String] {
    guard !model.owners.isEmpty else { return [] }
    let isGone = model.owners.map { end in
      let target = end.targetTable
      return "NOT EXISTS (SELECT 1 FROM \(target.quotedName) WHERE \(target.identityProperty.quotedName)"
        + " = OLD.\(end.property.quotedName))"
    }
    let condition = zip(model.editKeyColumns, model.keyColumns).map { "\($0) = OLD.\($1)" }
    return [
      "UPDATE \(model.editTable) SET \"\(EditTable.Column.isWithOwner)\" = \(isGone.joined(separator: " OR "))"
        + " WHERE \(condition.joined(separator: " AND "))"
    ]
  }

  /// Copies the row that already has the new row's identity: `OR REPLACE` deletes it without firing a trigger.
  private func copyStanding(_ model: OfflineModel) -> String {
    let keys = model.keyColumns.map { "NEW.\($0)" }
    let condition = zip(model.keyColumns, keys).map { "\($0) = \($1)" }.joined(separator: " AND ")
    return copyStored(model, where: condition) + " AND \(isUnknown(model, keys))"
  }

  /// Copies the rows whose unique values, or whose partners in one-to-one relationships, the row takes: `OR REPLACE` deletes them.
  private func copyPartners(_ model: OfflineModel) -> [String] {
    let table = model.table
    return table.columns.indices.filter { table.properties[$0].isUnique }.map { position in
      let column = table.properties[position].quotedName
      let keys = model.keyColumns.map { "\(table.quotedName).\($0)" }
      let mark = table.properties[position].hasUniqueValues ? table.andIsNotDeleted : ""
      return copyStored(model, where: "\(column) = NEW.\(column)\(mark)") + " AND \(isUnknown(model, keys))"
    }
  }

  /// Copies the owner of a list whose links change.
  private func copyOwner(_ model: OfflineModel, of owner: String) -> String {
    copyStored(model, where: "\(model.table.identityProperty.quotedName) = \(owner)")
      + " AND \(isUnknown(model, [owner]))"
  }

  private func copyStored(_ model: OfflineModel, where condition: String) -> String {
    let table = model.table
    let own = "\(table.quotedName).\(table.identityProperty.quotedName)"
    let values =
      model.keyColumns + ["0"] + table.columns.map(\.quotedName) + members(model, of: own)
    return "INSERT INTO \(model.editTable) (\(target(model))) SELECT \(values.joined(separator: ", "))"
      + " FROM \(table.quotedName) WHERE \(condition)"
  }

  /// Adds a row that the server does not know.
  private func addNew(_ model: OfflineModel) -> String {
    let keys = model.keyColumns.map { "NEW.\($0)" }
    let columns = model.editKeyColumns + ["\"\(EditTable.Column.isNew)\""]
    return
      "INSERT INTO \(model.editTable) (\(columns.joined(separator: ", "))) SELECT \((keys + ["1"]).joined(separator: ", "))"
      + " WHERE \(isUnknown(model, keys))"
  }

  private func target(_ model: OfflineModel) -> String {
    (model.editKeyColumns + ["\"\(EditTable.Column.isNew)\""] + model.columns(.base)).joined(separator: ", ")
  }

  private func members(_ model: OfflineModel, of owner: String) -> [String] {
    model.lists.map { model.membersSQL($0, of: owner) }
  }

  /// An edit of the row is not recorded yet. `INSERT OR IGNORE` would not do: the clause of the outer statement replaces it.
  private func isUnknown(_ model: OfflineModel, _ keys: [String]) -> String {
    let condition = zip(model.editKeyColumns, keys).map { "\($0) = \($1)" }.joined(separator: " AND ")
    return "NOT EXISTS (SELECT 1 FROM \(model.editTable) WHERE \(condition))"
  }
}
