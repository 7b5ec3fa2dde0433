extension SyncContext {
  /// Makes a to-many relationship's members those that the payload lists.
  func updateToMany(
    _ key: SyncKey, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws -> Bool {
    let target = try target(of: key)
    let reading = object.toMany(key, target: target.table)
    guard reading.isPresent else { return false }
    guard reading.isReadable else {
      if let (key, found) = reading.unreadable { object.report(key, "\(found) is no list", .keptLink) }
      return false
    }
    let property = owner.table.properties[key.position]
    let policy = policies.first { $0.position == key.position }
    let current = Set(isNew && !session.pending.hasOwners(of: target.table) ? [] : try session.members(owner, key.position, self.key))
    let inverse: Int? = if case .inverse(let column, _) = property.kind { target.table.position(of: column) } else { nil }
    let canAdd = canLink(operations) && !isStale

    var desired: [SyncIdentity] = []
    var isDesired: Set<SyncIdentity> = []
    var waiting: [SyncIdentity] = []
    var keepsOthers = reading.hasUnreadableElements
    let keys = Set(reading.elements.compactMap(\.identity))
    for element in reading.elements + reading.extras.filter({ $0.identity.map(keys.contains) ?? false }) {
      guard let identity = element.identity else {
        if element.nested != nil { target.counts.skipped += 1 }
        object.report(
          "\(element.key)[\(element.index)]", "names no \(target.table.name)",
          element.nested == nil ? .ignoredElements : .skippedRow)
        continue
      }
      if canAdd, let inverse { target.claims[inverse, default: [:]][identity] = self.key.identity }
      var isStored = false
      if let nested = element.nested {
        // A member keeps its parent; another gets this one, if it may be added.
        let scope = inverse.flatMap { position in
          canAdd || current.contains(identity)
            ? PayloadObject.Scope(position: position, parent: self.key.identity) : nil
        }
        guard !(scope == nil && target.table.parentScope != nil) else { continue }
        isStored = try syncNested(
          nested, identity, in: target, object, key: element.key, element: element.index, operations: operations,
          scope: scope, policies: policy?.children ?? [])
        if !isStored {
          keepsOthers = keepsOthers || operations.contains(.insert)
          if current.contains(identity), isDesired.insert(identity).inserted { desired.append(identity) }
          continue
        }
      }
      if try isStored || current.contains(identity) || (target.table.parentScope == nil && target.exists(identity)) {
        if isDesired.insert(identity).inserted { desired.append(identity) }
      } else if canAdd, target.table.parentScope == nil, !waiting.contains(identity) {
        waiting.append(identity)
      }
    }
    if isStale { return false }
    if canAdd || operations.contains(.delete) {
      session.pending.decide(owner, key.position, self.key, waitsFor: waiting, object, reading.key)
    }
    var changed = false
    if canAdd {
      for identity in desired where !current.contains(identity) {
        if try session.addMember(owner, key.position, self.key, identity) { changed = true }
      }
    }
    if operations.contains(.delete), !keepsOthers {
      let missing = current.subtracting(isDesired).sorted()
      if try remove(missing, from: key, policy, object, reading, listIsEmpty: reading.elements.isEmpty) { changed = true }
    }
    return changed
  }

  /// Takes the members out that a list no longer names, as the relationship's policy says.
  private func remove(
    _ missing: [SyncIdentity], from key: SyncKey, _ policy: ChildPolicy?, _ object: PayloadObject,
    _ reading: PayloadObject.ToManyReading, listIsEmpty: Bool
  ) throws -> Bool {
    guard !missing.isEmpty else { return false }
    if let policy {
      if policy.policy == .none { return false }
      if policy.requireNonEmpty, listIsEmpty {
        object.report(reading.key, "an empty list", .deletedNothing)
        return false
      }
      let target = try target(of: key)
      session.deferDeletion(
        of: missing.map { RowKey(identity: $0, parent: target.table.parentScope == nil ? nil : self.key.identity) },
        in: target, policy.policy)
      return false
    }
    var changed = false
    for identity in missing where try session.unlink(owner, key.position, self.key, identity, object, reading.key) {
      changed = true
    }
    return changed
  }
}
