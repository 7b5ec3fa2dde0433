import SynclineSchema

extension StoreEvolution {
  /// Makes the indexes those of the schema. They are compared by what they index: a renamed model keeps its index under the
  /// name it has.
  func changeIndexes() throws {
    let indexes = plan.definition.indexes
    let wanted = Set(indexes)
    let wantedOfTables = Dictionary(grouping: indexes, by: \.table)
    let former = formerIndexes
    // What is done to the indexes of one table changes those of no other, but their names.
    let live = try self.live()
    var taken = Set(live.items.lazy.filter { $0.type != "trigger" }.map(\.name.lowercasedASCII))
    for table in Set(wanted.map(\.table)).union(former.map(\.table)).sorted() {
      guard live.table(table) != nil else { continue }
      var present: Set<StoreIndex> = []
      for index in try live.indexes(of: table) {
        guard let columns = index.columns else { continue }
        let found = StoreIndex(table: table, columns: columns, isUnique: index.isUnique)
        // What is unique finds rows as well; two of ours are one too many.
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
        // A constraint of the table may make it unique, as in stores of earlier versions.
        let name = free(index.name, taken)
        try execute(index.create(as: name))
        taken.insert(name.lowercasedASCII)
        present.insert(index)
      }
    }
  }

  /// The indexes of the earlier schema, by the names that tables and columns have now.
  private var formerIndexes: Set<StoreIndex> {
    Set(
      plan.formerDefinition.indexes.map { index in
        StoreIndex(
          table: names.table(index.table),
          columns: index.columns.map { term in
            let column = String(term.prefix { $0 != "." })
            return names.column(column, of: index.table) + term.dropFirst(column.count)
          },
          isUnique: index.isUnique)
      })
  }

  /// A free name for an index: the usual one may belong to an index of another table.
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
