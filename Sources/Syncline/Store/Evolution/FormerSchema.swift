import GRDB
import SynclineSchema

/// The current schema of a store: the stored one, compared with its tables. Tables and columns that the new schema needs are
/// adopted if they exist. A store of an earlier version has no stored schema, and users may add and fill a column before the
/// evolution.
struct FormerSchema {
  let stored: SyncSchemaSnapshot?
  let new: SyncSchemaSnapshot
  /// The relationships whose keys are not identities: `by:`.
  let lookups: Set<SchemaRelation.End>
  let live: LiveStore
  let database: Database

  /// - Throws: ``StoreMisfit`` if a table or a column differs from the stored schema.
  func schema() throws -> SyncSchemaSnapshot {
    // A table that the user dropped is recreated.
    var models = (stored?.models ?? []).filter { live.table($0.name) != nil }
    let known = SyncSchemaSnapshot(models: models)
    let match = SchemaMatch(from: known, to: new)
    let storedCounts = models.map(\.properties.count)
    for index in models.indices {
      let today = match.modelsToday[models[index].name].flatMap(new.model)
      try check(models[index], today, match)
      if let today { models[index].properties += try added(to: models[index], today, match) }
    }
    var tables = match.models
    for model in new.models where match.models[model.name] == nil {
      guard let found = try found(model, besides: known) else { continue }
      tables[model.name] = found.name
      models.append(found)
    }
    // Adopted columns have the types of the new schema, which uses the new names of models.
    for index in models.indices {
      let stored = index < storedCounts.count ? storedCounts[index] : 0
      for property in stored..<models[index].properties.count {
        retarget(&models[index].properties[property], to: tables)
      }
    }
    return withLinks(SyncSchemaSnapshot(models: models))
  }

  // MARK: The stored schema

  private func check(_ model: SchemaModel, _ today: SchemaModel?, _ match: SchemaMatch) throws {
    try checkRowNumbers(model.name)
    let columns = try live.columns(of: model.name)
    let definition = TableDefinition(schema: stored ?? new)
    let needed = Set((today.flatMap { match.properties[$0.name] } ?? [:]).values)
    for property in model.properties where property.isStored && needed.contains(property.name) {
      try check(property, in: columns, of: model.name, definition.type(of: property))
    }
    if today != nil { try checkConstraints(model) }
  }

  private func check(
    _ property: SchemaProperty, in columns: [LiveStore.Column], of table: String, _ type: String
  ) throws {
    guard let column = column(property.name, of: columns) else {
      throw StoreMisfit(reason: "the table “\(table)” has no column “\(property.name)”")
    }
    guard column.type.uppercased() == type else {
      throw StoreMisfit(reason: "the column “\(table).\(property.name)” is \(column.type), not \(type)")
    }
    guard !column.isGenerated else {
      throw StoreMisfit(
        reason:
          "the column “\(table).\(property.name)” is GENERATED, so a sync cannot write it. Rename the column or the property"
      )
    }
  }

  /// Checks for constraints and collations with which a sync would lose rows.
  private func checkConstraints(_ model: SchemaModel) throws {
    let table = model.name
    if let sql = live.table(table)?.sql, sql.uppercased().contains("CONFLICT"), let text = TableText(sql) {
      for (part, action) in text.conflictClauses where ["REPLACE", "IGNORE"].contains(action) {
        throw StoreMisfit(
          reason:
            "the table “\(table)” has a constraint with ON CONFLICT \(action), which would lose rows without an error: “\(part)”"
        )
      }
    }
    for property in model.properties where property.target != nil || property.name == model.identity {
      if property.isStored, let reason = live.collationMisfit(of: property.name, in: table) {
        throw StoreMisfit(reason: reason)
      }
    }
  }

  /// Rows are scanned and observed by their row numbers.
  private func checkRowNumbers(_ table: String) throws {
    guard live.table(table)?.mayLackRowNumbers == true else { return }
    let number = SyncTable.rowNumberColumn(besides: try live.columns(of: table).map(\.name)) ?? "rowid"
    let sql = "SELECT \(number) FROM \(table.quotedIdentifier)"
    do {
      _ = try database.makeStatement(sql: sql)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      throw StoreMisfit(reason: "the table “\(table)” is WITHOUT ROWID, which is not supported")
    }
  }

  /// Columns that the user added under the names of new properties.
  private func added(
    to model: SchemaModel, _ today: SchemaModel, _ match: SchemaMatch
  ) throws -> [SchemaProperty] {
    let columns = try live.columns(of: model.name)
    let known = Set(model.properties.filter(\.isStored).map(\.name.lowercasedASCII))
    return try today.properties.compactMap { property in
      guard property.isStored, match.former(property.name, of: today.name) == nil,
        !known.contains(property.name.lowercasedASCII),
        !model.properties.contains(where: { $0.name == property.name })
      else { return nil }
      return try found(property, in: columns, of: model.name)
    }
  }

  /// Makes a relationship refer to a table instead of the model that will have it.
  private func retarget(_ property: inout SchemaProperty, to tables: [String: String]) {
    guard let target = property.target, let table = tables[target] else { return }
    switch property.kind {
    case .value: break
    case .toOne(_, let isUnique): property.kind = .toOne(table, isUnique: isUnique)
    case .inverse(let column, _, let isToMany):
      property.kind = .inverse(of: column, in: table, isToMany: isToMany)
    case .links(_, let links, let isSource):
      property.kind = .links(to: table, table: links, isSource: isSource)
    }
  }

  // MARK: Adopted tables and columns

  private func found(_ model: SchemaModel, besides known: SyncSchemaSnapshot) throws -> SchemaModel? {
    let names = [model.name] + (stored == nil ? model.renamedFrom : [])
    let item = names.lazy.compactMap(live.table).first { item in
      !known.models.contains { $0.name.lowercasedASCII == item.name.lowercasedASCII }
    }
    guard let item, !item.isVirtual else { return nil }
    let columns = try live.columns(of: item.name)
    let text = TableText(item.sql)
    // The columns of relationships that lack the foreign key of the schema.
    var keys: Set<String> = []
    var found = model
    found.name = item.name
    found.properties = try model.properties.compactMap { property in
      guard property.isStored else { return property }
      for name in [property.name] + property.renamedFrom {
        var former = property
        former.name = name
        guard var column = try self.found(former, in: columns, of: item.name) else { continue }
        if lacksForeignKey(property, of: model, column, text?.column(column.name)) {
          keys.insert(column.name)
        }
        guard property.name == model.identity else { return column }
        found.identity = column.name
        // Then the evolution copies the table, with a primary key.
        if try !isUnique(column.name, in: columns, of: item.name) { column.isOptional = true }
        return column
      }
      return nil
    }
    guard found.property(found.identity) != nil else {
      throw StoreMisfit(reason: "the table “\(item.name)” has no column “\(model.identity)”")
    }
    try checkRowNumbers(item.name)
    try checkConstraints(found)
    // The evolution takes these for keys that become relationships, and copies the table, with foreign keys.
    let definition = TableDefinition(schema: new)
    for index in found.properties.indices where keys.contains(found.properties[index].name) {
      found.properties[index].kind = .value(definition.valueType(of: found.properties[index]))
    }
    let primaryKey = columns.filter(\.isKey)
    found.parentScope =
      primaryKey.count > 1 ? primaryKey.first { $0.name != found.identity }?.name : nil
    // The schema's indexes are recognized by their names.
    found.indexes = try live.indexes(of: item.name).filter {
      $0.isOwn && $0.name.isNameOfIndex && !$0.isUnique && $0.deletionMark == nil
    }
    .compactMap(\.columns)
    return found
  }

  private func found(
    _ property: SchemaProperty, in columns: [LiveStore.Column], of table: String
  ) throws -> SchemaProperty? {
    guard let column = column(property.name, of: columns) else { return nil }
    try check(property, in: columns, of: table, TableDefinition(schema: new).type(of: property))
    var found = property
    found.name = column.name
    // The primary key is never null, whatever is declared.
    found.isOptional = !column.isRequired && !column.isKey
    return found
  }

  /// Whether the column of a to-one relationship lacks the foreign key of the schema. A different one may be checked before all
  /// rows of a payload are written, or may have no delete rule.
  private func lacksForeignKey(
    _ property: SchemaProperty, of model: SchemaModel, _ found: SchemaProperty, _ column: TableText.Column?
  ) -> Bool {
    guard let target = property.target, new.model(target) != nil,
      !lookups.contains(.init(model: model.name, property: property.name))
    else { return false }
    var property = property
    property.isOptional = found.isOptional
    let wanted = TableDefinition(schema: new).foreignKey(property, of: model)
    return column?.foreignKey?.sqlWords != wanted?.sqlWords
  }

  /// Whether a column is part of the primary key, or has a unique index of its own.
  private func isUnique(_ name: String, in columns: [LiveStore.Column], of table: String) throws -> Bool {
    try columns.contains { $0.name == name && $0.isKey }
      || live.indexes(of: table).contains { $0.isUnique && $0.columns == [name] && $0.deletionMark == nil }
  }

  private func column(_ name: String, of columns: [LiveStore.Column]) -> LiveStore.Column? {
    columns.first { $0.name.lowercasedASCII == name.lowercasedASCII }
  }

  /// The schema without links whose join tables are missing. Earlier versions gave the join table of `Task.tags` a name that a
  /// model may have, too.
  private func withLinks(_ schema: SyncSchemaSnapshot) -> SyncSchemaSnapshot {
    var models = schema.models
    for model in models.indices {
      models[model].properties = models[model].properties.compactMap { property in
        guard case .links(let target, let table, let isSource) = property.kind else { return property }
        let former = table.replacing(".", with: "_")
        let isModel = (schema.models + new.models).contains {
          $0.name.lowercasedASCII == former.lowercasedASCII
        }
        let name = [table] + (isModel ? [] : [former])
        guard let found = name.lazy.compactMap(live.table).first else { return nil }
        var property = property
        property.kind = .links(to: target, table: found.name, isSource: isSource)
        return property
      }
    }
    return SyncSchemaSnapshot(models: models)
  }
}
