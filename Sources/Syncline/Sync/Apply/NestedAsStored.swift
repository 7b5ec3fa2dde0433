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
      !run.mode.decidesListsAtEnd, run.mode.mergedTables.isEmpty, applier.refused.isEmpty,
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
