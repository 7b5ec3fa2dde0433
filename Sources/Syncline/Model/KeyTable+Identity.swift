extension KeyTable {
  /// The identity of an object, from the first readable key of the model's identity.
  func identity(of table: SyncTable, in object: SyncValue) -> SyncIdentity? {
    for candidate in candidates[table.identity] {
      guard names.indices.contains(candidate.name), let member = object.member(names[candidate.name]),
        case .found(let value) = member.follow(candidate.rest),
        let identity = table.identityReader.identity(in: value)
      else { continue }
      return identity
    }
    return nil
  }

  /// The identity of a row that is a list.
  func identity(of table: SyncTable, inList list: SyncValue) -> SyncIdentity? {
    for candidate in candidates[table.identity] {
      if case .found(let value) = list.follow(PathStep.steps(of: candidate.text)),
        let identity = table.identityReader.identity(in: value)
      {
        return identity
      }
    }
    return nil
  }
}
