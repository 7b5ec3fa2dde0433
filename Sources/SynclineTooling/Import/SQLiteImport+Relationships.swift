import Syncline
import SynclineNaming

extension SQLiteImport {
  mutating func addLists(to table: SQLiteTable) {
    guard let index = models[table.name.lowercased()] else { return }
    let columns = Dictionary(
      table.columns.map { (SQLiteImport.key(of: $0.name), $0.name) }, uniquingKeysWith: { first, _ in first })
    for (place, property) in draft.declarations[index].properties.enumerated() {
      guard let target = property.type.declaration, let column = property.key.flatMap({ columns[$0] }),
        table.identity != [column]
      else { continue }
      let others = draft.declarations[index].properties.count { $0.type.declaration == target }
      guard others == 1, target != index else {
        draft.declarations[index].properties[place].inverse = .nothing
        continue
      }
      let isOne = table.isUnique(column)
      let name = isOne ? DraftName.property(draft.declarations[index].name) : plural(of: table.name)
      var list = SchemaDraft.Property(
        name: name, type: isOne ? .declared(index) : .list(.declared(index)), isOptional: isOne)
      list.name = reserveName(of: list, in: target)
      list.inverse = .property(declaration: index, name: property.name)
      switch table.reference(from: column)?.deleteAction {
      case "CASCADE" where property.isOptional: list.deleteRule = "cascade"
      case "RESTRICT": list.deleteRule = "deny"
      default: break
      }
      draft.declarations[target].properties.append(list)
    }
  }

  /// A name for a relationship that the caller adds to a model. No other property has this name or reads one of its keys.
  private mutating func reserveName(of relationship: SchemaDraft.Property, in owner: Int) -> String {
    let properties = draft.declarations[owner].properties
    // The keys of a model are collected once, since many tables may refer to it.
    var keys =
      keysRead.removeValue(forKey: owner)
      ?? Set(properties.flatMap { [$0.key].compactMap(\.self) + ($0.isKeyExplicit ? [] : candidates($0)) })
    var named = relationship
    named.name = DraftName.free(relationship.name) { name in
      named.name = name
      return properties.contains { $0.name == name } || !keys.isDisjoint(with: candidates(named))
    }
    keys.formUnion(candidates(named))
    keysRead[owner] = keys
    return named.name
  }

  /// The name of a list of a table's rows: `orders` for `orders` and for `Order`.
  private func plural(of table: String) -> String {
    let name = Names.snake(DraftName.property(table))
    let isSingular = Names.singulars(of: name).first == name
    return DraftName.property(isSingular ? Names.plural(of: name) : name)
  }

  private static func comment(onRowsOf table: SQLiteTable) -> String {
    "In the file these are the rows of \(table.name)."
  }

  /// The model at the first end of a join table, and its list of rows at the other end.
  func link(of table: SQLiteTable) -> (model: Int, list: SchemaDraft.Property)? {
    guard let column = linkColumns(of: table)?.first,
      let end = table.reference(from: column).flatMap({ target(of: $0) })
    else { return nil }
    let comment = SQLiteImport.comment(onRowsOf: table)
    return draft.declarations[end].properties.first { $0.comments.contains(comment) }.map { (end, $0) }
  }

  /// Adds both ends of the relationship that a join table stores.
  mutating func addLinks(of table: SQLiteTable) {
    guard let columns = linkColumns(of: table) else { return }
    let ends = [columns.first, columns.second].compactMap { column in
      table.reference(from: column).flatMap { target(of: $0) }
    }
    guard ends.count == 2 else { return }
    let first = reserveName(ofRows: ends[1], in: ends[0])
    let second = ends[0] == ends[1] ? nil : reserveName(ofRows: ends[0], in: ends[1])
    draft.declarations[ends[0]].properties.append(
      SchemaDraft.Property(
        name: first, type: .list(.declared(ends[1])), comments: [SQLiteImport.comment(onRowsOf: table)],
        inverse: .nothing))
    guard let second else { return }
    draft.declarations[ends[1]].properties.append(
      SchemaDraft.Property(name: second, type: .list(.declared(ends[0]))))
    let places = ends.map { draft.declarations[$0].properties.count - 1 }
    draft.pair(places[0], of: ends[0], with: places[1], of: ends[1])
  }

  /// A name for the list of rows at the other end of a join table.
  private mutating func reserveName(ofRows end: Int, in owner: Int) -> String {
    let plural = Names.plural(of: Names.snake(draft.declarations[end].name))
    let list = SchemaDraft.Property(name: DraftName.property(plural), type: .list(.declared(end)))
    return reserveName(of: list, in: owner)
  }

  mutating func addIndexes(of table: SQLiteTable, to index: Int) {
    for name in table.expressionIndexes {
      draft.declarations[index].comments.append("Left out: the index \(name), which has an expression.")
    }
    let placesByKey = Dictionary(
      draft.declarations[index].properties.enumerated().compactMap { place, property in
        property.key.map { ($0.lowercased(), place) }
      }, uniquingKeysWith: { first, _ in first })
    for entry in table.indexes where entry.columns != table.identity {
      let places = entry.columns.compactMap { placesByKey[SQLiteImport.key(of: $0).lowercased()] }
      guard places.count == entry.columns.count, !places.isEmpty else { continue }
      let properties = places.map { draft.declarations[index].properties[$0] }
      // Foreign keys and identities always have an index.
      if properties.count == 1, draft.isRelationship(properties[0]) || properties[0].isIdentity { continue }
      if entry.isUnique, properties.count == 1, !table.partialIndexes.contains(entry.name),
        properties[0].type != .scalar("JSON"), properties[0].type != .scalar("Data")
      {
        draft.declarations[index].properties[places[0]].attributes = ["@Unique"]
        continue
      }
      if entry.isUnique {
        let names = properties.map(\.name).joined(separator: ", ")
        draft.declarations[index].comments.append(
          "In the file no two rows have the same \(names), but the index here does not enforce that.")
      }
      draft.addIndex(of: properties.map(\.name), to: index)
    }
  }
}
