import Foundation
import GRDB
import SynclineSchema

/// Finds obstacles to an evolution without writing anything: values that do not fit, rows without a required value, and objects
/// of users that depend on something that would be dropped.
struct EvolutionCheck {
  let plan: EvolutionPlan
  let live: LiveStore
  let database: Database

  /// Why the store cannot be evolved; empty if it can.
  func obstacles() throws -> [String] {
    for conversion in plan.conversions { conversion.add(to: database) }
    var found = plan.match.conflicts
    for model in plan.new.models {
      guard let former = plan.former(of: model.name) else {
        if live.table(model.name)?.isVirtual == true {
          found.append("the virtual table “\(model.name)” has the name of a model")
        }
        continue
      }
      var problems = [try identity(of: model, former)]
      for property in model.properties {
        problems.append(try lost(property, of: model))
        if property.isStored { problems.append(try obstacle(property, of: model, former)) }
        if property.isUnique { problems.append(try repeatedValue(property, of: model, former)) }
      }
      found += problems.compactMap(\.self) + (try leftover(of: former))
    }
    for relation in plan.new.relations { found += try obstacles(relation) }
    return found + (try dependents())
  }

  // MARK: Columns

  private func obstacle(
    _ property: SchemaProperty, of model: SchemaModel, _ former: SchemaModel
  ) throws -> String? {
    let name = "\(model.name).\(property.name)"
    guard let column = plan.keptColumn(property, of: model) else {
      let isFilled = property.isOptional || plan.defaultValue(of: property, in: model) != nil
      return isFilled ? nil : try missing(property, of: model, former, name)
    }
    let quoted = column.former.name.quotedIdentifier
    if let conversion = plan.conversion(of: column) {
      let misfits = try values(
        of: former, "\(quoted) IS NOT NULL AND \(conversion.sql(quoted)) IS NULL", showing: quoted)
      if let misfits, let edits = EditTable.model(of: model.name) {
        let edited = plan.new.model(edits)
        let version = EditTable.property(of: property.name, in: model.name)?.property
        // The key has the identities of all versions.
        if let version, version == edited?.identity { return nil }
        let key = property.name == EditTable.Column.parent ? edited?.parentScope : edited?.identity
        return
          "\(edits).\(version ?? key ?? property.name): \(misfits.counted("value", "values")) of edits cannot be converted to \(conversion.to.name), the first is \(misfits.value). Push or discard the edits, or keep the type"
      }
      if let misfits {
        return
          "\(name): \(misfits.counted("value", "values")) cannot be converted to \(conversion.to.name), the first is \(misfits.value) (\(misfits.row)). Keep the type, or change them in `beforeEvolution`"
      }
    }
    if let lost = try dangling(column, name) { return lost }
    guard !property.isOptional, column.former.isOptional,
      plan.defaultValue(of: property, in: model) == nil,
      let missing = try values(of: former, "\(quoted) IS NULL", showing: "NULL")
    else { return nil }
    return
      "\(name) is required, but \(missing.counted("row has", "rows have")) no value, the first is \(missing.row). Keep it optional, give it a default, or fill them in `beforeEvolution`"
  }

  /// Values of a new relationship that are not unique, or that refer to no row if it is required. Optional links become pending.
  private func dangling(_ column: EvolutionPlan.KeptColumn, _ name: String) throws -> String? {
    guard case .toOne(let target, let isUnique) = column.property.kind, case .value = column.former.kind
    else {
      return nil
    }
    let quoted = column.former.name.quotedIdentifier
    let value = plan.conversion(of: column).map { $0.sql(quoted) } ?? quoted
    if isUnique, let twice = try duplicates(of: column.formerModel, [value], showing: quoted) {
      return
        "\(name) refers to \(target) one to one, but \(twice.counted("value occurs", "values occur")) in several rows, the first is \(twice.value). Change them in `beforeEvolution`"
    }
    guard !column.property.isOptional else { return nil }
    var known = "SELECT NULL WHERE 0"
    if let former = plan.former(of: target), live.table(former.name) != nil {
      let identity = former.identity.quotedIdentifier
      known =
        "SELECT \(plan.identityConversion(of: target)?.sql(identity) ?? identity) FROM \(former.name.quotedIdentifier)"
    }
    guard
      let none = try values(
        of: column.formerModel, "\(quoted) IS NOT NULL AND \(value) NOT IN (\(known))", showing: quoted)
    else { return nil }
    return
      "\(name) refers to \(target), but \(none.counted("value matches", "values match")) no row, the first is \(none.value) (\(none.row)). Make the property optional, or correct the values in `beforeEvolution`"
  }

  /// A property that keeps its name but loses its values: a column that refers to another model than before, links without a
  /// successor, or values that become rows or other keys than identities.
  private func lost(_ property: SchemaProperty, of model: SchemaModel) throws -> String? {
    // The edits of a dropped property are dropped with it.
    guard EditTable.model(of: model.name) == nil, plan.keptColumn(property, of: model) == nil,
      let end = plan.match.former(property.name, of: model.name),
      let formerModel = plan.old.model(end.model), let former = formerModel.property(end.property),
      let held = try held(by: former, of: formerModel, as: property)
    else { return nil }
    if let target = former.target, live.table(target) == nil {
      return
        "the table “\(target)” is missing, but \(held.counted("row refers", "rows refer")) to it by \(model.name).\(property.name), the first is \(held.row). Restore it, or clear them in `beforeEvolution`"
    }
    let now = property.target.map { "refers to \($0)" } ?? "is \(property.type)"
    let verb = former.target == nil ? ("has a value", "have a value") : ("refers to ", "refer to ")
    return
      "\(model.name).\(property.name) \(now), and \(held.counted("row", "rows")) \(held.count == 1 ? verb.0 : verb.1)\(former.target ?? ""), the first is \(held.row). Give it another name, or clear them in `beforeEvolution`"
  }

  /// The rows that hold a value of an earlier property, if today's property does not keep it.
  private func held(
    by former: SchemaProperty, of model: SchemaModel, as property: SchemaProperty
  ) throws -> Found? {
    let column = former.name.quotedIdentifier
    switch former.kind {
    case .value(let type):
      let isEmpty = type.isList ? " AND \(column) <> '[]'" : ""
      return try values(of: model, "\(column) IS NOT NULL\(isEmpty)", showing: column)
    case .toOne:
      let isKept = property.target == nil ? property.isStored : plan.match.hasSameTarget(former, property)
      return isKept ? nil : try values(of: model, "\(column) IS NOT NULL", showing: column)
    case .links(_, let table, let isSource):
      guard live.table(table) != nil, !plan.continues(.init(model: model.name, property: former.name)) else {
        return nil
      }
      let owner = isSource ? "source" : "target"
      return try found(
        "SELECT COUNT(DISTINCT \"\(owner)\"), NULL, MIN(\"\(owner)\") FROM \(table.quotedIdentifier)",
        model: model.name)
    // The column at the other end holds the link.
    case .inverse: return nil
    }
  }

  /// A new required column that nothing fills.
  private func missing(
    _ property: SchemaProperty, of model: SchemaModel, _ former: SchemaModel, _ name: String
  ) throws -> String? {
    let relation = plan.new.relations.first { $0.near == .init(model: model.name, property: property.name) }
    if let relation, let pairs = plan.formerPairs(of: relation) {
      let identity = former.identity.quotedIdentifier
      guard
        let missing = try values(
          of: former, "\(identity) NOT IN (SELECT \"near\" FROM (\(pairs)))", showing: "NULL")
      else { return nil }
      return
        "\(name) is required, but \(missing.counted("row has", "rows have")) no related row, the first is \(missing.row). Make the relationship optional, or set it in `beforeEvolution`"
    }
    guard let all = try values(of: former, "1", showing: "NULL") else { return nil }
    return
      "\(name) is new, required and without a default, but there \(all.count == 1 ? "is" : "are") \(all.counted("row", "rows")) of \(model.name). Make it optional, give it a default, or add the column \(property.name.quotedIdentifier) and fill it in `beforeEvolution`"
  }

  // MARK: Identities

  private func identity(of model: SchemaModel, _ former: SchemaModel) throws -> String? {
    guard plan.match.keepsIdentity(model, former) else {
      guard let all = try values(of: former, "1", showing: "NULL") else { return nil }
      return
        "\(model.name) is identified by “\(model.identityText)”, but \(all.counted("stored row is", "stored rows are")) identified by “\(former.identityText)”. Keep the identity, or begin a new store"
    }
    let identity = former.identity.quotedIdentifier
    let value = plan.identityConversion(of: model.name)?.sql(identity) ?? identity
    var key = [value]
    if let scope = model.parentScope {
      guard let column = plan.match.properties[model.name]?[scope], former.property(column)?.isStored == true
      else {
        return nil
      }
      key.insert(column.quotedIdentifier, at: 0)
    }
    let isSame =
      plan.identityConversion(of: model.name) == nil
      && (former.parentScope == nil || !plan.changesScope(model, former))
      // The identity of an adopted table may not be its key.
      && former.property(former.identity)?.isOptional != true
    guard !isSame, let twice = try duplicates(of: former, key, showing: identity) else { return nil }
    return
      "\(model.name): \(twice.counted("identity", "identities")) would be the same for several rows, the first is \(twice.value). Make them unique in `beforeEvolution`"
  }

  // MARK: Relations

  private func obstacles(_ relation: SchemaRelation) throws -> [String] {
    let sources = plan.sources(of: relation)
    if sources.count > 1 {
      return [
        "\(relation.near.name) and \(relation.far?.name ?? relation.farModel) are one relationship, but were two: \(sources.map { $0.near.name }.joined(separator: " and ")). Give one of them a new name"
      ]
    }
    guard case .column(let isUnique) = relation.storage, plan.source(of: relation) != nil,
      let pairs = plan.formerPairs(of: relation)
    else { return [] }
    var found: [String] = []
    if plan.moves(relation), let several = try repeated("near", in: pairs) {
      found.append(
        "\(relation.near.name) refers to one \(relation.farModel), but \(several.counted("row has", "rows have")) several, the first is \(relation.near.model) \(several.value). Keep the list, or remove some in `beforeEvolution`"
      )
    }
    if isUnique, let several = try repeated("far", in: pairs) {
      found.append(
        "\(relation.near.name) refers to \(relation.farModel) one to one, but \(several.counted("row has", "rows have")) several, the first is \(relation.farModel) \(several.value). Keep the list, or remove some in `beforeEvolution`"
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

  // MARK: Queries

  /// The number of rows that a query found, and the first of them.
  private struct Found {
    let count: Int
    let value: String
    let row: String

    func counted(_ one: String, _ many: String) -> String { "\(count) \(count == 1 ? one : many)" }
  }

  private func values(of model: SchemaModel, _ condition: String, showing value: String) throws -> Found? {
    guard live.table(model.name) != nil else { return nil }
    let identity = model.identity.quotedIdentifier
    return try found(
      """
      SELECT COUNT(*), \(value), MIN(\(identity)) FROM \(model.name.quotedIdentifier) WHERE \(condition)
      """, model: model.name)
  }

  private func duplicates(of model: SchemaModel, _ key: [String], showing value: String) throws -> Found? {
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

extension DatabaseValue {
  /// The value as messages show it.
  var shown: String {
    switch storage {
    case .null: "NULL"
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let text): "“\(text.prefix(40))\(text.count > 40 ? "…" : "")”"
    case .blob(let data): UUID.fromDatabaseValue(self).map(\.uuidString) ?? "\(data.count) bytes"
    }
  }
}
