import Foundation
import GRDB
import SynclineSchema

/// Looks for what cannot become part of another schema, without writing anything: values that do not fit, rows without a
/// value that is required, and what users have made of things that would be gone.
struct EvolutionCheck {
  let plan: EvolutionPlan
  let live: LiveStore
  let database: Database
  /// The defaults of the new properties, by model and property.
  let defaults: [SchemaRelation.End: String]

  /// Why the store cannot be evolved; empty where it can.
  func obstacles() throws -> [String] {
    for conversion in plan.conversions { conversion.add(to: database) }
    var found = plan.match.conflicts
    for model in plan.new.models {
      guard let former = plan.match.models[model.name].flatMap(plan.old.model) else { continue }
      found += try identity(of: model, former)
      for property in model.properties where property.isStored {
        found += try obstacles(property, of: model, former)
      }
      found += try leftover(of: model, former)
    }
    for relation in plan.new.relations { found += try obstacles(relation) }
    return found + (try dependents())
  }

  // MARK: Columns

  private func obstacles(
    _ property: SyncSchemaSnapshot.Property, of model: SyncSchemaSnapshot.Model,
    _ former: SyncSchemaSnapshot.Model
  ) throws -> [String] {
    let name = "\(model.name).\(property.name)"
    guard let column = plan.keptColumn(property, of: model) else {
      let lost = try otherTarget(property, of: model, name)
      if !lost.isEmpty || property.isOptional
        || defaults[.init(model: model.name, property: property.name)] != nil
      {
        return lost
      }
      return try missing(property, of: model, former, name)
    }
    let quoted = column.former.name.quotedIdentifier
    if let conversion = plan.conversion(of: column) {
      let misfits = try values(
        of: former, "\(quoted) IS NOT NULL AND \(conversion.sql(quoted)) IS NULL", showing: quoted)
      if let misfits {
        return [
          "\(name): \(misfits.counted("value", "values")) \(misfits.count == 1 ? "is" : "are") no \(conversion.to.name), the first is \(misfits.value) (\(misfits.row)). Keep the type, or change them in `beforeEvolution`"
        ]
      }
    }
    if let lost = try dangling(column, name) { return [lost] }
    guard !property.isOptional, column.former.isOptional,
      defaults[.init(model: model.name, property: property.name)] == nil,
      let missing = try values(of: former, "\(quoted) IS NULL", showing: "NULL")
    else { return [] }
    return [
      "\(name) is required, and \(missing.counted("row", "rows")) \(missing.count == 1 ? "has" : "have") no value, the first is \(missing.row). Keep it optional, give it a default, or fill them in `beforeEvolution`"
    ]
  }

  /// A value that becomes a required relationship, and names no row. An optional one waits for its row.
  private func dangling(_ column: EvolutionPlan.KeptColumn, _ name: String) throws -> String? {
    guard case .toOne(let target, let isUnique) = column.property.kind, case .value = column.former.kind
    else {
      return nil
    }
    let quoted = column.former.name.quotedIdentifier
    let value = plan.conversion(of: column).map { $0.sql(quoted) } ?? quoted
    if isUnique, let twice = try duplicates(of: column.formerModel, [value], showing: quoted) {
      return
        "\(name) leads to \(target) one to one, and \(twice.counted("value is", "values are")) in several rows, the first is \(twice.value). Change them in `beforeEvolution`"
    }
    guard !column.property.isOptional else { return nil }
    var known = "SELECT NULL WHERE 0"
    if let former = plan.match.models[target].flatMap(plan.old.model), live.table(former.name) != nil {
      let identity = former.identity.quotedIdentifier
      known =
        "SELECT \(plan.identityConversion(of: target)?.sql(identity) ?? identity) FROM \(former.name.quotedIdentifier)"
    }
    guard
      let none = try values(
        of: column.formerModel, "\(quoted) IS NOT NULL AND \(value) NOT IN (\(known))", showing: quoted)
    else { return nil }
    return
      "\(name) leads to \(target), and \(none.counted("value names", "values name")) none, the first is \(none.value) (\(none.row)). Make it optional, or change them in `beforeEvolution`"
  }

  /// A column that leads to another model than it did: what it holds are identities of others.
  private func otherTarget(
    _ property: SyncSchemaSnapshot.Property, of model: SyncSchemaSnapshot.Model, _ name: String
  ) throws -> [String] {
    guard let end = plan.match.former(property.name, of: model.name),
      let former = plan.old.model(end.model)?.property(end.property), former.isStored,
      !plan.leadsAlike(former, property), let formerModel = plan.old.model(end.model),
      let held = try values(
        of: formerModel, "\(former.name.quotedIdentifier) IS NOT NULL", showing: former.name.quotedIdentifier)
    else { return [] }
    return [
      "\(name) leads to \(property.target ?? ""), and \(held.counted("row", "rows")) \(held.count == 1 ? "leads" : "lead") to \(former.target ?? ""), the first is \(held.row). Give it another name, or clear them in `beforeEvolution`"
    ]
  }

  /// A required column that is new, and that nothing fills.
  private func missing(
    _ property: SyncSchemaSnapshot.Property, of model: SyncSchemaSnapshot.Model,
    _ former: SyncSchemaSnapshot.Model,
    _ name: String
  ) throws -> [String] {
    let relation = plan.new.relations.first { $0.near == .init(model: model.name, property: property.name) }
    if let relation, let pairs = plan.formerPairs(of: relation) {
      let identity = former.identity.quotedIdentifier
      guard
        let missing = try values(
          of: former, "\(identity) NOT IN (SELECT \"near\" FROM (\(pairs)))", showing: "NULL")
      else { return [] }
      return [
        "\(name) is required, and \(missing.counted("row", "rows")) \(missing.count == 1 ? "leads" : "lead") to none, the first is \(missing.row). Make it optional, or fill them in `beforeEvolution`"
      ]
    }
    guard let all = try values(of: former, "1", showing: "NULL") else { return [] }
    return [
      "\(name) is new, required and without a default, and there \(all.count == 1 ? "is" : "are") \(all.counted("row", "rows")) of \(model.name). Make it optional, give it a default, or add the column \(property.name.quotedIdentifier) and fill it in `beforeEvolution`"
    ]
  }

  // MARK: Identities

  private func identity(
    of model: SyncSchemaSnapshot.Model, _ former: SyncSchemaSnapshot.Model
  ) throws -> [String] {
    let formerIdentity = plan.match.properties[model.name]?[model.identity]
    guard formerIdentity == former.identity else {
      guard let all = try values(of: former, "1", showing: "NULL") else { return [] }
      return [
        "\(model.name) is identified by “\(model.identity)”, and \(all.counted("stored row", "stored rows")) by “\(former.identity)”. Keep the identity, or begin a new store"
      ]
    }
    let identity = former.identity.quotedIdentifier
    let value = plan.identityConversion(of: model.name)?.sql(identity) ?? identity
    var key = [value]
    if let scope = model.parentScope {
      guard let column = plan.match.properties[model.name]?[scope], former.property(column)?.isStored == true
      else {
        return []
      }
      key.insert(column.quotedIdentifier, at: 0)
    }
    let isSame =
      plan.identityConversion(of: model.name) == nil
      && (model.parentScope != nil || former.parentScope == nil)
    guard !isSame, let twice = try duplicates(of: former, key, showing: identity) else { return [] }
    return [
      "\(model.name): \(twice.counted("identity", "identities")) would be the same for several rows, the first is \(twice.value). Make them unique in `beforeEvolution`"
    ]
  }

  // MARK: Relations

  private func obstacles(_ relation: SchemaRelation) throws -> [String] {
    let sources = plan.sources(of: relation)
    if sources.count > 1 {
      return [
        "\(relation.near.name) and \(relation.far?.name ?? relation.farModel) were two relationships, \(sources.map { $0.near.name }.joined(separator: " and ")), and are one. Give one of them a new name"
      ]
    }
    guard case .column(let isUnique) = relation.storage, plan.source(of: relation) != nil,
      let pairs = plan.formerPairs(of: relation)
    else { return [] }
    var found: [String] = []
    if plan.moves(relation), let several = try repeated("near", in: pairs) {
      found.append(
        "\(relation.near.name) leads to one \(relation.farModel), and \(several.counted("row", "rows")) \(several.count == 1 ? "has" : "have") several, the first is \(relation.near.model) \(several.value). Keep the list, or remove some in `beforeEvolution`"
      )
    }
    if isUnique, let several = try repeated("far", in: pairs) {
      found.append(
        "\(relation.near.name) leads to \(relation.farModel) one to one, and \(several.counted("row", "rows")) \(several.count == 1 ? "has" : "have") several, the first is \(relation.farModel) \(several.value). Keep the list, or remove some in `beforeEvolution`"
      )
    }
    return found
  }

  private func repeated(_ column: String, in pairs: String) throws -> Found? {
    try found(
      """
      SELECT COUNT(*), MIN("value"), NULL FROM (
        SELECT "\(column)" AS "value" FROM (\(pairs)) GROUP BY 1 HAVING COUNT(*) > 1)
      """, model: "")
  }

  // MARK: What users have made

  /// Columns that are not the schema's, and that no sync could fill.
  private func leftover(
    of model: SyncSchemaSnapshot.Model, _ former: SyncSchemaSnapshot.Model
  ) throws -> [String] {
    let known = Set(former.properties.filter(\.isStored).map(\.name.lowercasedASCII))
    return try live.columns(of: former.name).filter {
      $0.isRequired && !$0.hasDefault && !$0.isKey && !known.contains($0.name.lowercasedASCII)
    }.map {
      "the column “\(former.name).\($0.name)” is not the schema's, is required and has no default: no row could be inserted. Drop it in `beforeEvolution`"
    }
  }

  /// Indexes, triggers and foreign keys of users that hang on what is dropped. Views and triggers of other tables are looked at
  /// when all is done.
  private func dependents() throws -> [String] {
    let ours = Set(plan.formerTables.map(\.lowercasedASCII))
    let today = Set(plan.match.models.values)
    let dropped = plan.old.models.map(\.name).filter { !today.contains($0) }
    var found: [String] = []
    let formerIndexes = Set(plan.formerDefinition.indexes)
    for table in dropped {
      found += live.items(of: table, "trigger").map {
        "\(table) is dropped, and the trigger “\($0.name)” hangs on it"
      }
      found += try live.indexes(of: table).filter { $0.isOwn && !isOurs($0, formerIndexes) }.map {
        "\(table) is dropped, and the index “\($0.name)” hangs on it"
      }
    }
    for (table, target, column) in try live.foreignKeys(besides: ours) {
      let isDropped = dropped.contains { $0.lowercasedASCII == target.lowercasedASCII }
      if isDropped {
        found.append("\(target) is dropped, and a foreign key of the table “\(table)” leads to it")
      }
      if let column, droppedColumns(of: target).contains(column.lowercasedASCII) {
        found.append("\(target).\(column) is dropped, and a foreign key of the table “\(table)” leads to it")
      }
    }
    for model in plan.old.models where today.contains(model.name) {
      let columns = droppedColumns(of: model.name)
      guard !columns.isEmpty else { continue }
      for index in try live.indexes(of: model.name) where index.isOwn && !isOurs(index, formerIndexes) {
        guard let column = index.named.first(where: { columns.contains($0.lowercasedASCII) }) else {
          continue
        }
        found.append("\(model.name).\(column) is dropped, and the index “\(index.name)” hangs on it")
      }
      // SQLite does not mind a trigger on updates of a column that is not there.
      for trigger in live.items(of: model.name, "trigger") {
        guard let column = trigger.updatedColumns.first(where: { columns.contains($0) }) else { continue }
        found.append("\(model.name).\(column) is dropped, and the trigger “\(trigger.name)” hangs on it")
      }
    }
    found += try readers()
    return found.map { "\($0). Drop that in `beforeEvolution`, or keep the other" }
  }

  /// Virtual tables that read a table by its name, and the names of its columns: they would fail when they are asked.
  private func readers() throws -> [String] {
    try live.items.filter(\.isVirtual).flatMap { item -> [String] in
      guard let content = item.content,
        let former = plan.old.models.first(where: { $0.name.lowercasedASCII == content })
      else { return [] }
      guard let today = plan.match.modelsToday[former.name].flatMap(plan.new.model) else {
        return ["\(former.name) is dropped, and the virtual table “\(item.name)” reads it"]
      }
      guard today.name == former.name else {
        return ["\(former.name) is renamed, and the virtual table “\(item.name)” reads it"]
      }
      let read = Set(try live.columns(of: item.name).map(\.name.lowercasedASCII))
      let dropped = droppedColumns(of: former.name)
      let renamed = Set(
        today.properties.compactMap { plan.keptColumn($0, of: today) }
          .filter { $0.former.name != $0.property.name }.map(\.former.name))
      return former.properties.filter { $0.isStored && read.contains($0.name.lowercasedASCII) }.compactMap {
        property in
        let isDropped = dropped.contains(property.name.lowercasedASCII)
        guard isDropped || renamed.contains(property.name) else { return nil }
        return
          "\(former.name).\(property.name) is \(isDropped ? "dropped" : "renamed"), and the virtual table “\(item.name)” reads it"
      }
    }
  }

  private func isOurs(_ index: LiveStore.Index, _ indexes: Set<StoreIndex>) -> Bool {
    guard let columns = index.columns, index.name.isNameOfIndex else { return false }
    return indexes.contains(StoreIndex(table: index.table, columns: columns, isUnique: index.isUnique))
  }

  private func droppedColumns(of table: String) -> Set<String> {
    guard let former = plan.old.models.first(where: { $0.name.lowercasedASCII == table.lowercasedASCII }),
      let model = plan.match.modelsToday[former.name].flatMap(plan.new.model)
    else { return [] }
    let kept = Set(model.properties.compactMap { plan.keptColumn($0, of: model)?.former.name })
    return Set(
      former.properties.filter { $0.isStored && !kept.contains($0.name) }.map(\.name.lowercasedASCII))
  }

  // MARK: Questions

  /// How many rows a question found, and the first of them.
  private struct Found {
    let count: Int
    let value: String
    let row: String

    func counted(_ one: String, _ many: String) -> String { "\(count) \(count == 1 ? one : many)" }
  }

  private func values(
    of model: SyncSchemaSnapshot.Model, _ condition: String, showing value: String
  ) throws -> Found? {
    guard live.table(model.name) != nil else { return nil }
    let identity = model.identity.quotedIdentifier
    return try found(
      """
      SELECT COUNT(*), \(value), MIN(\(identity)) FROM \(model.name.quotedIdentifier) WHERE \(condition)
      """, model: model.name)
  }

  private func duplicates(
    of model: SyncSchemaSnapshot.Model, _ key: [String], showing value: String
  ) throws -> Found? {
    guard live.table(model.name) != nil else { return nil }
    return try found(
      """
      SELECT COUNT(*), MIN("value"), NULL FROM (
        SELECT MIN(\(value)) AS "value" FROM \(model.name.quotedIdentifier)
        WHERE \(key.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))
        GROUP BY \(key.joined(separator: ", ")) HAVING COUNT(*) > 1)
      """, model: model.name)
  }

  private func found(_ sql: String, model: String) throws -> Found? {
    guard let row = try Row.fetchOne(database, sql: sql), let count = Int.fromDatabaseValue(row[0]), count > 0
    else { return nil }
    let (value, identity): (DatabaseValue, DatabaseValue) = (row[1], row[2])
    return Found(count: count, value: value.shown, row: "\(model) \(identity.shown)")
  }
}

extension LiveStore.Item {
  /// The columns whose updates a trigger waits for, in small letters.
  fileprivate var updatedColumns: [String] {
    let pieces = SQLToken.pieces(of: sql)
    guard let start = pieces.firstIndex(where: { $0.token == .word("OF") }),
      let end = pieces[start...].firstIndex(where: { $0.token == .word("ON") })
    else { return [] }
    return pieces[(start + 1)..<end].filter { $0.token != .other(",") }
      .map { ($0.token.name ?? String($0.text)).lowercasedASCII }
  }

  /// The table that a full-text index reads, in small letters.
  fileprivate var content: String? {
    let pieces = SQLToken.pieces(of: sql)
    for index in pieces.indices.dropLast(2)
    where pieces[index].token == .word("CONTENT") && pieces[index + 1].token == .other("=") {
      let text = pieces[index + 2]
      let name = text.token.name ?? String(text.text).trimmingCharacters(in: ["'"])
      return name.lowercasedASCII
    }
    return nil
  }
}

extension DatabaseValue {
  /// The value for people.
  fileprivate var shown: String {
    switch storage {
    case .null: "NULL"
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let text): "“\(text.prefix(40))\(text.count > 40 ? "…" : "")”"
    case .blob(let data): UUID.fromDatabaseValue(self).map(\.uuidString) ?? "\(data.count) bytes"
    }
  }
}
