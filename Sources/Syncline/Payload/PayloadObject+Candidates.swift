/// Looking up the candidate keys and paths of a property.
extension PayloadObject {
  typealias Lookup = SyncValue.Lookup

  @inline(__always)
  func lookUp(_ candidate: KeyTable.Candidate) -> Lookup {
    guard tape.isOpen else { return .absent }
    guard candidate.name >= 0 else { return value.follow(candidate.rest) }
    let position = positions[candidate.name]
    guard position >= 0 else { return .absent }
    let value = tape.value(at: Int(position))
    if candidate.isPlain { return value.isNull ? .null : .found(value) }
    return candidate.isUnmarked ? value.follow(candidate.rest) : lookUp(candidate, from: value)
  }

  /// Looks up a candidate that is more than a path to one value, from the value of its key.
  private func lookUp(_ candidate: KeyTable.Candidate, from value: SyncValue) -> Lookup {
    let lookup =
      candidate.isMany
      ? gather(candidate, from: value)
      : candidate.isOfLists ? objects(candidate, from: value) : list(candidate, from: value)
    return candidate.isGated ? ofUnion(lookup, candidate) : lookup
  }

  @inline(__always)
  func lookUp(_ entry: Int, of property: Int, in keys: KeyTable) -> Lookup {
    guard tape.isOpen else { return .absent }
    let candidate = keys.entries[entry]
    let position = positions[Int(candidate.name)]
    guard position >= 0 else { return .absent }
    if candidate.isPath {
      return lookUp(keys.candidates[property][entry - keys.entries(of: property).lowerBound])
    }
    let value = tape.value(at: Int(position))
    return value.isNull ? .null : .found(value)
  }

  /// The value of the first key of a property that is present.
  @inline(__always)
  func first(of property: Int, in keys: KeyTable) -> Lookup {
    for entry in keys.entries(of: property) {
      let lookup = lookUp(entry, of: property, in: keys)
      if case .absent = lookup { continue }
      return lookup
    }
    return .absent
  }

  /// Whether the object itself has a value for a property, by its entries in the key table.
  func states(_ property: Int, in keys: KeyTable) -> Bool {
    if case .absent = first(of: property, in: keys) { false } else { true }
  }

  /// The candidates of a property, from the resolved keys.
  @inline(__always)
  func candidates(of key: SyncKey) -> [KeyTable.Candidate] {
    guard let keys, key.position >= 0, key.position < keys.candidates.count else { return [] }
    return keys.candidates[key.position]
  }

  func contains(_ key: SyncKey) -> Bool {
    var part: PayloadObject? = self
    while let object = part {
      if let keys = object.keys, object.states(key.position, in: keys) { return true }
      part = object.earlier
    }
    return false
  }

  /// The place of a candidate's value in the payload.
  func begin(of candidate: KeyTable.Candidate) -> Int {
    guard let member = member(of: candidate) else { return begin(of: value) }
    if case .found(let found) = member.follow(candidate.rest) { return begin(of: found) }
    return begin(of: member)
  }

  /// Whether the object has only an identity, although a new row of the model requires more. In a document, such an object always is
  /// a resource identifier.
  var isKeyAlone: Bool {
    guard let table else { return false }
    let isKey = settings.isDocument ? !isOfUnknownRow : table.requiresMore(besides: scope?.position)
    return isKey && isIdentityAlone
  }

  /// Whether the object is read in place of a key that makes its row: `@Relationship(unknown: .create)`.
  private var isOfUnknownRow: Bool {
    guard case .nested(let outer, let key, _) = place, let properties = outer.table?.properties else {
      return false
    }
    return properties.indices.contains { position in
      properties[position].createsUnknown
        && outer.candidates(of: SyncKey(position)).contains { $0.text == key }
    }
  }

  /// Whether the identity is the only property that the object has.
  var isIdentityAlone: Bool {
    guard let table else { return false }
    return !table.properties.indices.contains {
      $0 != table.identity && !table.identityParts.contains($0) && contains(SyncKey($0))
    }
  }
}
