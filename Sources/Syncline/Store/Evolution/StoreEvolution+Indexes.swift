import SynclineSchema

extension StoreEvolution {
  /// Creates and drops indexes as the schema needs. They are compared by table and columns, not by name: a renamed model keeps its
  /// index under the earlier name.
  func changeIndexes() throws {
    let indexes = plan.definition.indexes
    let wanted = Set(indexes)
    let wantedOfTables = Dictionary(grouping: indexes, by: \.table)
    let former = formerIndexes
    // Changing the indexes of one table affects only the index names of others.
    let live = try self.live()
    var taken = Set(live.items.lazy.filter { $0.type != "trigger" }.map(\.name.lowercasedASCII))
    for table in Set(wanted.map(\.table)).union(former.map(\.table)).sorted() {
      guard live.table(table) != nil else { continue }
      var present: Set<StoreIndex> = []
      for index in try live.indexes(of: table) {
        guard let found = index.described else { continue }
        // A unique index finds rows as well; a second index of ours is redundant.
        let isWanted = wanted.contains(found) || !index.isOwn
        if index.isOwn, index.name.isNameOfIndex, former.contains(found), !isWanted || present.contains(found)
        {
          try execute("DROP INDEX \(index.name.quotedIdentifier)")
          taken.remove(index.name.lowercasedASCII)
        } else {
          present.insert(found)
        }
      }
      for index in wantedOfTables[table] ?? [] where !present.contains(index) {
        // In stores of earlier versions, a constraint of the table may make it unique.
        let name = free(index.name, taken)
        try execute(index.create(as: name))
        taken.insert(name.lowercasedASCII)
        present.insert(index)
      }
    }
  }

  /// The indexes of the earlier schema, with the current names of tables and columns.
  private var formerIndexes: Set<StoreIndex> {
    Set(
      plan.formerDefinition.indexes.map { index in
        StoreIndex(
          table: names.table(index.table),
          columns: index.columns.map { term in
            let column = String(term.prefix { $0 != "." })
            return names.column(column, of: index.table) + term.dropFirst(column.count)
          },
          isUnique: index.isUnique,
          deletionMark: index.deletionMark.map { names.column($0, of: index.table) })
      })
  }

  /// A free name for an index: the usual one may belong to another table's index.
  private func free(_ name: String, _ taken: Set<String>) -> String {
    var free = name
    var number = 2
    while taken.contains(free.lowercasedASCII) {
      free = "\(name)\(number)"
      number += 1
    }
    return free
  }
}
