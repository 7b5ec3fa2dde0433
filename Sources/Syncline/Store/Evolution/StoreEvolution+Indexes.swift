import SynclineSchema

extension StoreEvolution {
  /// Makes the indexes those of the schema. They are compared by what they index: a renamed model keeps its index under the
  /// name it has.
  func changeIndexes() throws {
    let wanted = Set(plan.definition.indexes)
    let former = formerIndexes
    for table in Set(wanted.map(\.table)).union(former.map(\.table)).sorted() {
      let live = try self.live()
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
        } else {
          present.insert(found)
        }
      }
      for index in plan.definition.indexes where index.table == table && !present.contains(index) {
        // A constraint of the table may make it unique, as in stores of earlier versions.
        try execute(index.create(as: freeName(index.name)))
        present.insert(index)
      }
    }
  }

  /// The indexes of the earlier schema, by the names that tables and columns have now.
  private var formerIndexes: Set<StoreIndex> {
    Set(
      plan.formerDefinition.indexes.map { index in
        StoreIndex(
          table: names.table(index.table), columns: index.columns.map { names.column($0, of: index.table) },
          isUnique: index.isUnique)
      })
  }

  /// A name for an index: that of one which belongs to another table by now may stand in the way.
  private func freeName(_ name: String) throws -> String {
    let live = try self.live()
    var free = name
    var number = 2
    while live.isTaken(free) {
      free = "\(name)\(number)"
      number += 1
    }
    return free
  }
}
