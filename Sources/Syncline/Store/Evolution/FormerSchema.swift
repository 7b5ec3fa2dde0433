import GRDB
import SynclineSchema

/// The current schema of a store: the stored one, compared with its tables. Tables and columns that the new schema needs
/// are taken over if they exist: from a store of an earlier version, which has no stored schema, and from users, who may
/// add and fill a column before the evolution.
struct FormerSchema {
  private let stored: SyncSchemaSnapshot?
  private let new: SyncSchemaSnapshot
  private let live: LiveStore
  private let database: Database

  init(_ stored: SyncSchemaSnapshot?, new: SyncSchemaSnapshot, _ live: LiveStore, _ database: Database) {
    self.stored = stored
    self.new = new
    self.live = live
    self.database = database
  }

  /// - Throws: ``StoreMisfit`` where a table or a column is not as the store remembers it.
  func schema() throws -> SyncSchemaSnapshot {
    // A table that somebody dropped is made again.
    var models = (stored?.models ?? []).filter { live.table($0.name) != nil }
    let known = SyncSchemaSnapshot(models: models)
    let match = SchemaMatch(from: known, to: new)
    for index in models.indices {
      let today = match.modelsToday[models[index].name].flatMap(new.model)
      try check(models[index], today, match)
      if let today { models[index].properties += try added(to: models[index], today, match) }
    }
    for model in new.models where match.models[model.name] == nil {
      if let found = try found(model, besides: known) { models.append(found) }
    }
    return withLinks(SyncSchemaSnapshot(models: models))
  }

  // MARK: What the store remembers

  private func check(
    _ model: SyncSchemaSnapshot.Model, _ today: SyncSchemaSnapshot.Model?, _ match: SchemaMatch
  ) throws {
    try checkRowNumbers(model.name)
    let columns = try live.columns(of: model.name)
    let definition = TableDefinition(schema: stored ?? new)
    let needed = Set((today.flatMap { match.properties[$0.name] } ?? [:]).values)
    for property in model.properties where property.isStored && needed.contains(property.name) {
      try check(property, in: columns, of: model.name, definition.type(of: property))
    }
  }

  private func check(
    _ property: SyncSchemaSnapshot.Property, in columns: [LiveStore.Column], of table: String, _ type: String
  ) throws {
    guard let column = column(property.name, of: columns) else {
      throw StoreMisfit(reason: "the table “\(table)” has no column “\(property.name)”")
    }
    guard column.type.uppercased() == type else {
      throw StoreMisfit(reason: "the column “\(table).\(property.name)” is \(column.type), not \(type)")
    }
  }

  /// Rows are scanned by their numbers, and observed by them.
  private func checkRowNumbers(_ table: String) throws {
    guard live.table(table)?.mayLackRowNumbers == true else { return }
    let number = SyncTable.rowNumberColumn(besides: try live.columns(of: table).map(\.name)) ?? "rowid"
    let sql = "SELECT \(number) FROM \(table.quotedIdentifier)"
    do {
      _ = try database.makeStatement(sql: sql)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      throw StoreMisfit(reason: "the table “\(table)” was made WITHOUT ROWID: its rows have no numbers")
    }
  }

  /// Columns that somebody added under the names of new properties.
  private func added(
    to model: SyncSchemaSnapshot.Model, _ today: SyncSchemaSnapshot.Model, _ match: SchemaMatch
  ) throws -> [SyncSchemaSnapshot.Property] {
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

  // MARK: What it does not remember

  private func found(
    _ model: SyncSchemaSnapshot.Model, besides known: SyncSchemaSnapshot
  ) throws -> SyncSchemaSnapshot.Model? {
    let names = [model.name] + (stored == nil ? model.renamedFrom : [])
    let item = names.lazy.compactMap(live.table).first { item in
      !known.models.contains { $0.name.lowercasedASCII == item.name.lowercasedASCII }
    }
    guard let item, !item.isVirtual else { return nil }
    try checkRowNumbers(item.name)
    let columns = try live.columns(of: item.name)
    var found = model
    found.name = item.name
    found.properties = try model.properties.compactMap { property in
      guard property.isStored else { return property }
      for name in [property.name] + property.renamedFrom {
        var former = property
        former.name = name
        if let found = try self.found(former, in: columns, of: item.name) { return found }
      }
      return nil
    }
    guard found.property(model.identity) != nil else {
      throw StoreMisfit(reason: "the table “\(item.name)” has no column “\(model.identity)”")
    }
    let keys = columns.filter(\.isKey)
    found.parentScope =
      keys.count > 1 ? keys.first { $0.name.lowercasedASCII != model.identity.lowercasedASCII }?.name : nil
    // Which indexes are the schema's is known by their names.
    found.indexes = try live.indexes(of: item.name).filter {
      $0.isOwn && $0.name.isNameOfIndex && !$0.isUnique
    }
    .compactMap(\.columns)
    return found
  }

  private func found(
    _ property: SyncSchemaSnapshot.Property, in columns: [LiveStore.Column], of table: String
  ) throws -> SyncSchemaSnapshot.Property? {
    guard let column = column(property.name, of: columns) else { return nil }
    try check(property, in: columns, of: table, TableDefinition(schema: new).type(of: property))
    var found = property
    found.name = column.name
    // The key of a table is never null, whatever is declared.
    found.isOptional = !column.isRequired && !column.isKey
    return found
  }

  private func column(_ name: String, of columns: [LiveStore.Column]) -> LiveStore.Column? {
    columns.first { $0.name.lowercasedASCII == name.lowercasedASCII }
  }

  /// The schema without links whose tables are not there. Earlier versions called the table of `Task.tags` as a model may be
  /// called, too.
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
