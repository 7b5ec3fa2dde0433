import GRDB

/// Reading and writing the columns of a model's stored rows.
extension ModelRows {
  var identityColumn: String { table.identityProperty.quotedName }

  func column(_ position: Int) -> String { table.properties[position].quotedName }

  /// The condition that finds a row. Its parameters are numbered from the given number.
  func condition(_ row: RowKey, from parameter: Int) -> String {
    guard row.parent != nil, let scope = table.parentScope else { return "\(identityColumn) = ?\(parameter)" }
    return "\(identityColumn) = ?\(parameter) AND \(column(scope)) = ?\(parameter + 1)"
  }

  // MARK: Reading

  /// The statement that finds a row, before its first step. It has the columns, followed by the row's number.
  func select(_ row: RowKey) throws -> ReadStatement {
    let isScoped = row.parent != nil
    let statement: ReadStatement
    if !isScoped, let known = selection {
      try insertWaiting()
      statement = known
    } else {
      statement = try statements.read(
        .row(isScoped: isScoped),
        "SELECT \(table.columnList), \(table.rowNumberColumn) FROM \(table.quotedName)"
          + " WHERE \(condition(row, from: 1))")
      if !isScoped { selection = statement }
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

  /// Whether a row is stored; if it is unique within its parent, whether it is stored with that parent.
  func isStored(_ row: RowKey) throws -> Bool {
    try row.parent == nil && table.parentScope == nil ? exists(row.identity) : storedValues(of: row) != nil
  }

  /// Binds the parameters of a row's ``condition(_:from:)``.
  func bind(_ row: RowKey, to parameters: SyncStatement, from first: Int = 1) {
    row.identity.bind(to: parameters, at: Int32(first))
    row.parent?.bind(to: parameters, at: Int32(first + 1))
  }

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

  /// The statement that reads the columns of the rows whose to-one column holds an identity.
  func referringRows(at position: Int) throws -> ReadStatement {
    try statements.read(
      .referringRows(position),
      "SELECT \(table.columnList) FROM \(table.quotedName) WHERE \(column(position)) = ?1")
  }

  func holderKeys(of target: SyncIdentity, at position: Int) throws -> [RowKey] {
    guard let scope = table.parentScope else {
      return try holders(of: target, at: position).map { RowKey(identity: $0) }
    }
    let statement = try ReadStatement(
      run.database,
      "SELECT \(identityColumn), \(column(scope)) FROM \(table.quotedName) WHERE \(column(position)) = ?1")
    target.bind(to: statement.restart(), at: 1)
    return try statement.all { RowKey($0) }
  }

  // MARK: Writing

  /// Writes the columns of a stored row that differ, and takes one-to-one partners from their former rows.
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
    for change in changes where end(change)?.isUnique == true {
      if let target = SyncIdentity(new[change]) { try unlinkPartner(of: target, at: change, for: row) }
    }
    try write(changes, of: row, from: old, to: new)
    for change in changes {
      guard let end = end(change) else { continue }
      run.ledger.recordColumn(
        LinkPlace(end: end, owner: row), from: SyncIdentity(old[change]), to: SyncIdentity(new[change]))
    }
  }

  /// A row's columns with one case of each union: if a case gets a target, the other cases are cleared.
  private func ofOneCase(_ new: [DatabaseValue], from old: [DatabaseValue]) -> [DatabaseValue] {
    var values = new
    for (position, gate) in table.unionGates
    where position < table.columnCount && !new[position].isNull && !new[position].isStoredLike(old[position])
    {
      // An unknown type is set before the link is removed, so both may be there until then.
      for other in gate.otherColumns where other == gate.typePosition || new[other].isStoredLike(old[other]) {
        values[other] = .null
      }
    }
    return values
  }

  /// Whether a union has both a target and a type that the schema does not know.
  private func hasLinkAndType(_ values: [DatabaseValue]) -> Bool {
    table.unionGates.contains { position, gate in
      position < table.columnCount && !values[position].isNull
        && gate.typePosition.map { !values[$0].isNull } ?? false
    }
  }

  /// Removes unknown types from unions whose links were not removed, since a list with the row overrides the row's own statement.
  func settleUnions() throws {
    for row in notes.linkedWithType {
      guard let old = try storedValues(of: row) else { continue }
      var new = old
      for (position, gate) in table.unionGates where position < table.columnCount && !old[position].isNull {
        if let type = gate.typePosition { new[type] = .null }
      }
      try update(row, from: old, to: new)
    }
    notes.linkedWithType = []
  }

  /// Writes some columns of a stored row. All updates of rows by their columns use this function.
  func write(
    _ changes: [Int], of row: RowKey, from old: [DatabaseValue], to new: [DatabaseValue]
  ) throws {
    let statement = try statements.write(
      .update(changes, isScoped: row.parent != nil), updateSQL(of: changes, row))
    let parameters = statement.restart()
    for (index, change) in changes.enumerated() { parameters.bind(new[change], at: Int32(index + 1)) }
    bind(row, to: parameters, from: changes.count + 1)
    try statement.executeForOneRow()
    journal.recordUpdate(row, from: old, to: new)
    run.uniqueValues?.noteWrite(changes, of: row, in: self)
  }

  private func updateSQL(of changes: [Int], _ row: RowKey) -> String {
    let assignments = changes.enumerated().map { "\(column($1)) = ?\($0 + 1)" }.joined(separator: ", ")
    return
      "UPDATE \(table.quotedName) SET \(assignments) WHERE \(condition(row, from: changes.count + 1))"
  }

  /// Writes the identity of a related row into a to-one column.
  ///
  /// - Returns: whether the column had another target.
  func link(_ row: RowKey, at position: Int, to target: SyncIdentity?) throws -> Bool {
    guard let old = try storedValues(of: row), SyncIdentity(old[position]) != target else { return false }
    var new = old
    new[position] = target?.databaseValue ?? .null
    try update(row, from: old, to: new)
    return true
  }

  /// Takes a one-to-one partner from its former row.
  func unlinkPartner(of target: SyncIdentity, at position: Int, for row: RowKey) throws {
    for identity in try holders(of: target, at: position) where identity != row.identity {
      let holder = RowKey(identity: identity)
      if table.properties[position].isOptional {
        _ = try link(holder, at: position, to: nil)
      } else if let end = end(position) {
        // The payload may give that row another partner.
        try run.logLinks()
        try run.placeholders.replaceByPlaceholder(LinkPlace(end: end, owner: holder))
      }
    }
  }
}
