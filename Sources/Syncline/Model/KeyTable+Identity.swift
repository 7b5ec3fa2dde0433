extension KeyTable {
  /// The identity of an object, from the first readable key of the model's identity.
  func identity(of table: SyncTable, in object: SyncValue) -> SyncIdentity? {
    for candidate in candidates[table.identity] {
      guard let member = member(of: candidate, in: object) else { continue }
      let lookup = candidate.isUnmarked ? member.follow(candidate.rest) : candidate.follow(member)
      if case .found(let value) = lookup, let identity = table.identityReader.identity(in: value) {
        return identity
      }
    }
    return nil
  }

  /// The value of a candidate's first key.
  private func member(of candidate: Candidate, in object: SyncValue) -> SyncValue? {
    names.indices.contains(candidate.name) ? object.member(names[candidate.name]) : nil
  }

  /// Whether a value that means null is written for the identity of an object, or for a part of it.
  ///
  /// - Parameter orNull: whether null itself counts, too.
  func hasNullIdentity(of table: SyncTable, in object: SyncValue, orNull: Bool = false) -> Bool {
    table.identifyingProperties.contains { part in
      let nulls = table.properties[part].nulls
      guard orNull || nulls != nil else { return false }
      return candidates[part].contains { candidate in
        guard let member = member(of: candidate, in: object) else { return false }
        if orNull, case .null = candidate.follow(member) { return true }
        return nulls.map { candidate.leads(from: member, to: $0) } ?? false
      }
    }
  }

  /// The identity of a row that is a list.
  func identity(of table: SyncTable, inList list: SyncValue) -> SyncIdentity? {
    for candidate in candidates[table.identity] {
      if let place = candidate.place, let element = list.element(place),
        case .found(let value) = element.follow(candidate.rest),
        let identity = table.identityReader.identity(in: value)
      {
        return identity
      }
    }
    return nil
  }
}
