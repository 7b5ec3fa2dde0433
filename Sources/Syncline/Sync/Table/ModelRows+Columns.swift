import GRDB

/// Reading and writing the columns of a model's known rows.
extension ModelRows {
  var identityColumn: String { table.identityProperty.quotedName }

  func column(_ position: Int) -> String { table.properties[position].quotedName }

  /// The condition that finds a row, its parameters counted from a number.
  func condition(_ row: RowKey, from parameter: Int) -> String {
    guard row.parent != nil, let scope = table.parentScope else { return "\(identityColumn) = ?\(parameter)" }
    return "\(identityColumn) = ?\(parameter) AND \(column(scope)) = ?\(parameter + 1)"
  }

  // MARK: Reading

  /// The statement that finds a row, at its start: the columns, and behind them the row's number.
  func select(_ row: RowKey) throws -> ReadStatement {
    let isScoped = row.parent != nil
    let statement: ReadStatement
    if !isScoped, let known = rowStatements.selection {
      statement = known
    } else {
      statement = try statements.read(
        .row(isScoped: isScoped),
        "SELECT \(table.columnList), \(table.rowNumberColumn) FROM \(table.quotedName)"
          + " WHERE \(condition(row, from: 1))")
      if !isScoped { rowStatements.selection = statement }
    }
    bind(row, to: statement.restart())
    return statement
  }

  /// The columns of a row; nil when there is no such row.
  func storedValues(of row: RowKey) throws -> [DatabaseValue]? {
    let statement = try statements.read(
      .columns(isScoped: row.parent != nil),
      "SELECT \(table.columnList) FROM \(table.quotedName) WHERE \(condition(row, from: 1))")
    bind(row, to: statement.restart())
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return table.columns.indices.map { statement.column($0).databaseValue }
  }

  /// Binds the parameters of a row's ``condition(_:from:)``.
  func bind(_ row: RowKey, to parameters: SyncStatement, from first: Int = 1) {
    row.identity.bind(to: parameters, at: Int32(first))
    row.parent?.bind(to: parameters, at: Int32(first + 1))
  }

  /// The row that a to-one column of a row holds; nil when there is none.
  func target(of row: RowKey, at position: Int) throws -> SyncIdentity? {
    try storedValues(of: row).flatMap { SyncIdentity($0[position]) }
  }

  /// The identities of the rows whose to-one column holds an identity.
  func holders(of target: SyncIdentity, at position: Int) throws -> [SyncIdentity] {
    try statements.read(
      .holders(position),
      "SELECT \(identityColumn) FROM \(table.quotedName) WHERE \(column(position)) = ?1"
    ).identities(of: target)
  }

  /// Reads the columns of the rows whose to-one column holds an identity.
  func heldRows(at position: Int) throws -> ReadStatement {
    try statements.read(
      .heldRows(position),
      "SELECT \(table.columnList) FROM \(table.quotedName) WHERE \(column(position)) = ?1")
  }

  /// The rows whose to-one column holds an identity.
  func holderKeys(of target: SyncIdentity, at position: Int) throws -> [RowKey] {
    guard let scope = table.parentScope else {
      return try holders(of: target, at: position).map { RowKey(identity: $0) }
    }
    let statement = try ReadStatement(
      run.database,
      "SELECT \(identityColumn), \(column(scope)) FROM \(table.quotedName) WHERE \(column(position)) = ?1")
    target.bind(to: statement.restart(), at: 1)
    defer { statement.reset() }
    var keys: [RowKey] = []
    while try statement.step() {
      guard let identity = SyncIdentity(statement.column(0)) else { continue }
      keys.append(RowKey(identity: identity, parent: SyncIdentity(statement.column(1))))
    }
    return keys
  }

  // MARK: Writing

  /// Writes the columns of a known row that differ, and takes one-to-one partners from their former rows.
  func update(_ row: RowKey, from old: [DatabaseValue], to new: [DatabaseValue]) throws {
    let new = table.unionGates.isEmpty ? new : ofOneCase(new, from: old)
    if hasLinkAndType(new) { notes.linkedWithType.insert(row) }
    let changes = new.indices.filter { !new[$0].isStoredLike(old[$0]) }
    guard !changes.isEmpty else { return }
    if table.isComposite,
      let part = changes.first(where: { $0 == table.identity || table.identityParts.contains($0) })
    {
      throw SyncError(
        RowProblem(
          model: table.name, property: table.properties[part].name, identity: row.identity.description,
          reason: .otherIdentity(than: row.identity.description)))
    }
    for change in changes where table.properties[change].isUnique {
      if let target = SyncIdentity(new[change]) { try takePartner(of: target, at: change, for: row) }
    }
    try write(changes, of: row, from: old, to: new)
    for change in changes {
      guard let end = end(change) else { continue }
      run.ledger.recordColumn(
        LinkPlace(end: end, owner: row), from: SyncIdentity(old[change]), to: SyncIdentity(new[change]))
    }
  }

  /// The columns of a row, where one that leads to another row by one case of a union by then leads there by no other.
  private func ofOneCase(_ new: [DatabaseValue], from old: [DatabaseValue]) -> [DatabaseValue] {
    var values = new
    for (position, gate) in table.unionGates where position < table.columnCount && !new[position].isNull {
      let isChanged = !new[position].isStoredLike(old[position])
      for other in gate.otherColumns {
        let isOtherChanged = !new[other].isStoredLike(old[other])
        // A type that no case has comes before the link is cut.
        if other == gate.typePosition ? isChanged || !isOtherChanged : isChanged && !isOtherChanged {
          values[other] = .null
        }
      }
    }
    return values
  }

  /// Whether a union is linked to a row, and of a type that the schema does not know.
  private func hasLinkAndType(_ values: [DatabaseValue]) -> Bool {
    table.unionGates.contains { position, gate in
      guard position < table.columnCount, !values[position].isNull, let type = gate.typePosition else {
        return false
      }
      return !values[type].isNull
    }
  }

  /// Takes back types that the schema does not know where the links that they stood for were not cut: a list that has the row
  /// counts more than what the row says itself.
  func settleUnions() throws {
    for row in notes.linkedWithType {
      guard let old = try storedValues(of: row), hasLinkAndType(old) else { continue }
      // A type that is as it was stands back behind the link.
      try update(row, from: old, to: ofOneCase(old, from: old))
    }
    notes.linkedWithType = []
  }

  /// Writes some columns of a known row. All that changes one by its columns comes here.
  func write(
    _ changes: [Int], of row: RowKey, from old: [DatabaseValue], to new: [DatabaseValue]
  ) throws {
    let statement = try statements.write(
      .update(changes, isScoped: row.parent != nil), updateSQL(of: changes, row))
    let parameters = statement.restart()
    for (index, change) in changes.enumerated() { parameters.bind(new[change], at: Int32(index + 1)) }
    bind(row, to: parameters, from: changes.count + 1)
    try statement.execute()
    journal.recordUpdate(row, from: old, to: new)
  }

  private func updateSQL(of changes: [Int], _ row: RowKey) -> String {
    let assignments = changes.enumerated().map { "\(column($1)) = ?\($0 + 1)" }.joined(separator: ", ")
    return
      "UPDATE \(table.quotedName) SET \(assignments) WHERE \(condition(row, from: changes.count + 1))"
  }

  /// Writes the identity of a related row into a to-one column.
  ///
  /// - Returns: whether the column had another.
  func link(_ row: RowKey, at position: Int, to target: SyncIdentity?) throws -> Bool {
    guard let old = try storedValues(of: row), SyncIdentity(old[position]) != target else { return false }
    var new = old
    new[position] = target?.databaseValue ?? .null
    try update(row, from: old, to: new)
    return true
  }

  /// Takes a one-to-one partner from its former row.
  func takePartner(of target: SyncIdentity, at position: Int, for row: RowKey) throws {
    for identity in try holders(of: target, at: position) where identity != row.identity {
      let holder = RowKey(identity: identity)
      if table.properties[position].isOptional {
        _ = try link(holder, at: position, to: nil)
      } else if let end = end(position) {
        try run.parked.park(LinkPlace(end: end, owner: holder), target, for: row)
      }
    }
  }
}

extension DatabaseValue {
  /// Whether two values are stored alike. Text is compared byte by byte.
  func isStoredLike(_ other: DatabaseValue) -> Bool {
    if case .string(let left) = storage, case .string(let right) = other.storage {
      return left.isIdentical(to: right)
    }
    return self == other
  }
}
