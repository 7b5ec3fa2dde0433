import GRDB

/// The triggers that record local edits, whether they are made by a record, by SQL, by another program or by a trigger of a user.
///
/// The first edit of a row copies it; later ones only look that copy up. The edited columns are found by comparing the row with the
/// copy. While a container syncs, a flag in a table of one row disables the triggers.
struct EditTriggers {
  static let gate = "syncline_gate"
  /// Edits are recorded even if a user has emptied the table.
  fileprivate static let isOpen = "(SELECT \"isSyncing\" FROM \(gate)) IS NOT 1"

  private let models: [OfflineModel]
  /// The models of the container, in lowercase. Triggers of other models are not changed.
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

  /// The triggers of a store, the newest first.
  private static func found(_ database: Database) throws -> [Found] {
    try ReadStatement(
      database, "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid DESC"
    ).all { Found(name: $0.column(0).string, table: $0.column(1).string, sql: $0.column(2).string) }
  }

  /// Whether the triggers exist in a store, and are newer than all triggers of users: SQLite runs the newest first.
  func areInstalled(_ database: Database) throws -> Bool {
    let found = try EditTriggers.found(database)
    let own = found.filter { $0.isOurs && tables.contains($0.model) }
    guard try own.isEmpty || database.tableExists(EditTriggers.gate) else { return false }
    guard own.count == statements.count, Set(own.map(\.sql)) == Set(statements) else { return false }
    return Set(own.map(\.table)).allSatisfy { table in
      found.filter { $0.table == table }.drop(while: \.isOurs).allSatisfy { !$0.isOurs }
    }
  }

  /// Recreates the triggers of the container's models.
  func install(_ database: Database) throws {
    try EditTriggers.drop(database, of: self)
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

  /// Disables the triggers for the writes of a sync, or enables them again.
  static func setGate(_ database: Database, isSyncing: Bool) throws {
    try database.cachedStatement(
      sql: "INSERT INTO \(gate) VALUES (1, ?1) ON CONFLICT DO UPDATE SET \"isSyncing\" = ?1"
    ).execute(arguments: [isSyncing])
  }

  /// Whether a store has triggers of users.
  static func areMixed(_ database: Database) throws -> Bool { try found(database).contains { !$0.isOurs } }

  /// - Parameter own: drops the triggers of these models; nil drops those of all models.
  static func drop(_ database: Database, of own: EditTriggers?) throws {
    for trigger in try found(database) where trigger.isOurs && own?.tables.contains(trigger.model) ?? true {
      try database.execute(sql: "DROP TRIGGER \(trigger.name.quotedIdentifier)")
    }
  }

  private var statements: [String] { models.flatMap(\.triggers) }
}

extension OfflineModel {
  /// The SQL that creates the triggers of the model.
  fileprivate var triggers: [String] {
    let identity = keyColumns.joined(separator: ", ")
    let (old, new) = (keyColumns.map { "OLD.\($0)" }, keyColumns.map { "NEW.\($0)" })
    // `OR REPLACE` deletes an existing row with the identity without firing a trigger, so that row is copied first.
    let replacesStored = [isUnknown(new), isStored(new)]
    let replaced = [copyStored(where: Self.match(keyColumns, new))]
    var statements = [
      trigger("_insert", "BEFORE INSERT", when: replacesStored, replaced),
      // SQLite creates the identities of some rows, so a new row is recorded after the insertion.
      trigger("_inserted", "AFTER INSERT", when: [isUnknown(new)], [addNew(new)]),
      owners.isEmpty
        ? trigger("_delete", "BEFORE DELETE", when: [isUnknown(old)], [copyOld(old)])
        : trigger("_delete", "BEFORE DELETE", [copyUnknown(old), noteOwners(old)]),
      trigger("_move", "BEFORE UPDATE OF \(identity)", when: [isUnknown(old)], [copyOld(old)]),
      trigger("_take", "BEFORE UPDATE OF \(identity)", when: replacesStored, replaced),
      trigger("_moved", "AFTER UPDATE OF \(identity)", when: [isUnknown(new)], [addNew(new)]),
    ]
    let columns = tracked.map { table.properties[$0].quotedName }.filter { !keyColumns.contains($0) }
    if !columns.isEmpty {
      statements.append(
        trigger(
          "_update", "BEFORE UPDATE OF \(columns.joined(separator: ", "))", when: [isUnknown(old)],
          [copyOld(old)]))
    }
    for property in table.columns where property.isUnique {
      let column = property.quotedName
      for (name, event) in [("insert", "INSERT"), ("update", "UPDATE OF \(column)")] {
        statements.append(
          trigger(
            "_\(name)_\(property.name)", "BEFORE \(event)", when: ["NEW.\(column) IS NOT NULL"],
            [copyPartner(property)]))
      }
    }
    for list in lists {
      guard let links = list.linkTable?.quotedName else { continue }
      let (before, after) = (copyOwner("OLD.\"source\""), copyOwner("NEW.\"source\""))
      for (event, body) in [("insert", [after]), ("delete", [before]), ("update", [before, after])] {
        statements.append(trigger(".\(list.name)_\(event)", "BEFORE \(event.uppercased())", on: links, body))
      }
    }
    return statements
  }

  private func trigger(
    _ name: String, _ event: String, on target: String? = nil, when conditions: [String] = [],
    _ body: [String]
  ) -> String {
    let full = (EditTable.name(of: table.name) + name).quotedIdentifier
    let condition = ([EditTriggers.isOpen] + conditions).joined(separator: " AND ")
    return """
      CREATE TRIGGER \(full) \(event) ON \(target ?? table.quotedName) \
      WHEN \(condition) BEGIN \(body.map { $0 + ";" }.joined(separator: " ")) END
      """
  }

  /// Copies the row that is changed.
  private func copyOld(_ keys: [String]) -> String {
    "INSERT INTO \(editTable) (\(target)) VALUES (\(oldValues(keys)))"
  }

  /// Copies the changed row, unless it is already recorded.
  private func copyUnknown(_ keys: [String]) -> String {
    "INSERT INTO \(editTable) (\(target)) SELECT \(oldValues(keys)) WHERE \(isUnknown(keys))"
  }

  private func oldValues(_ keys: [String]) -> String {
    let values = table.columns.map { "OLD.\($0.quotedName)" } + members(of: keys[0])
    return (keys + ["0"] + values).joined(separator: ", ")
  }

  /// Records whether a row is deleted by the foreign key to a row that it requires, since that row is deleted first, and to which
  /// rows it belonged.
  private func noteOwners(_ keys: [String]) -> String {
    let isGone = owners.map { end in
      let target = end.targetTable
      return "NOT EXISTS (SELECT 1 FROM \(target.quotedName) WHERE \(target.identityProperty.quotedName)"
        + " = OLD.\(end.property.quotedName))"
    }
    let moves = owners.map { end in
      ", \(EditTable.Version.own.column(end.name).quotedIdentifier) = OLD.\(end.property.quotedName)"
    }
    return
      "UPDATE \(editTable) SET \"\(EditTable.Column.isWithOwner)\" = \(isGone.joined(separator: " OR "))"
      + "\(moves.joined()) WHERE \(Self.match(editKeyColumns, keys))"
  }

  /// Copies the row whose unique value, or whose partner in a one-to-one relationship, the row takes: `OR REPLACE` deletes it.
  private func copyPartner(_ property: SyncProperty) -> String {
    let column = property.quotedName
    let keys = keyColumns.map { "\(table.quotedName).\($0)" }
    let mark = property.hasUniqueValues ? table.andIsNotDeleted : ""
    return copyStored(where: "\(column) = NEW.\(column)\(mark) AND \(isUnknown(keys))")
  }

  /// Copies the owner of a list whose links change.
  private func copyOwner(_ owner: String) -> String {
    copyStored(where: "\(table.identityProperty.quotedName) = \(owner) AND \(isUnknown([owner]))")
  }

  private func copyStored(where condition: String) -> String {
    let own = "\(table.quotedName).\(table.identityProperty.quotedName)"
    let values = keyColumns + ["0"] + table.columns.map(\.quotedName) + members(of: own)
    return "INSERT INTO \(editTable) (\(target)) SELECT \(values.joined(separator: ", "))"
      + " FROM \(table.quotedName) WHERE \(condition)"
  }

  /// Records a row that the server does not have.
  private func addNew(_ keys: [String]) -> String {
    let columns = editKeyColumns + ["\"\(EditTable.Column.isNew)\""]
    return
      "INSERT INTO \(editTable) (\(columns.joined(separator: ", "))) VALUES (\((keys + ["1"]).joined(separator: ", ")))"
  }

  private var target: String {
    (editKeyColumns + ["\"\(EditTable.Column.isNew)\""] + columns(.base)).joined(separator: ", ")
  }

  private func members(of owner: String) -> [String] { lists.map { membersSQL($0, of: owner) } }

  /// The condition that no edit of the row is recorded yet. `INSERT OR IGNORE` cannot replace it, since the conflict clause of the
  /// outer statement overrides it.
  ///
  /// Use it in the `WHEN` of a trigger if possible: `INSERT … SELECT` from the table that is written to creates a temporary table,
  /// which takes as long as the edit itself.
  private func isUnknown(_ keys: [String]) -> String {
    "NOT EXISTS (SELECT 1 FROM \(editTable) WHERE \(Self.match(editKeyColumns, keys)))"
  }

  private func isStored(_ keys: [String]) -> String {
    "EXISTS (SELECT 1 FROM \(table.quotedName) WHERE \(Self.match(keyColumns, keys)))"
  }

  private static func match(_ columns: [String], _ keys: [String]) -> String {
    zip(columns, keys).map { "\($0) = \($1)" }.joined(separator: " AND ")
  }
}
