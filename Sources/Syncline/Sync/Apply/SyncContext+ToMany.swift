extension SyncContext {
  /// Makes the members of a to-many relationship match the payload's list.
  func updateToMany(_ place: LinkPlace, _ object: PayloadObject) throws {
    let isKnownOther = owner.otherList == place
    if isKnownOther { owner.otherList = nil }
    if !isKnownOther, let list = try listAsStored(place, object) { return note(list) }
    let end = place.end
    let policy = policy(of: end)
    let mask = LinkMask(run.operations, isNew: isNew, isStale: isStale)
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
      return try state(toMany: place, reading, object, in: statements)
    }
    // A join table's list that is inside another one of the same row is read before it, but begins later.
    if end.inverse == nil, object.isInsideItself { try run.logLinks() }
    if mayBeAsStored, isStoredAsNumbered == nil, try isStoredAsListed(place, reading) { return }
    var list = try statement(of: reading, at: place, object, mask, policy)
    if policy?.policy == DeletionPolicy.none { list.isComplete = false }
    if isStale {
      try links.noteStale(list)
    } else {
      try links.lists.claimMembers(of: &list)
    }
    try syncElements(of: &list, object)
    guard list.canAdd || list.isComplete else { return }
    if !list.isComplete { run.partialEnds.insert(place.end) }
    try links.settle(list)
  }

  func statement(
    of reading: PayloadObject.ToManyReading, at place: LinkPlace, _ object: PayloadObject, _ mask: LinkMask,
    _ policy: ChildPolicy?
  ) throws -> ListStatement {
    var list = ListStatement(
      place: place, target: run.rows(place.end.target), begin: reading.begin,
      isFirst: isNew && !object.hasNestedRows && place.end.target != place.end.owner,
      canAdd: mask.canAdd, creates: mask.creates, isComplete: mask.canRemove,
      policy: policy, hasUnreadableElements: reading.hasUnreadableElements, isEmpty: reading.isEmpty,
      problem: ProblemPlace(object, reading.key))
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
      guard let read = ListStatement.Element(element), case let identity = read.identity else {
        list.isComplete = false
        if element.nested != nil { list.target.counts.skipped += 1 }
        object.report(
          element.key.path(ofElement: element.index),
          object.missingIdentity(
            of: element.value, at: place.end, object.scope(of: place.end.key, in: list.target.table)),
          element.nested == nil ? .ignoredElements : .skippedRow)
        continue
      }
      if element.isReference, object.isPlaceholder(identity) {
        try run.name(
          object.nested(element.value, in: list.target, key: element.key, element: element.index))
      }
      // A row that is not kept makes the list incomplete.
      if run.skipsRows, element.nested != nil, case let member = list.member(identity),
        run.mode.skipped.error(of: member, in: list.place.end.target) != nil,
        try list.target.storedValues(of: member) == nil
      {
        list.isComplete = false
      }
      list.elements.append(read)
    }
    list.deleted = reading.deleted.compactMap { ListStatement.Element($0) }
    if reading.extras.isEmpty { return list }
    let keys = Set(reading.elements.compactMap(\.identity))
    for element in reading.extras {
      guard let read = ListStatement.Element(element, isNextToKeys: true) else { continue }
      if keys.contains(read.identity) {
        list.elements.append(read)
      } else if let nested = element.nested {
        let other = object.nested(nested, in: list.target, key: element.key, element: element.index)
        other.scope = list.column.map(scope)
        try run.name(other)
      }
    }
    return list
  }

  func syncElements(of list: inout ListStatement, _ object: PayloadObject) throws {
    for index in list.elements.indices {
      let element = list.elements[index]
      guard let value = element.nested else { continue }
      var nested = nested(element, value, in: list)
      // Members keep their parent. Other rows get this one if they may be added. The list of a stale row sets the parent of new
      // rows only. If rows may not be added, none are inserted, and what a row states about its parent does not count either.
      let canAdd =
        links.statements != nil
        || (isStale
          ? LinkMask(run.operations, isNew: isNew).canAdd
          : list.canAdd || list.target.table.parentScope == nil)
      if let column = list.column, canAdd || list.current.contains(element.identity) {
        nested.scope = scope(at: column)
      }
      guard nested.scope != nil || list.target.table.parentScope == nil else {
        try run.name(object.nested(value, in: list.target, key: element.key, element: element.index))
        continue
      }
      list.elements[index].outcome = try sync(nested, in: list.target, of: object)
    }
    // The objects of deleted rows are not members, but those of a model with `@SoftDelete` are applied.
    for element in list.deleted {
      guard let value = element.nested else { continue }
      var nested = nested(element, value, in: list)
      nested.scope = list.column.map(scope)
      _ = try sync(nested, in: list.target, of: object)
    }
    // A nested row that is not kept makes the list incomplete, unless the operations leave it out.
    if list.creates, list.elements.contains(where: { $0.outcome == .left && $0.nested != nil }) {
      list.isComplete = false
    }
  }

  private func nested(_ element: ListStatement.Element, _ value: SyncValue, in list: ListStatement) -> Nested
  {
    Nested(
      value: value, identity: element.identity, key: element.key, element: element.index,
      policies: list.policy?.children ?? [])
  }
}
