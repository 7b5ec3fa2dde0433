import Foundation
import GRDB
import SynclineSchema

/// Checks of the users' own objects that depend on dropped tables and columns.
extension EvolutionCheck {
  /// Columns that are not in the schema, and that no sync could fill.
  func leftover(of former: SchemaModel) throws -> [String] {
    let known = Set(former.properties.filter(\.isStored).map(\.name.lowercasedASCII))
    let columns = try live.columns(of: former.name)
    let hasOneKey = columns.count(where: \.isKey) == 1
    return columns.filter { column in
      // SQLite itself fills an INTEGER PRIMARY KEY.
      let isNumber = hasOneKey && column.isKey && column.type.uppercased() == "INTEGER"
      return column.isRequired && !column.hasDefault && !isNumber
        && !known.contains(column.name.lowercasedASCII)
    }.map {
      "the column “\(former.name).\($0.name)” is not in the schema, and is NOT NULL without a default: no row could be inserted. Drop it in `beforeEvolution`"
    }
  }

  /// Indexes, triggers and foreign keys of users that depend on a dropped table or column. Views and triggers of other tables are
  /// checked after the evolution.
  func dependents() throws -> [String] {
    let ours = Set(plan.old.tables.map(\.lowercasedASCII))
    let today = Set(plan.match.models.values)
    let keptLinks = Set(plan.new.relations.compactMap(plan.keepsTable))
    let movedLinks = plan.old.relations.compactMap(\.table).filter { !keptLinks.contains($0) }
    let dropped = plan.old.models.map(\.name).filter { !today.contains($0) } + movedLinks
    var found: [String] = []
    for table in movedLinks {
      found += try live.columns(of: table).filter { !["source", "target"].contains($0.name) }.map {
        "\(table) is dropped, and the column “\($0.name)” is in it"
      }
    }
    let formerIndexes = Set(plan.formerDefinition.indexes)
    for table in dropped {
      found += live.userTriggers(of: table).map {
        "\(table) is dropped, and the trigger “\($0.name)” depends on it"
      }
      found += try userIndexes(of: table, besides: formerIndexes).map {
        "\(table) is dropped, and the index “\($0.name)” depends on it"
      }
    }
    for (table, target, column) in try live.foreignKeys(besides: ours) {
      if dropped.contains(where: { $0.lowercasedASCII == target.lowercasedASCII }) {
        found.append("\(target) is dropped, and a foreign key of the table “\(table)” refers to it")
      }
      if let column, droppedColumns(of: target).contains(column.lowercasedASCII) {
        found.append("\(target).\(column) is dropped, and a foreign key of the table “\(table)” refers to it")
      }
    }
    for model in plan.old.models where today.contains(model.name) {
      let columns = droppedColumns(of: model.name)
      guard !columns.isEmpty else { continue }
      for index in try userIndexes(of: model.name, besides: formerIndexes) {
        guard let column = index.named.first(where: { columns.contains($0.lowercasedASCII) }) else {
          continue
        }
        found.append("\(model.name).\(column) is dropped, and the index “\(index.name)” depends on it")
      }
      // SQLite accepts a trigger on updates of a missing column.
      for trigger in live.userTriggers(of: model.name) {
        guard let column = trigger.updatedColumns.first(where: { columns.contains($0) }) else { continue }
        found.append("\(model.name).\(column) is dropped, and the trigger “\(trigger.name)” depends on it")
      }
    }
    found += try readers()
    return found.map { "\($0). Drop the dependent object in `beforeEvolution`, or keep what it depends on" }
  }

  /// Virtual tables that read a table by the names of the table and its columns: queries would fail.
  private func readers() throws -> [String] {
    try live.items.filter(\.isVirtual).flatMap { item -> [String] in
      guard let content = item.option("CONTENT"),
        let former = plan.old.models.first(where: { $0.name.lowercasedASCII == content })
      else { return [] }
      guard let today = plan.match.modelsToday[former.name].flatMap(plan.new.model) else {
        return ["\(former.name) is dropped, and the virtual table “\(item.name)” reads it"]
      }
      guard today.name == former.name else {
        return ["\(former.name) is renamed, and the virtual table “\(item.name)” reads it"]
      }
      if plan.definition.isNumbered(today), !plan.formerDefinition.isNumbered(former) {
        return ["the rowids of \(former.name) change, and the virtual table “\(item.name)” refers to them"]
      }
      let columns = try live.columns(of: item.name).map(\.name.lowercasedASCII)
      let read = Set(columns + (item.option("CONTENT_ROWID").map { [$0] } ?? []))
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

  /// The indexes of a table that users created.
  private func userIndexes(of table: String, besides indexes: Set<StoreIndex>) throws -> [LiveStore.Index] {
    try live.indexes(of: table).filter { index in
      index.isOwn && !(index.name.isNameOfIndex && index.described.map(indexes.contains) ?? false)
    }
  }

  /// The columns of a table that are dropped, in lowercase.
  private func droppedColumns(of table: String) -> Set<String> {
    let former = plan.old.models.first { $0.name.lowercasedASCII == table.lowercasedASCII }
    return Set(former.map(plan.droppedColumns)?.map(\.lowercasedASCII) ?? [])
  }
}

extension LiveStore.Item {
  /// The columns of a trigger on `UPDATE OF`, in lowercase.
  fileprivate var updatedColumns: [String] {
    let pieces = SQLToken.pieces(of: sql)
    guard let start = pieces.firstIndex(where: { $0.token == .word("OF") }),
      let end = pieces[start...].firstIndex(where: { $0.token == .word("ON") })
    else { return [] }
    return pieces[(start + 1)..<end].filter { $0.token != .other(",") }
      .map(\.unquoted.lowercasedASCII)
  }

  /// The value of a virtual table's option, in lowercase, such as the table that a full-text index reads.
  fileprivate func option(_ name: String) -> String? {
    let pieces = SQLToken.pieces(of: sql)
    for index in pieces.indices.dropLast(2)
    where pieces[index].token == .word(name) && pieces[index + 1].token == .other("=") {
      let value = pieces[index + 2]
      return (value.token.name ?? value.text.trimmingCharacters(in: ["'"])).lowercasedASCII
    }
    return nil
  }
}
