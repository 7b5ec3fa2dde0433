import GRDB
import SynclineSchema

extension StoreEvolution {
  /// Changes the columns of kept tables: in place if SQLite can, otherwise by copying the table.
  func changeTables() throws {
    for model in plan.new.models {
      guard let former = plan.former(of: model.name) else { continue }
      let change = try TableChange(model, former, of: self)
      if change.needsCopy {
        try copyTable(change)
      } else {
        try convertValues(change)
        try dropColumns(change)
      }
    }
  }

  /// Converts the values of columns whose declarations stay the same.
  private func convertValues(_ change: TableChange) throws {
    for (property, conversion) in change.conversions {
      try willMoveRows()
      try dropTriggersTemporarily(of: change.model.name)
      let name = property.quotedIdentifier
      try execute(
        """
        UPDATE \(change.model.name.quotedIdentifier) SET \(name) = \(conversion.sql(name)) WHERE \(name) IS NOT NULL
        """)
    }
  }

  private func dropColumns(_ change: TableChange) throws {
    guard !change.dropped.isEmpty else { return }
    let table = change.model.name
    try willMoveRows()
    try dropIndexes(of: table, on: change.dropped)
    try dropTriggersTemporarily(of: table)
    for column in change.dropped {
      try execute("ALTER TABLE \(table.quotedIdentifier) DROP COLUMN \(column.quotedIdentifier)")
    }
  }

  /// Drops our indexes on dropped columns; those of users were checked before.
  private func dropIndexes(of table: String, on columns: [String]) throws {
    let columns = Set(columns.map(\.lowercasedASCII))
    for index in try live().indexes(of: table)
    where index.isOwn && index.named.contains(where: { columns.contains($0.lowercasedASCII) }) {
      try execute("DROP INDEX \(index.name.quotedIdentifier)")
    }
  }

  /// Copies a table into a new one with its name. Rows keep their numbers; indexes and triggers are recreated with the same SQL.
  private func copyTable(_ change: TableChange) throws {
    let table = change.model.name
    let live = try self.live()
    guard let item = live.table(table), let text = change.text(item.sql) else {
      throw StoreMisfit(reason: "the table “\(table)” cannot be copied: its SQL cannot be read")
    }
    try willMoveRows()
    rebuilt.append(table)
    try dropIndexes(of: table, on: change.dropped)
    try dropTriggersTemporarily(of: table)
    let indexes = try self.live().items(of: table, "index")
    let statistics = try savedStatistics(of: table)
    let copy = temporaryName()
    try execute(text.create(copy))
    try execute(try copying(change, live, to: copy))
    try execute("DROP TABLE \(table.quotedIdentifier)")
    // Otherwise SQLite would also rename the references to the table.
    try execute("PRAGMA legacy_alter_table = ON")
    try execute("ALTER TABLE \(copy.quotedIdentifier) RENAME TO \(table.quotedIdentifier)")
    try execute("PRAGMA legacy_alter_table = OFF")
    for index in indexes { try execute(index.sql) }
    try restoreStatistics(statistics, of: table)
  }

  /// The SQL that fills the copy of a table.
  private func copying(_ change: TableChange, _ live: LiveStore, to copy: String) throws -> String {
    let (table, copy) = (change.model.name.quotedIdentifier, copy.quotedIdentifier)
    // With `SELECT *`, SQLite copies whole rows without decoding them. Row numbers that are not identities may be lost then.
    if try change.copiesWholeRows(live) { return "INSERT INTO \(copy) SELECT * FROM \(table)" }
    let columns = try change.copiedColumns(live)
    return """
      INSERT INTO \(copy) (\(columns.map(\.name).joined(separator: ", "))) \
      SELECT \(columns.map(\.value).joined(separator: ", ")) FROM \(table)
      """
  }

  // MARK: Statistics of ANALYZE

  private func savedStatistics(of table: String) throws -> [Row] {
    guard try database.tableExists("sqlite_stat1") else { return [] }
    return try Row.fetchAll(
      database, sql: "SELECT idx, stat FROM sqlite_stat1 WHERE tbl = ?", arguments: [table])
  }

  private func restoreStatistics(_ rows: [Row], of table: String) throws {
    for row in rows {
      try database.execute(
        sql: "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)",
        arguments: [table, row[0] as DatabaseValue, row[1] as DatabaseValue])
    }
  }
}

/// The changes to the columns of a table.
struct TableChange {
  let model: SchemaModel
  /// The columns that are dropped, by their current names.
  let dropped: [String]
  /// The columns whose values are converted.
  let conversions: [(property: String, conversion: ValueConversion)]
  /// Whether the table must be copied to change the columns.
  let needsCopy: Bool
  /// Whether a column that the schema lacks is the primary key. It stays the primary key, and the identity is `UNIQUE`.
  private let hasOtherKey: Bool
  private let plan: EvolutionPlan
  /// The values for rows without one, by column.
  private let fillings: [String: String]

  init(_ model: SchemaModel, _ former: SchemaModel, of evolution: StoreEvolution) throws {
    self.model = model
    plan = evolution.plan
    let live = try evolution.live()
    let columns = try live.columns(of: model.name)
    var conversions: [(String, ValueConversion)] = []
    var changesDefinitions = false
    var fillings: [String: String] = [:]
    for property in model.properties where property.isStored {
      let isKey = property.name == model.identity && model.parentScope == nil
      let column = columns.first { $0.name.lowercasedASCII == property.name.lowercasedASCII }
      if let column = plan.keptColumn(property, of: model) {
        if let conversion = plan.conversion(of: column), conversion.changesValues {
          conversions.append((property.name, conversion))
        }
        if plan.needsOtherColumn(column) { changesDefinitions = true }
        if column.former.isOptional, !property.isOptional,
          let value = plan.defaultValue(of: property, in: model)
        {
          fillings[property.name] = value
        }
      } else if let column, !isKey, column.isRequired == property.isOptional {
        // It was added as optional, and is filled now.
        changesDefinitions = true
      }
    }
    self.conversions = conversions
    self.fillings = fillings
    dropped = plan.droppedColumns(of: former).map { evolution.names.column($0, of: former.name) }
      .filter { name in columns.contains { $0.name.lowercasedASCII == name.lowercasedASCII } }
    let named = Set((model.properties.filter(\.isStored).map(\.name) + dropped).map(\.lowercasedASCII))
    let keys = columns.filter(\.isKey).map(\.name.lowercasedASCII)
    hasOtherKey = model.parentScope == nil && keys.count == 1 && named.isDisjoint(with: keys)
    let keyChanges = plan.changesIdentityColumn(of: model.name) || plan.changesScope(model, former)
    // The columns that a constraint of the table makes unique.
    let constrained = Set(
      try live.indexes(of: model.name).filter { !$0.isOwn }.flatMap(\.named).map(\.lowercasedASCII))
    let isStuck = (dropped + plan.loosened(model)).contains { constrained.contains($0.lowercasedASCII) }
    needsCopy = keyChanges || changesDefinitions || isStuck
  }

  /// Whether all columns stay unchanged, in their order, and include the row numbers.
  func copiesWholeRows(_ live: LiveStore) throws -> Bool {
    let isSame = dropped.isEmpty && conversions.isEmpty && fillings.isEmpty
    return try isSame && plan.definition.isNumbered(model) && !hasOtherKey
      && !live.columns(of: model.name).contains(where: \.isGenerated)
  }

  /// The table's new SQL.
  func text(_ sql: String) -> TableText? {
    guard var text = TableText(sql) else { return nil }
    for name in dropped { text.replace(name, with: nil) }
    let key = hasOtherKey ? "UNIQUE" : "PRIMARY KEY"
    for property in model.properties where property.isStored {
      guard let column = text.column(property.name) else { continue }
      let isConverted = conversions.contains { $0.property == property.name }
      let unique = plan.keepsUniqueness(of: property, in: model) ? column.unique : ""
      text.replace(
        property.name,
        with: plan.definition.column(property, of: model, key: key)
          + (isConverted ? "" : column.defaultValue) + unique + column.others)
      // The column declares its foreign key itself.
      if property.target != nil { text.removeForeignKeys(of: property.name) }
    }
    if !hasOtherKey { text.replaceKey(with: TableDefinition.compositeKey(model)) }
    return text
  }

  /// The columns of the copy, with the values that fill them. Row numbers come first; they do not change.
  func copiedColumns(_ live: LiveStore) throws -> [(name: String, value: String)] {
    let gone = Set(dropped.map(\.lowercasedASCII))
    let columns = try live.columns(of: model.name)
    let number =
      plan.definition.isNumbered(model) && !hasOtherKey
      ? nil : SyncTable.rowNumberColumn(besides: columns.map(\.name))
    return (number.map { [($0, $0)] } ?? [])
      + columns.filter { !$0.isGenerated && !gone.contains($0.name.lowercasedASCII) }.map { column in
        var value = column.name.quotedIdentifier
        if let conversion = conversions.first(where: { $0.property == column.name })?.conversion {
          value = conversion.sql(value)
        }
        if let filling = fillings[column.name] { value = "ifnull(\(value), \(filling))" }
        return (column.name.quotedIdentifier, value)
      }
  }
}

extension EvolutionPlan {
  /// Whether a kept column must be declared differently.
  fileprivate func needsOtherColumn(_ column: KeptColumn) -> Bool {
    if definition.type(of: column.property) != formerDefinition.type(of: column.former) { return true }
    if column.property.isOptional != column.former.isOptional { return true }
    if let target = column.property.target, changesIdentityColumn(of: target) { return true }
    return (column.property.target == nil) != (column.former.target == nil)
  }

  /// Whether the `UNIQUE` constraint of a column stays if the table is copied. Identities and links have those of the schema.
  fileprivate func keepsUniqueness(of property: SchemaProperty, in model: SchemaModel) -> Bool {
    guard let column = keptColumn(property, of: model) else { return false }
    return property.target == nil && column.former.target == nil && property.name != model.identity
      && column.former.name != column.formerModel.identity
  }

  /// The columns that are no longer unique. In stores of earlier versions, a constraint makes them unique.
  fileprivate func loosened(_ model: SchemaModel) -> [String] {
    model.properties.compactMap { property in
      guard let column = keptColumn(property, of: model), case .toOne(_, isUnique: true) = column.former.kind
      else {
        return nil
      }
      if case .toOne(_, isUnique: true) = property.kind { return nil }
      return property.name
    }
  }
}
