extension ReadStatement {
  /// The rows of a single identity column, for one parameter.
  func identities(of identity: SyncIdentity) throws -> [SyncIdentity] {
    identity.bind(to: restart(), at: 1)
    return try all { SyncIdentity($0.column(0)) }
  }

  /// The rows of a single identity column, for identities in the order of the parameters.
  func identities(of identities: [SyncIdentity?]) throws -> [SyncIdentity] {
    restart().bind(identities)
    return try all { SyncIdentity($0.column(0)) }
  }

  /// Whether the rows of a single integer column, which must be distinct, are the given numbers.
  ///
  /// - Parameter numbers: sorted and distinct.
  func isOf(_ numbers: ContiguousArray<Int64>, owner: SyncIdentity) throws -> Bool {
    owner.bind(to: restart(), at: 1)
    defer { reset() }
    var rows: ContiguousArray<Int64> = []
    rows.reserveCapacity(numbers.count)
    var isInOrder = true
    while try step() {
      let column = column(0)
      guard column.isInteger, rows.count < numbers.count else { return false }
      if let last = rows.last, last > column.int64 { isInOrder = false }
      rows.append(column.int64)
    }
    if !isInOrder { rows.sort() }
    return rows == numbers
  }

  /// Whether the statement returns a row.
  func exists(_ identity: SyncIdentity) throws -> Bool {
    identity.bind(to: restart(), at: 1)
    return try hasNext()
  }

  /// Whether the statement returns a row, for identities in the order of the parameters.
  func exists(_ identities: [SyncIdentity?]) throws -> Bool {
    restart().bind(identities)
    return try hasNext()
  }

  private func hasNext() throws -> Bool {
    defer { reset() }
    return try step()
  }
}

extension WriteStatement {
  /// Runs the statement for identities in the order of its parameters.
  @discardableResult
  func execute(_ identities: SyncIdentity?...) throws -> Int { try execute(identities) }

  @discardableResult
  func execute(_ identities: [SyncIdentity?]) throws -> Int {
    restart().bind(identities)
    return try execute()
  }
}

extension SyncStatement {
  /// Binds identities to the parameters in order.
  func bind(_ identities: [SyncIdentity?]) {
    for (index, identity) in identities.enumerated() { bind(identity, at: Int32(index + 1)) }
  }

  func bind(_ identity: SyncIdentity?, at index: Int32) {
    if let identity { identity.bind(to: self, at: index) } else { bindNull(at: index) }
  }
}
