/// To-many relationships of a row.
extension SyncContext {
  /// Makes a to-many relationship's members those that the payload lists.
  func updateToMany(
    _ place: LinkPlace, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws {
    let isKnownOther = owner.otherList == place
    if isKnownOther { owner.otherList = nil }
    if try !isKnownOther && isStoredAsNested(place, object, operations) { return }
    let end = place.end
    let policy = policy(of: end)
    let mask = LinkMask(operations, isNew: isNew, isStale: isStale)
    let mayBeAsStored = !isKnownOther && mayBeStoredAsListed(place, policy, mask)
    let isStoredAsNumbered = mayBeAsStored ? try isStoredAsNumbered(place, object) : nil
    if isStoredAsNumbered == true { return }
    let reading = object.toMany(end.key, target: end.targetTable)
    guard reading.isPresent else { return }
    guard reading.isReadable else {
      if reading.isReported, let (key, found) = reading.unreadable {
        object.report(key, .noList(found: found), .keptLink)
      }
      return
    }
    if let statements = links.statements {
      return try state(toMany: place, reading, object, operations, in: statements)
    }
    // A list of links that stands inside of another one of its row is read before it, and begins later.
    if end.inverse == nil, object.isInsideItself { try run.logLinks() }
    if mayBeAsStored, isStoredAsNumbered == nil, try isStoredAsListed(place, reading) { return }
    var list = statement(of: reading, at: place, object, mask: mask)
    list.policy = policy
    if policy?.policy == DeletionPolicy.none { list.isComplete = false }
    try read(reading, into: &list, object)
    if isStale, end.linkTable != nil, end.inverse != nil,
      try Set(list.elements.map(\.identity)) != Set(run.members(of: place))
    {
      try run.logLinks()
    }
    if isStale {
      try links.lists.noteStale(&list)
    } else {
      try links.lists.claimMembers(of: &list)
    }
    try syncElements(of: &list, object, operations)
    if isStale { try links.lists.noteStanding(list) }
    // What is not kept says nothing of the others, unless the operations leave it out.
    if list.creates, list.elements.contains(where: { $0.outcome == .left && $0.nested != nil }) {
      list.isComplete = false
    }
    guard list.canAdd || list.isComplete else { return }
    try checkCompleteness(of: list)
    try links.settle(list)
  }

  /// Begins again where a row of a list of links is not complete, and may be skipped: then the list keeps its other members.
  private func checkCompleteness(of list: ListStatement) throws {
    guard run.skipsInvalidRows, list.place.end.linkTable != nil else { return }
    for element in list.elements where element.outcome == .waits {
      let member = list.member(element.identity)
      if applier.incomplete.object(of: member, in: list.target) != nil { try run.logLinks() }
    }
  }

  func statement(
    of reading: PayloadObject.ToManyReading, at place: LinkPlace, _ object: PayloadObject, mask: LinkMask
  ) -> ListStatement {
    ListStatement(
      place: place, owner: owner, target: run.rows(place.end.target), begin: reading.begin,
      isFirst: isNew && !object.hasNestedRows && place.end.target != place.end.owner,
      canAdd: mask.canAdd, creates: mask.creates, isComplete: mask.canRemove,
      hasUnreadableElements: reading.hasUnreadableElements, isEmpty: reading.isEmpty,
      problem: ProblemPlace(object, reading.key))
  }

  func read(
    _ reading: PayloadObject.ToManyReading, into list: inout ListStatement, _ object: PayloadObject
  ) throws {
    list.elements.reserveCapacity(reading.elements.count)
    for element in reading.elements {
      if let noCase = element.noCase {
        if !element.isOfNoCase { list.isComplete = false }
        guard reading.isReported else { continue }
        object.report(
          element.key.path(ofElement: element.index), noCase,
          element.isOfNoCase ? .skippedRow : .ignoredElements)
        continue
      }
      guard let identity = element.identity else {
        list.isComplete = false
        if element.nested != nil { list.target.counts.skipped += 1 }
        object.report(
          element.key.path(ofElement: element.index),
          object.missingIdentity(
            of: element.value, in: list.target.table,
            object.scope(ofListAt: list.place.end.key, in: list.target.table)),
          element.nested == nil ? .ignoredElements : .skippedRow)
        continue
      }
      // What is not kept says nothing of the others.
      if run.skipsRows, element.nested != nil, case let member = list.member(identity),
        run.mode.skipped.error(of: member, in: list.place.end.target) != nil,
        try list.target.storedValues(of: member) == nil
      {
        list.isComplete = false
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
        try run.name(object.nested(nested, in: list.target, key: element.key, element: element.index))
      }
    }
  }

  /// Syncs the rows that are nested in a list.
  func syncElements(
    of list: inout ListStatement, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws {
    for index in list.elements.indices {
      let element = list.elements[index]
      guard let value = element.nested else { continue }
      var nested = Nested(
        value: value, identity: element.identity, key: element.key, element: element.index,
        policies: list.policy?.children ?? [])
      // A member keeps its parent; another gets this one, if it may be added. The list of a row that is not newer has a say in
      // the parent of new rows alone.
      let canAdd =
        links.statements != nil || (isStale ? LinkMask(operations, isNew: isNew).canAdd : list.canAdd)
      if let column = list.column, canAdd || list.current.contains(element.identity) {
        nested.scope = PayloadObject.Scope(position: column.position, parent: row.identity, isFromList: true)
      }
      guard nested.scope != nil || list.target.table.parentScope == nil else {
        try run.name(object.nested(value, in: list.target, key: element.key, element: element.index))
        continue
      }
      list.elements[index].outcome = try sync(nested, in: list.target, of: object, operations)
    }
  }
}
