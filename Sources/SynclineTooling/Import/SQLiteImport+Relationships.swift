import Syncline
import SynclineCompiler
import SynclineNaming

extension SQLiteImport {
  /// Adds the inverses of a table's references.
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
      let name = isOne ? lowered(draft.declarations[index].name) : plural(of: table.name)
      var list = SchemaDraft.Property(
        name: name, type: isOne ? .declared(index) : .list(.declared(index)), isOptional: isOne)
      list.name = freeName(of: list, in: target)
      list.inverse = .property(declaration: index, name: property.name)
      switch table.reference(from: column)?.deleteAction {
      case "CASCADE" where property.isOptional: list.deleteRule = "cascade"
      case "RESTRICT": list.deleteRule = "deny"
      default: break
      }
      draft.declarations[target].properties.append(list)
    }
  }

  /// A name of a relationship to other rows of which no key is one of a column.
  private func freeName(of relationship: SchemaDraft.Property, in owner: Int) -> String {
    let properties = draft.declarations[owner].properties
    let keys = Set(
      properties.flatMap { [$0.key].compactMap(\.self) + ($0.isKeyExplicit ? [] : candidates($0)) })
    return DraftName.free(relationship.name) { name in
      var named = relationship
      named.name = name
      return properties.contains { $0.name == name } || !keys.isDisjoint(with: candidates(named))
    }
  }

  private func lowered(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

  /// The name of a list of a table's rows: `orders` for `orders` and for `Order`.
  private func plural(of table: String) -> String {
    let name = Names.snake(DraftName.property(table))
    let isSingular = Names.singulars(of: name).first == name
    return DraftName.property(isSingular ? Names.plural(of: name) : name)
  }

  private static func comment(onRowsOf table: SQLiteTable) -> String {
    "In the file these are the rows of \(table.name)."
  }

  /// The model at the first end of a join table, and its list of the rows at the other end.
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
    func name(of end: Int, in owner: Int) -> String {
      let plural = Names.plural(of: Names.snake(draft.declarations[end].name))
      let list = SchemaDraft.Property(name: DraftName.property(plural), type: .list(.declared(end)))
      return freeName(of: list, in: owner)
    }
    let first = name(of: ends[1], in: ends[0])
    let comment = SQLiteImport.comment(onRowsOf: table)
    guard ends[0] != ends[1] else {
      draft.declarations[ends[0]].properties.append(
        SchemaDraft.Property(
          name: first, type: .list(.declared(ends[1])), comments: [comment], inverse: .nothing))
      return
    }
    let second = name(of: ends[0], in: ends[1])
    draft.declarations[ends[0]].properties.append(
      SchemaDraft.Property(
        name: first, type: .list(.declared(ends[1])), comments: [comment],
        inverse: .property(declaration: ends[1], name: second)))
    draft.declarations[ends[1]].properties.append(
      SchemaDraft.Property(
        name: second, type: .list(.declared(ends[0])), inverse: .property(declaration: ends[0], name: first)))
  }

  // MARK: Indexes

  mutating func addIndexes(of table: SQLiteTable, to index: Int) {
    for name in table.expressionIndexes {
      draft.declarations[index].comments.append("Left out: the index \(name), which has an expression.")
    }
    for entry in table.indexes where entry.columns != table.identity {
      let places = entry.columns.compactMap { column in
        draft.declarations[index].properties.firstIndex {
          $0.key?.lowercased() == SQLiteImport.key(of: column).lowercased()
        }
      }
      guard places.count == entry.columns.count, !places.isEmpty else { continue }
      let properties = places.map { draft.declarations[index].properties[$0] }
      // References and identities are indexed anyway.
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
