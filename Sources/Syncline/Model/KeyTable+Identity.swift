extension KeyTable {
  /// The identity of an object, from the first readable key of the model's identity.
  func identity(of table: SyncTable, in object: SyncValue) -> SyncIdentity? {
    for candidate in candidates[table.identity] {
      guard names.indices.contains(candidate.name), let member = object.member(names[candidate.name]),
        case .found(let value) = candidate.follow(member),
        let identity = table.identityReader.identity(in: value)
      else { continue }
      return identity
    }
    return nil
  }
}
