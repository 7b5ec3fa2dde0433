extension KeyTable {
  /// The identity of an object, from the first readable key of the model's identity.
  func identity(of table: SyncTable, in object: SyncValue) -> SyncIdentity? {
    for candidate in candidates[table.identity] {
      guard names.indices.contains(candidate.name), let member = object.member(names[candidate.name]) else {
        continue
      }
      let lookup = candidate.isUnmarked ? member.follow(candidate.rest) : candidate.follow(member)
      if case .found(let value) = lookup, let identity = table.identityReader.identity(in: value) {
        return identity
      }
    }
    return nil
  }

  /// Whether a value that means null is written for the identity of an object, or for a part of it.
  func hasNullIdentity(of table: SyncTable, in object: SyncValue) -> Bool {
    let parts = table.isComposite ? table.identityParts : [table.identity]
    return parts.contains { part in
      guard let nulls = table.properties[part].nulls else { return false }
      return candidates[part].contains { candidate in
        guard names.indices.contains(candidate.name), let member = object.member(names[candidate.name]) else {
          return false
        }
        return candidate.leads(from: member, to: nulls)
      }
    }
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
