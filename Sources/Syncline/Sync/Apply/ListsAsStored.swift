/// Fast path for lists that have the stored members: most lists, if a payload is synced again. Nothing is written.
extension RowApplier {
  /// Whether all lists of a row's object have the stored members. If so, they are noted.
  func areListsAsStored(
    _ object: PayloadObject, _ row: RowKey, in model: ModelRows, _ mode: RowMode
  ) throws -> Bool {
    guard LinkMask.applies(run.operations, isNew: false), !model.journal.isInserted(row) else {
      return false
    }
    return try SyncContext(
      self, model, row, isNew: false, isStale: false, policies: mode.policies, decisions: nil
    ).areListsAsStored(object)
  }
}

extension SyncContext {
  fileprivate func areListsAsStored(_ object: PayloadObject) throws -> Bool {
    guard owner.table.updatedAt == nil, !object.isInsideItself, let keys = object.keys else { return false }
    var nested: [NestedList] = []
    for end in owner.lists {
      guard object.states(end.position, in: keys) else { continue }
      let place = LinkPlace(end: end, owner: row)
      if end.linkTable != nil {
        if try isStoredAsKeys(place, object) { continue }
      } else if let list = try listAsStored(place, object) {
        nested.append(list)
        continue
      }
      owner.otherList = place
      return false
    }
    for list in nested { note(list) }
    return true
  }

  private func isStoredAsKeys(_ place: LinkPlace, _ object: PayloadObject) throws -> Bool {
    try mayBeStoredAsListed(place, policy(of: place.end), LinkMask(run.operations, isNew: false))
      && (isStoredAsNumbered(place, object)
        ?? isStoredAsListed(place, object.toMany(place.end.key, target: place.end.targetTable)))
  }

  /// What happens to members that are missing from a complete list of a relationship.
  func policy(of end: LinkEnd) -> ChildPolicy? {
    if let policy = policies.first(where: { $0.position == end.position }) { return policy }
    return end.missingPolicy.map { ChildPolicy(position: end.position, policy: $0) }
  }

  /// Whether a list of keys equals the stored links. If so, it is noted, and there is nothing to write.
  func isStoredAsListed(_ place: LinkPlace, _ reading: PayloadObject.ToManyReading) throws -> Bool {
    guard !reading.hasUnreadableElements, reading.areKeys(of: try run.members(of: place)) else {
      return false
    }
    run.noteListOfPage(place)
    try links.linkLists.note(place)
    return true
  }

  /// Whether a list that equals the stored links only has to be noted, as a complete list.
  func mayBeStoredAsListed(_ place: LinkPlace, _ policy: ChildPolicy?, _ mask: LinkMask) -> Bool {
    !isNew && !isStale && policy == nil && mask.canRemove && place.end.linkTable != nil
      && links.statements == nil && links.pending.isIdle(owner.table)
  }

  /// Whether a list of integers, or of objects that were seen before, equals the stored links; nil for other lists.
  func isStoredAsNumbered(_ place: LinkPlace, _ object: PayloadObject) throws -> Bool? {
    guard run.deletedRows?.includesKeys != true, place.end.hasPlainKeys,
      case .integer(let range) = place.end.targetTable.identityKind,
      let list = object.onlyList(of: place.end.key)?.value
    else { return nil }
    if place.end.inverse == nil, object.isInsideItself { return nil }
    var keys: ContiguousArray<Int64> = []
    keys.reserveCapacity(list.elements.underestimatedCount)
    let target = run.rows(place.end.target)
    let isOfUnion = place.end.property.union != nil
    for value in list.elements {
      if value.isObject {
        guard object.level < PayloadObject.levelLimit, case .integer(let key)? = target.seenRow(value) else {
          return nil
        }
        keys.append(key)
      } else if !(isOfUnion && value.bool == false) {
        guard value.isNumber, let key = NumberText.plainInteger(value.content), range.contains(key) else {
          return nil
        }
        keys.append(key)
      }
    }
    keys.sort()
    // A list with a duplicate key takes the slow path.
    guard zip(keys, keys.dropFirst()).allSatisfy(<) else { return nil }
    guard try run.memberStatement(of: place)?.isOf(keys, owner: row.identity) == true else { return false }
    run.noteListOfPage(place)
    try links.linkLists.note(place)
    return true
  }
}

/// Fast path for lists of nested rows that equal the stored ones. The members are read with one statement, not with one lookup
/// each. All other lists are left to ``SyncContext/updateToMany(_:_:)``, before anything of them is noted.
extension SyncContext {
  /// A list with the stored members, in the stored order, if none of them differs; else nil.
  func listAsStored(_ place: LinkPlace, _ object: PayloadObject) throws -> NestedList? {
    guard !isNew, !isStale, run.operations == .all, place.end.isToMany, let column = place.end.memberColumn,
      links.statements == nil, !run.mode.mergesAny, applier.incomplete.isEmpty,
      links.lists.mayBeAsStored(place, column),
      let list = object.onlyList(of: place.end.key),
      object.level < PayloadObject.levelLimit
    else { return nil }
    let target = run.rows(place.end.target)
    if run.deletedRows?.concerns(target.table) == true { return nil }
    // The members of a union may be in lists of other cases, and the keys of a page's rows must be noted.
    guard target.table.unionGates[column.position] == nil,
      target.notedEnds.allSatisfy({ $0 == column })
    else { return nil }
    guard target.named.scan == nil, target.table.isGenerated, target.table.parentScope == nil,
      links.pending.isIdle(owner.table), !target.mayWait
    else { return nil }
    guard let members = try storedMembers(column, of: target, asIn: list, object) else {
      links.lists.changes[column, default: ListChanges()].wrongGuesses += 1
      return nil
    }
    return NestedList(place: place, column: column, members: members)
  }

  /// Notes a list that equals the stored one.
  func note(_ list: NestedList) {
    let named = run.rows(list.place.end.target).named
    for member in list.members {
      named.insert(member)
      named.mark(member, at: list.column.position)
    }
    links.lists.changes[list.column]?.wrongGuesses = 0
    run.noteListOfPage(list.place)
    run.noteDecided(list.place)
  }

  /// The stored members of a list, if they equal its objects; else nil.
  private func storedMembers(
    _ column: LinkEnd, of target: ModelRows, asIn list: (value: SyncValue, key: String),
    _ object: PayloadObject
  ) throws -> [RowKey]? {
    let (table, named, journal) = (target.table, target.named, target.journal)
    let changes = links.lists.changes[column]
    let comparison = target.comparison
    let statement = try target.referringRows(at: column.position)
    defer { statement.reset() }
    row.identity.bind(to: statement.restart(), at: 1)
    var nested: PayloadObject?
    var members: [RowKey] = []
    for value in list.value.elements {
      if members.count & 1_023 == 0 { try run.checkCancellation() }
      guard value.isObject, try statement.step() else { return nil }
      if let nested {
        nested.move(to: value.position)
      } else {
        nested = object.nested(value, in: target, key: list.key, element: 0)
        nested?.scope = scope(at: column)
      }
      guard let nested, comparison.isIdentity(of: nested, statement),
        comparison.match(nested, statement) == .same,
        table.softDelete.map({ statement.column($0).isNull }) ?? true,
        let identity = SyncIdentity(statement.column(table.identity))
      else { return nil }
      let member = RowKey(identity: identity)
      guard !named.containsOutsideScan(member), !journal.isChanged(member), changes?.concern(member) != true
      else { return nil }
      members.append(member)
    }
    return try !members.isEmpty && !statement.step() ? members : nil
  }
}

struct NestedList {
  let place: LinkPlace
  let column: LinkEnd
  let members: [RowKey]
}

extension ChildLists {
  /// Whether this may be its row's first list, and recent lists of the column equaled the stored ones.
  fileprivate func mayBeAsStored(_ place: LinkPlace, _ column: LinkEnd) -> Bool {
    if run.isDecided(place) { return false }
    guard let changes = changes[column] else { return true }
    return changes.wrongGuesses < ListChanges.guessLimit && !changes.partial.contains(place.owner)
  }
}

extension PayloadObject {
  /// The list of a to-many relationship, if only one of its keys is present.
  func onlyList(of key: SyncKey) -> (value: SyncValue, key: String)? {
    guard isAlone else { return nil }
    var list: (value: SyncValue, key: String)?
    for candidate in candidates(of: key) {
      switch lookUp(candidate) {
      case .absent: continue
      case .found(let value) where value.isArray && list == nil: list = (value, candidate.text)
      case .null, .unreadable, .found: return nil
      }
    }
    return list
  }
}
