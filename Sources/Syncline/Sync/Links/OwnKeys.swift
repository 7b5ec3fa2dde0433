/// What a row's own key says of a to-one column, where the lists that it yields to are decided at the end.
struct OwnKey {
  let model: ModelSession
  let key: RowKey
  let position: Int
  let target: SyncIdentity?
}

extension SyncContext {
  /// Leaves what the row's own key says to the end, where lists of the payload contradict each other.
  ///
  /// - Returns: whether it is decided later.
  func postpone(_ target: SyncIdentity?, at position: Int) throws -> Bool {
    guard session.decidesListsAtEnd, try owner.otherEnd(of: position) != nil else { return false }
    let place = LinkPlace(model: owner.id, position: position, owner: key)
    let own = OwnKey(model: owner, key: key, position: position, target: target)
    session.ownKeys[place] = own
    decisions?.postponed[place] = own
    return true
  }

  /// What the row's own keys say counts more than what rows nested in it say of it.
  func restorePostponed() {
    for (place, own) in decisions?.postponed ?? [:] { session.ownKeys[place] = own }
  }
}

extension SyncSession {
  /// Links what rows' own keys lead to, where no list says otherwise.
  func decideOwnKeys() throws {
    let keys = ownKeys.values
    ownKeys = [:]
    for own in keys
    where !own.model.isMarked(own.key, at: own.position) && !own.model.isGiven(own.key, at: own.position) {
      let isOptional = own.model.table.properties[own.position].isOptional
      guard let target = own.target else {
        if isOptional { _ = try own.model.link(own.key, own.position, to: nil) }
        continue
      }
      switch try own.model.listed(own.key, own.position, at: target) {
      case .linked: _ = try own.model.link(own.key, own.position, to: target)
      case .unlisted: _ = try own.model.link(own.key, own.position, to: isOptional ? nil : target)
      case .kept:
        // A new row has it already.
        guard isOptional, own.model.isInserted(own.key) else { continue }
        _ = try own.model.link(own.key, own.position, to: nil)
      }
    }
  }
}
