/// Deciding what lists say when the rows nested in them are synced.
extension ChildLists {
  func settle(_ list: ListStatement) throws {
    guard let column = list.column else { return }
    // A later list of the row stands inside of this one.
    if let last = claims[column]?.lastLists[list.place.owner], last > list.begin { try run.logLinks() }
    let isScoped = list.target.table.parentScope != nil
    var decision = ToManyDecision(
      current: list.current, canAdd: list.canAdd && !isScoped, isComplete: list.isComplete)
    var incomplete: [RowKey] = []
    for element in list.elements {
      let member = LinkPlace(end: column, owner: list.member(element.identity))
      var isKept = true
      switch element.outcome {
      case .left:
        withdraw(member, list)
        isKept = false
      case .waits where !isScoped: incomplete.append(member.owner)
      case .inserted where list.canAdd: isKept = try !isMade(member, list)
      case .known, nil: isKept = try !isMadeAlready(member, list)
      case .inserted, .waits: break
      }
      let decided = try decision.add(
        element.identity, isKept: isKept, exists: list.target.exists(element.identity))
      if decided == .added { try claim(member, list) }
    }
    if list.followsLater, !decision.waiting.isEmpty { try run.logLinks() }
    pending.decide(
      list.place, waitsFor: decision.waiting, begin: list.begin, isComplete: list.isComplete, list.problem)
    try leaveOut(decision.removed, list, column, incomplete: incomplete)
  }

  /// Whether a row that was inserted for a list has its owner; then it is counted.
  private func isMade(_ member: LinkPlace, _ list: ListStatement) throws -> Bool {
    if list.followsLater { try run.logLinks() }
    // A row that nothing wrote since holds the owner it was made with.
    let isUntouched = list.target.table.isGenerated && list.target.journal.writeCount == 0
    guard try isUntouched || run.target(of: member) == list.place.owner.identity else { return false }
    noteListed(member, list)
    return true
  }

  /// Whether a row was made for the list that has it once more.
  private func isMadeAlready(_ member: LinkPlace, _ list: ListStatement) throws -> Bool {
    guard list.canAdd, list.target.journal.isInserted(member.owner), run.isDecided(member) else {
      return false
    }
    return try run.target(of: member) == list.place.owner.identity
  }

  /// A nested row that could not be kept is not taken from its owner.
  private func withdraw(_ member: LinkPlace, _ list: ListStatement) {
    guard let claim = claims[member.end]?.claims[member.owner], claim.begin == list.begin else { return }
    claims[member.end]?.claims[member.owner] = nil
  }

  private func leaveOut(
    _ missing: [SyncIdentity], _ list: ListStatement, _ column: LinkEnd, incomplete: [RowKey]
  ) throws {
    let hasArrivals = missing.contains {
      let member = LinkPlace(end: column, owner: list.member($0))
      return list.target.journal.isInserted(member.owner) || change(of: member, to: list.place.owner) > 0
    }
    // The keys of rows that this payload has brought here say otherwise.
    if hasArrivals || list.isHeldBack { try run.noteOrderTells() }
    if missing.isEmpty || list.policy?.policy == DeletionPolicy.none { return }
    if list.isHeldBack { return run.reportHeldBack(list) }
    if list.followsLater { try run.logLinks() }
    for identity in missing {
      // Of two lists of a row the call may have a policy for one.
      let other = claims[column]?.leftOut[list.member(identity)]
      let policy = list.policy?.policy ?? (other?.place.owner == list.place.owner ? other?.policy : nil)
      let isReported = policy == nil && !column.isOptional
      claims[column, default: ListClaims()].leftOut[list.member(identity)] = ListClaims.LeftOut(
        place: list.place, begin: list.begin, policy: policy,
        problem: isReported ? list.problem.kept() : nil, incomplete: incomplete)
    }
  }
}
