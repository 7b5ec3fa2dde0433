import GRDB

/// Writing the columns that hold the identities of related rows.
extension ModelSession {
  /// Writes the identity of a related row into a to-one column.
  func link(_ owner: RowKey, _ position: Int, to target: SyncIdentity?) throws -> Bool {
    guard let values = try storedValues(of: owner) else { return false }
    let old = SyncIdentity(values[position])
    guard old != target else { return false }
    if let target, table.properties[position].isUnique { try takePartner(of: target, position, for: owner) }
    try write(
      .setColumn, at: position, of: owner,
      sql: "UPDATE \(table.quotedName) SET \(column(position)) = ?1 WHERE \(condition(owner, from: 2))"
    )
    .execute(target, owner.identity, owner.parent)
    var newValues = values
    newValues[position] = target?.databaseValue ?? .null
    markUpdated(owner, from: values, to: newValues)
    session.links.record(self, position, owner, from: old, to: target)
    return true
  }

  /// The columns of a row; nil when there is no such row.
  private func storedValues(of key: RowKey) throws -> [DatabaseValue]? {
    let statement = try read(
      .columns, of: key,
      sql: "SELECT \(table.columnList) FROM \(table.quotedName) WHERE \(condition(key, from: 1)) -- values")
    let parameters = statement.restart()
    defer { statement.reset() }
    key.identity.bind(to: parameters, at: 1)
    key.parent?.bind(to: parameters, at: 2)
    guard try statement.step() else { return nil }
    return table.columns.indices.map { statement.column($0).databaseValue }
  }

  /// The row that a to-one column holds; nil when there is none.
  func target(of position: Int, in owner: RowKey) throws -> SyncIdentity? {
    try storedValues(of: owner).flatMap { SyncIdentity($0[position]) }
  }

  /// The identities of the rows whose to-one column holds an identity.
  func holders(of target: SyncIdentity, at position: Int) throws -> [SyncIdentity] {
    try read(
      .holders, at: position,
      sql: "SELECT \(identityColumn) FROM \(table.quotedName) WHERE \(column(position)) = ?1"
    ).identities(of: target)
  }

  /// The rows whose to-one column holds an identity.
  func holderKeys(of target: SyncIdentity, at position: Int) throws -> [RowKey] {
    guard let scope = table.parentScope else {
      return try holders(of: target, at: position).map { RowKey(identity: $0) }
    }
    let statement = try session.read(
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

  /// Takes a one-to-one partner from its former owner.
  func takePartner(of target: SyncIdentity, _ position: Int, for owner: RowKey) throws {
    for identity in try holders(of: target, at: position) where identity != owner.identity {
      guard table.properties[position].isOptional else {
        try park(RowKey(identity: identity), position, target, for: owner)
        continue
      }
      _ = try link(RowKey(identity: identity), position, to: nil)
    }
  }

  /// Takes the partner of a row that requires one. Until the payload gives it another or the row is deleted, its
  /// column holds an identity that nothing has.
  private func park(_ key: RowKey, _ position: Int, _ target: SyncIdentity, for owner: RowKey) throws {
    let error = SyncError.invalidPayload(
      model: table.name,
      reason:
        "“\(table.properties[position].name)” of \(key.identity) is required and cannot give up \(target)"
        + " to \(owner.identity)")
    if session.skipsInvalidRows { throw PartnerTaken(error: error) }
    guard let values = try storedValues(of: key),
      let related = table.properties[position].related,
      let placeholder = try session.placeholder(for: session.models(related), besides: self, position)
    else { throw error }
    try write(
      "UPDATE \(table.quotedName) SET \(column(position)) = ?1 WHERE \(condition(key, from: 2))"
    )
    .execute(placeholder, key.identity, key.parent)
    var newValues = values
    newValues[position] = placeholder.databaseValue
    markUpdated(key, from: values, to: newValues)
    session.parked.append(
      .init(model: self, key: key, position: position, placeholder: placeholder, error: error))
    session.placeholders[placeholder] = session.placeholders[target] ?? target
  }
}

/// Thrown where invalid rows are skipped, and a row requires a partner that another row requires.
struct PartnerTaken: Error {
  let error: SyncError
}
