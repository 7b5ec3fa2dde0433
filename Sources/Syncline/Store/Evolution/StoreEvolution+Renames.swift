import SynclineSchema

extension StoreEvolution {
  /// Gives tables their new names; a table that already has one gets a temporary name.
  func renameTables() throws {
    let live = try self.live()
    var moves = NameMoves()
    for model in plan.new.models {
      guard let former = plan.match.models[model.name], live.table(former) != nil else { continue }
      moves.add(former, to: model.name)
    }
    for relation in plan.new.relations {
      guard let table = relation.table else { continue }
      if let former = plan.keepsTable(relation), live.table(former) != nil {
        moves.add(former, to: table)
      } else {
        moves.need(table)
      }
    }
    for model in plan.new.models where plan.match.models[model.name] == nil { moves.need(model.name) }
    for table in plan.old.tables where live.table(table) != nil { moves.addRemoved(table) }
    names.tables = try moves.run(temporaryName) { from, to in
      try execute("ALTER TABLE \(from.quotedIdentifier) RENAME TO \(to.quotedIdentifier)")
    }
  }

  /// Gives columns their new names.
  func renameColumns() throws {
    let live = try self.live()
    for model in plan.new.models {
      guard let former = plan.former(of: model.name), live.table(model.name) != nil else { continue }
      var moves = NameMoves()
      for property in model.properties where property.isStored {
        if let column = plan.keptColumn(property, of: model) {
          moves.add(column.former.name, to: property.name)
        } else {
          moves.need(property.name)
        }
      }
      for property in former.properties where property.isStored { moves.addRemoved(property.name) }
      let table = model.name.quotedIdentifier
      let columns = try moves.run(temporaryName) { from, to in
        try execute("ALTER TABLE \(table) RENAME COLUMN \(from.quotedIdentifier) TO \(to.quotedIdentifier)")
      }
      for (from, to) in columns { names.columns[.init(model: former.name, property: from)] = to }
    }
  }
}

/// Renames tables or columns, which may swap names.
private struct NameMoves {
  private var moves: [(from: String, to: String?)] = []
  private var needed: Set<String> = []

  /// Adds a table or column that gets another name, or keeps its own.
  mutating func add(_ from: String, to: String) {
    moves.append((from, to))
    needed.insert(to.lowercasedASCII)
  }

  /// Reserves a name for a new table or column.
  mutating func need(_ name: String) {
    needed.insert(name.lowercasedASCII)
  }

  /// Adds a table or column that is not kept. It gets a temporary name if its own is needed. Add the kept ones first.
  mutating func addRemoved(_ name: String) {
    guard !moves.contains(where: { $0.from == name }), needed.contains(name.lowercasedASCII) else { return }
    moves.append((name, nil))
  }

  /// Renames in two rounds; returns the current name of each renamed table or column.
  func run(_ temporaryName: () -> String, rename: (_ from: String, _ to: String) throws -> Void) rethrows
    -> [String: String]
  {
    let changed = moves.filter { $0.from != $0.to }
    let occupied = Set(changed.map(\.from.lowercasedASCII))
    var names: [String: String] = [:]
    for (from, to) in changed where to.map({ occupied.contains($0.lowercasedASCII) }) ?? true {
      names[from] = temporaryName()
      try rename(from, names[from] ?? from)
    }
    // Those with a temporary name come last: by then their new names are free.
    let waiting = Set(names.keys)
    for isWaiting in [false, true] {
      for case (let from, let to?) in changed where waiting.contains(from) == isWaiting {
        try rename(names[from] ?? from, to)
        names[from] = to
      }
    }
    return names
  }
}
