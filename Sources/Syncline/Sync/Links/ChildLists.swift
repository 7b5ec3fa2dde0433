/// Lists whose members store their owner in a column. Changes are noted, and written after the whole payload was read. If two
/// lists conflict about a row, or a list and the row's own key do, the call restarts and logs all link statements.
final class ChildLists {
  unowned(unsafe) let run: Run
  let pending: PendingLinks
  let missing: MissingRows
  /// The changes of the lists, by their members' column.
  var changes: [LinkEnd: ListChanges] = [:]

  init(_ run: Run, _ pending: PendingLinks, missing: MissingRows) {
    self.run = run
    self.pending = pending
    self.missing = missing
  }

  // MARK: Before the rows nested in a list are synced

  /// Reads a list, and claims the rows that have another owner now.
  func claimMembers(of list: inout ListStatement) throws {
    guard let column = list.column else { return }
    // Only a row that requires a just inserted row can reference it already.
    if !list.isFirst || !run.placeholders.required.isEmpty || list.target.table.parentScope != nil {
      list.current = try members(of: list, column)
    }
    // A list that neither adds nor removes rows still takes precedence over the own keys of its members.
    if try isRepeated(list, column) {
      list.isRepeated = true
      return
    }
    for element in list.elements {
      let member = LinkPlace(end: column, owner: list.member(element.identity))
      if list.current.contains(element.identity) {
        if changes[column]?.claimant(of: member.owner) != nil { try run.logLinks() }
        try checkOtherCases(of: member)
        noteListed(member, list, isCounted: list.target.journal.isInserted(member.owner))
        if list.canAdd || list.isComplete { pending.forgetKey(member) }
      } else if !list.canAdd {
        // The row's own key has removed the link that the list states.
        let link = Link(place: member, member: list.place.owner.identity)
        if run.ledger.change(of: link) < 0 { try run.logLinks() }
      } else if list.target.table.parentScope == nil, try list.target.exists(element.identity) {
        try claim(member, list)
      }
    }
    if list.isWhole {
      run.noteDecided(list.place)
    } else {
      changes[column, default: ListChanges()].partial.insert(list.place.owner)
    }
  }

  /// The members before a list. For further lists of a row that only add, just those that the list has: a row may have many.
  private func members(of list: ListStatement, _ column: LinkEnd) throws -> Set<SyncIdentity> {
    guard !list.isComplete, changes[column]?.partial.contains(list.place.owner) == true else {
      return Set(try run.members(of: list.place))
    }
    let owner = list.place.owner.identity
    return Set(
      try list.elements.map(\.identity).filter { identity in
        try run.target(of: LinkPlace(end: column, owner: list.member(identity))) == owner
      })
  }

  /// Whether the row already has a list with the same members. Restarts if they differ.
  private func isRepeated(_ list: ListStatement, _ column: LinkEnd) throws -> Bool {
    let isPartial = changes[column]?.partial.contains(list.place.owner) == true
    guard run.isDecided(list.place) else {
      if isPartial, list.isWhole { try run.logLinks() }
      return false
    }
    let members = Set(list.elements.map(\.identity))
    let waiting = pending.targets(of: list.place)
    let known = changes[column]
    let isSame = members.allSatisfy { identity in
      let member = list.member(identity)
      if list.current.contains(identity) { return known?.leavesOut(member) != true }
      return known?.claimant(of: member) == list.place || waiting.contains(identity)
    }
    let stays = list.current.count { known?.leavesOut(list.member($0)) != true }
    let count = stays + (known?.claimCount(of: list.place.owner) ?? 0) + waiting.count
    if !list.isComplete || isPartial || !isSame || members.count != count { try run.logLinks() }
    // If another list waits for the same row, the list that begins last has it.
    if !waiting.isEmpty {
      pending.decide(list.place, waitsFor: waiting, begin: list.begin, list.problem)
    }
    return true
  }

  /// Notes that a list decides a member, and counts the member the first time.
  private func noteListed(_ member: LinkPlace, _ list: ListStatement, isCounted: Bool = true) {
    if isCounted, !run.isDecided(member) {
      run.ledger.recordListed(member.owner, at: list.place)
    }
    run.noteDecided(member)
  }

  /// Claims a row that has another owner, or none.
  private func claim(_ member: LinkPlace, _ list: ListStatement) throws {
    let known = changes[member.end]?.claimant(of: member.owner)
    if known == list.place { return }
    if known != nil || run.isDecided(member) { try run.logLinks() }
    try checkOtherCases(of: member)
    changes[member.end, default: ListChanges()].add(member.owner, to: list.place)
    run.noteDecided(member)
    pending.forgetKey(member)
  }

  /// Claims the row of a list's pending link.
  func claimArrived(_ member: LinkPlace, for place: LinkPlace) throws {
    if let known = changes[member.end]?.claimant(of: member.owner) {
      if known != place { try run.logLinks() }
    } else if run.isDecided(member) {
      if try run.target(of: member) != place.owner.identity { try run.logLinks() }
    } else {
      changes[member.end, default: ListChanges()].add(member.owner, to: place)
      run.noteDecided(member)
    }
  }

  /// Restarts if the list of another case of a union has the row.
  private func checkOtherCases(of member: LinkPlace) throws {
    if run.otherCases(of: member).contains(where: run.isDecided) { try run.logLinks() }
  }

  /// Notes a list of a stale row, which has the stored members.
  func noteStale(_ list: ListStatement, _ members: Set<SyncIdentity>) throws {
    guard let column = list.column else { return }
    let known = changes[column]
    if known?.changes(listsOf: list.place.owner) == true { try run.logLinks() }
    run.noteDecided(list.place)
    for identity in members {
      let member = LinkPlace(end: column, owner: list.member(identity))
      if known?.concern(member.owner) == true { try run.logLinks() }
      run.noteDecided(member)
    }
  }

  // MARK: When they are synced

  func settle(_ list: ListStatement) throws {
    guard let column = list.column, !list.isRepeated else { return }
    let isScoped = list.target.table.parentScope != nil
    var decision = ToManyDecision(
      current: list.current, canAdd: list.canAdd && !isScoped, isComplete: list.isComplete)
    let uninserted = list.uninserted
    for element in list.elements {
      let member = LinkPlace(end: column, owner: list.member(element.identity))
      var isKept = true
      switch element.outcome {
      case .left:
        changes[column]?.withdraw(member.owner, from: list.place)
        isKept = false
      case .inserted where list.canAdd: isKept = try !isMade(member, list)
      case .known, nil:
        isKept = try !uninserted.contains(element.identity) && !isAlreadyInserted(member, list)
      case .inserted, .waits: break
      }
      let decided = try decision.add(
        element.identity, isKept: isKept, exists: list.target.exists(element.identity))
      if decided == .added { try claim(member, list) }
    }
    // Between two lists of a row, another row's may wait for the same member; so may the list of another case of a union.
    if !decision.waiting.isEmpty,
      column.table.unionGates[column.position] != nil
        || (!list.isWhole && !pending.targets(of: list.place).isEmpty)
    {
      try run.logLinks()
    }
    pending.decide(
      list.place, waitsFor: decision.waiting, begin: list.begin, isComplete: list.isWhole, list.problem)
    for identity in decision.waiting {
      changes[column, default: ListChanges()].awaited.insert(list.member(identity), .named)
    }
    try leaveOut(decision.removed, list, column)
  }

  /// Whether a row that was inserted for a list has its owner. If so, it is counted.
  private func isMade(_ member: LinkPlace, _ list: ListStatement) throws -> Bool {
    // A row that was not written since its insertion still has its first owner.
    let isUntouched = list.target.table.isGenerated && list.target.journal.writeCount == 0
    guard try isUntouched || run.target(of: member) == list.place.owner.identity else { return false }
    noteListed(member, list)
    return true
  }

  /// Whether a row was already inserted for the list, which has it twice.
  private func isAlreadyInserted(_ member: LinkPlace, _ list: ListStatement) throws -> Bool {
    try list.canAdd && list.target.journal.isInserted(member.owner) && run.isDecided(member)
      && run.target(of: member) == list.place.owner.identity
  }

  private func leaveOut(_ missing: [SyncIdentity], _ list: ListStatement, _ column: LinkEnd) throws {
    if missing.isEmpty || list.policy?.policy == DeletionPolicy.none { return }
    for identity in missing {
      let member = LinkPlace(end: column, owner: list.member(identity))
      // The row's own key, which has moved it here, conflicts with the list.
      let isArrival = run.ledger.change(of: Link(place: member, member: list.place.owner.identity)) > 0
      if isArrival || list.target.journal.isInserted(member.owner) { try run.logLinks() }
    }
    if list.isHeldBack { return run.reportHeldBack(list) }
    // Also under a policy: a row that the payload contains is not deleted, and may require its owner.
    changes[column, default: ListChanges()].leaveOut(
      missing.map(list.member), of: list.place, list.policy?.policy,
      reportedAt: column.isOptional ? nil : list.problem.kept)
  }

  /// Whether a row's own key conflicts with its target's list: that list was read, and no list has the row.
  func isUnlisted(_ place: LinkPlace, _ target: SyncIdentity) -> Bool {
    guard let end = place.end.inverse, !run.isDecided(place) else { return false }
    let list = LinkPlace(end: end, owner: RowKey(identity: target))
    // The list may have the row as a pending link, since the row is new.
    return run.isDecided(list) && changes[place.end]?.awaited.contains(place.owner, .named) != true
  }
}
