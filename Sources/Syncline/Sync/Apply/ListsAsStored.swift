/// Lists that have the members that are stored: most lists, where a payload comes again. They take little to see, and
/// nothing to be written.
extension RowApplier {
  /// Whether all lists of a row's object are as they are stored; then they are remembered.
  func areListsAsStored(
    _ object: PayloadObject, _ row: RowKey, in model: ModelRows, _ mode: RowMode
  ) throws -> Bool {
    guard LinkMask.applies(mode.operations, isNew: false), !model.journal.isInserted(row) else {
      return false
    }
    return try SyncContext(
      applier: self, run: run, links: links, owner: model, row: row, isNew: false, isStale: false,
      policies: mode.policies,
      writeCount: model.journal.writeCount, decisions: nil
    ).areListsAsStored(object, mode.operations)
  }
}

extension SyncContext {
  fileprivate func areListsAsStored(_ object: PayloadObject, _ operations: SyncRelationshipOperations) throws
    -> Bool
  {
    guard owner.table.updatedAt == nil, !object.isInsideItself, let keys = object.keys else { return false }
    var nested: [NestedList] = []
    for end in owner.lists {
      guard object.states(end.position, in: keys) else { continue }
      let place = LinkPlace(end: end, owner: row)
      if end.linkTable != nil {
        if try isStoredAsKeys(place, object, operations) { continue }
      } else if let list = try listAsStored(place, object, operations) {
        nested.append(list)
        continue
      }
      owner.otherList = place
      return false
    }
    for list in nested { note(list) }
    return true
  }

  private func isStoredAsKeys(
    _ place: LinkPlace, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws -> Bool {
    guard mayBeStoredAsListed(place, policy(of: place.end), LinkMask(operations, isNew: false)) else {
      return false
    }
    return try isStoredAsNumbered(place, object)
      ?? isStoredAsListed(place, object.toMany(place.end.key, target: place.end.targetTable))
  }

  /// What a complete list of a relationship does to the rows that it does not have.
  func policy(of end: LinkEnd) -> ChildPolicy? {
    if let policy = policies.first(where: { $0.position == end.position }) ?? end.childPolicy {
      return policy
    }
    // A row that is unique within its parent can have no other.
    guard let column = end.memberColumn, end.targetTable.parentScope == column.position else { return nil }
    return ChildPolicy(
      position: end.position, policy: .hardDeleteMissing, requireNonEmpty: false, children: [])
  }

  /// Whether a list of keys has those of the links that are stored: then there is nothing to do.
  func isStoredAsListed(
    _ place: LinkPlace, _ reading: PayloadObject.ToManyReading
  ) throws -> Bool {
    guard reading.areKeys(of: try run.members(of: place)) else { return false }
    try links.linkLists.note(place, begin: reading.begin, changes: [])
    return true
  }

  /// Whether a list that has the links that are stored takes nothing but to be remembered, as all there is of them.
  func mayBeStoredAsListed(_ place: LinkPlace, _ policy: ChildPolicy?, _ mask: LinkMask) -> Bool {
    !isNew && !isStale && policy == nil && mask.canRemove && place.end.linkTable != nil
      && links.statements == nil && links.pending.isIdle(owner.table)
  }

  /// Whether a list of integers, or of objects that were met before, has those of the links that are stored, without making
  /// identities of either; nil where it is no such list.
  func isStoredAsNumbered(_ place: LinkPlace, _ object: PayloadObject) throws -> Bool? {
    guard case .integer(let range) = place.end.targetTable.identityKind, !place.end.hasKeyPatterns,
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
    // A key that is there twice is left to the usual way.
    guard zip(keys, keys.dropFirst()).allSatisfy(<) else { return nil }
    guard try run.memberStatement(of: place)?.isOf(keys, owner: row.identity) == true else { return false }
    try links.linkLists.note(place, begin: list.node.offset, changes: [])
    return true
  }
}

extension LinkEnd {
  /// What the schema says happens to members that a complete list does not name.
  fileprivate var childPolicy: ChildPolicy? {
    guard let missing else { return nil }
    let policy: DeletionPolicy =
      switch missing {
      case .keep: .none
      case .delete: .hardDeleteMissing
      case .softDelete: .softDeleteMissing
      }
    return ChildPolicy(position: position, policy: policy, requireNonEmpty: false, children: [])
  }
}

/// Lists of nested rows that are stored as the payload has them: most lists, where a payload comes again.
///
/// Their members are read in one go and compared with the objects, instead of each being looked up by its identity. What is
/// other than that is left to ``SyncContext/updateToMany(_:_:_:)``, before anything is remembered of it.
extension SyncContext {
  /// Whether a list has the members that are stored, in the order in which they are, and none of them differs; then all of
  /// it is remembered.
  func isStoredAsNested(
    _ place: LinkPlace, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws -> Bool {
    guard let list = try listAsStored(place, object, operations) else { return false }
    note(list)
    return true
  }

  /// A list that has the members that are stored, in the order in which they are, where none of them differs; else nil.
  func listAsStored(
    _ place: LinkPlace, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws -> NestedList? {
    guard !isNew, !isStale, operations == .all, place.end.isToMany, let column = place.end.memberColumn,
      links.statements == nil, run.mode.mergedTables.isEmpty, applier.refused.isEmpty,
      applier.incomplete.isEmpty, links.lists.mayBeAsStored(place, column),
      let list = object.onlyList(of: place.end.key),
      object.level < PayloadObject.levelLimit
    else { return nil }
    let target = run.rows(place.end.target)
    guard target.named.scan == nil, target.table.isGenerated, target.table.parentScope == nil,
      links.pending.isIdle(owner.table), !target.mayWait
    else { return nil }
    guard let members = try storedMembers(column, of: target, asIn: list, object) else {
      links.lists.noteWrongGuess(column)
      return nil
    }
    return NestedList(place: place, column: column, members: members, begin: list.value.node.offset)
  }

  /// Remembers a list that is as it is stored.
  func note(_ list: NestedList) {
    let named = run.rows(list.place.end.target).named
    for member in list.members { named.insertListed(member, at: list.column.position) }
    links.lists.noteAsStored(list.place, list.column, begin: list.begin)
  }

  /// The members of a list, where its objects are the same as they are; else nil.
  private func storedMembers(
    _ column: LinkEnd, of target: ModelRows, asIn list: (value: SyncValue, key: String),
    _ object: PayloadObject
  ) throws -> [RowKey]? {
    let (table, named, journal) = (target.table, target.named, target.journal)
    let claims = links.lists.claims[column].flatMap { $0.isEmpty ? nil : $0 }
    let comparison = RowComparison(target, trustsKeys: true)
    let statement = try target.heldRows(at: column.position)
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
        nested?.scope = PayloadObject.Scope(position: column.position, parent: row.identity, isFromList: true)
      }
      guard let nested, comparison.isIdentity(of: nested, statement),
        comparison.match(nested, statement) == .same,
        table.softDelete.map({ statement.column($0).isNull }) ?? true,
        let identity = SyncIdentity(statement.column(table.identity))
      else { return nil }
      let member = RowKey(identity: identity)
      guard !named.containsOutsideScan(member), !journal.isChanged(member), claims?.concern(member) != true
      else { return nil }
      members.append(member)
    }
    return try !members.isEmpty && !statement.step() ? members : nil
  }
}

/// A list of nested rows, and the rows that it has.
struct NestedList {
  let place: LinkPlace
  let column: LinkEnd
  let members: [RowKey]
  let begin: Int
}

extension ChildLists {
  /// Whether a list may be the only one of its row so far, and nothing waits to be decided.
  fileprivate func mayBeAsStored(_ place: LinkPlace, _ column: LinkEnd) -> Bool {
    if run.isDecided(place) { return false }
    guard let claims = claims[column] else { return true }
    return claims.wrongGuesses < ListClaims.guessLimit && claims.lastLists[place.owner] == nil
  }

  fileprivate func noteWrongGuess(_ column: LinkEnd) {
    claims[column, default: ListClaims()].wrongGuesses += 1
  }

  fileprivate func noteAsStored(_ place: LinkPlace, _ column: LinkEnd, begin: Int) {
    claims[column, default: ListClaims()].noteAsStored(begin)
    run.noteDecided(place)
  }
}

extension ListClaims {
  fileprivate mutating func noteAsStored(_ begin: Int) {
    wrongGuesses = 0
    lastBegin = max(lastBegin, begin)
  }

  fileprivate func concern(_ member: RowKey) -> Bool {
    claims[member] != nil || leftOut[member] != nil || unlisted[member] != nil
  }
}

extension PayloadObject {
  /// The list of a to-many relationship, where one of its keys is present alone.
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
