extension SyncContext {
  /// Makes a to-many relationship's members those that the payload lists.
  func updateToMany(
    _ key: SyncKey, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws {
    let target = try target(of: key)
    let reading = object.toMany(key, target: target.table)
    guard reading.isPresent else { return }
    guard reading.isReadable else {
      if let (key, found) = reading.unreadable { object.report(key, "\(found) is no list", .keptLink) }
      return
    }
    let property = owner.table.properties[key.position]
    let policy = policies.first { $0.position == key.position } ?? property.childPolicy(at: key.position)
    // A list of links that stands inside of another one of its row is read before it, and begins later.
    if try owner.otherEnd(of: key.position) == nil, object.isInsideItself { try session.contradict() }
    if try isStoredAsListed(key, reading, policy) { return }
    var list = ListStatement(
      owner: owner, position: key.position, key: self.key, target: target,
      slot: try owner.otherEnd(of: key.position)?.column, begin: reading.begin,
      isFirst: isNew && !object.hasNestedRows && target !== owner,
      canAdd: canLink(operations) && !isStale, creates: operations.contains(.insert),
      isComplete: operations.contains(.delete) && !isStale,
      policy: policy, hasUnreadableElements: reading.hasUnreadableElements,
      isEmpty: reading.elements.isEmpty, place: ProblemPlace(object, reading.key))
    try read(reading, into: &list, object)
    if isStale {
      try session.noteStale(&list)
    } else if !session.decidesListsAtEnd {
      try session.claimMembers(of: &list)
    }
    try syncElements(of: &list, object, operations)
    // What is not kept says nothing of the others, unless the operations leave it out.
    if list.creates, list.elements.contains(where: { $0.outcome == .left && $0.nested != nil }) {
      list.isComplete = false
    }
    guard list.canAdd || list.isComplete else { return }
    if session.decidesListsAtEnd {
      list.place = list.place.kept()
      session.lists.append(list)
    } else {
      try session.settle(list)
    }
  }

  /// Whether a list of keys has those of the links that are stored: then there is nothing to do.
  private func isStoredAsListed(
    _ key: SyncKey, _ reading: PayloadObject.ToManyReading, _ policy: ChildPolicy?
  ) throws -> Bool {
    guard !isNew, !isStale, policy == nil, case .link(let link) = owner.table.properties[key.position].kind,
      !session.decidesListsAtEnd, session.pending.isIdle(owner.table),
      reading.areKeys(of: try session.members(owner, key.position, self.key))
    else { return false }
    try session.noteList(owner, key.position, self.key, link, begin: reading.begin, changes: [])
    return true
  }

  private func read(
    _ reading: PayloadObject.ToManyReading, into list: inout ListStatement, _ object: PayloadObject
  ) throws {
    list.elements.reserveCapacity(reading.elements.count)
    for element in reading.elements {
      guard let identity = element.identity else {
        list.isComplete = false
        if element.nested != nil { list.target.counts.skipped += 1 }
        object.report(
          "\(element.key)[\(element.index)]",
          object.missingIdentity(of: element.value, in: list.target.table),
          element.nested == nil ? .ignoredElements : .skippedRow)
        continue
      }
      list.elements.append(
        .init(identity: identity, nested: element.nested, key: element.key, index: element.index))
    }
    if reading.extras.isEmpty { return }
    let keys = Set(reading.elements.compactMap(\.identity))
    for element in reading.extras {
      guard let identity = element.identity else { continue }
      if keys.contains(identity) {
        list.elements.append(
          .init(identity: identity, nested: element.nested, key: element.key, index: element.index))
      } else if let nested = element.nested {
        try session.name(object.nested(nested, in: list.target, key: element.key, element: element.index))
      }
    }
  }

  /// Syncs the rows that are nested in a list.
  private func syncElements(
    of list: inout ListStatement, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws {
    for index in list.elements.indices {
      let element = list.elements[index]
      guard let nested = element.nested else { continue }
      // A member keeps its parent; another gets this one, if it may be added.
      let scope = list.slot.flatMap { position in
        list.canAdd || list.current.contains(element.identity)
          ? PayloadObject.Scope(position: position, parent: key.identity, isFromList: true) : nil
      }
      guard scope != nil || list.target.table.parentScope == nil else {
        try session.name(object.nested(nested, in: list.target, key: element.key, element: element.index))
        continue
      }
      list.elements[index].outcome = try syncNested(
        nested, element.identity, in: list.target, object, key: element.key, element: element.index,
        operations: operations, scope: scope, policies: list.policy?.children ?? [])
    }
  }
}

extension SyncProperty {
  /// What the schema says happens to members that a complete list does not name.
  fileprivate func childPolicy(at position: Int) -> ChildPolicy? {
    let policy: DeletionPolicy
    switch missing {
    case nil: return nil
    case .keep: policy = .none
    case .delete: policy = .hardDeleteMissing
    case .softDelete: policy = .softDeleteMissing
    }
    return ChildPolicy(position: position, policy: policy, requireNonEmpty: false, children: [])
  }
}
