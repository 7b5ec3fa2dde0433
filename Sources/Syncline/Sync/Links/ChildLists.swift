/// What the lists of a payload say of the rows that a to-one column belongs to.
///
/// A row that is listed where it is already is marked, and takes no more; only what changes is remembered, and written
/// when all of the payload was read.
struct ListClaims {
  struct Claim {
    let owner: ModelSession
    let position: Int
    let key: RowKey
    let begin: Int
    /// Whether the row was inserted for another list, which has counted it.
    let wasCounted: Bool
  }

  struct LeftOut {
    let owner: ModelSession
    let position: Int
    let key: RowKey
    let begin: Int
    let policy: DeletionPolicy?
    /// Where a member that has to stay is reported.
    let place: ProblemPlace?
    /// Nested rows that wait to be completed: where one is skipped, the list keeps its other members.
    let incomplete: [RowKey]
  }

  /// The rows that go to another owner.
  var claims: [RowKey: Claim] = [:]
  /// Members that their owner's list does not name.
  var leftOut: [RowKey: LeftOut] = [:]
  /// Rows whose own key leads to an owner whose list has been read, and does not name them.
  var unlisted: [RowKey: SyncIdentity] = [:]
  /// Rows that the lists of stale owners name, and do not have.
  var named: [RowKey: SyncIdentity] = [:]
  /// Where the lists of stale owners begin that have rows, where lists are decided at the end.
  var kept: [RowKey: Int] = [:]
  /// Where the last list begins that was read.
  var lastBegin = -1
  /// Where the last list begins of the rows that have several.
  var lastLists: [RowKey: Int] = [:]

  /// Whether nothing has to be written.
  var isEmpty: Bool { claims.isEmpty && leftOut.isEmpty && unlisted.isEmpty }

  /// Takes what has to be written, and goes on with what was read.
  mutating func takeUnwritten() -> ListClaims {
    defer { (claims, leftOut, unlisted) = ([:], [:], [:]) }
    return self
  }
}

extension SyncSession {
  /// Reads a list of rows that hold their owner: takes those that are others' now.
  ///
  /// It runs before the rows that are nested in the list are synced: their lists begin later, and count more.
  func claimMembers(of list: inout ListStatement) throws {
    guard let slot = list.slot else { return }
    // Nothing holds the identity of a row that is new just now, but what requires it.
    if !list.isFirst || decidesListsAtEnd || !requiredLinks.isEmpty || list.target.table.parentScope != nil {
      list.current = Set(try members(list.owner, list.position, list.key))
    }
    guard list.canAdd || list.isComplete else { return }
    let hasList = list.owner.isMarked(list.key, at: list.position)
    let last = list.target.claims[slot]?.lastLists[list.key] ?? -1
    let lastOfAll = list.target.claims[slot]?.lastBegin ?? -1
    list.followsLater = !decidesListsAtEnd && list.begin < (hasList ? lastOfAll : last)
    if hasList || (list.isComplete && last >= 0) { try replaceEarlierList(list, slot) }
    if hasList || !list.isComplete {
      list.target.claims[slot, default: ListClaims()].lastLists[list.key] = max(last, list.begin)
    }
    for element in list.elements {
      if list.current.contains(element.identity) {
        confirm(list.member(element.identity), list, slot)
      } else if list.canAdd, list.target.table.parentScope == nil, try list.target.exists(element.identity) {
        try claim(list.member(element.identity), list, slot)
      }
    }
    list.target.claims[slot, default: ListClaims()].lastBegin = max(list.begin, lastOfAll)
    if list.isComplete { list.owner.mark(list.key, at: list.position) }
  }

  /// A later list of the same row replaces an earlier one.
  private func replaceEarlierList(_ list: ListStatement, _ slot: Int) throws {
    guard let claims = list.target.claims[slot]?.claims, !claims.isEmpty else { return }
    let listed = Set(list.elements.map { list.member($0.identity) })
    let isOther = claims.contains { member, claim in
      claim.owner === list.owner && claim.key == list.key && !listed.contains(member)
    }
    // Whom the earlier list took its rows from was not remembered.
    if isOther { try contradict() }
  }

  /// A list names a row that is its owner's already.
  private func confirm(_ member: RowKey, _ list: ListStatement, _ slot: Int) {
    if list.target.claims[slot]?.isEmpty == false {
      if let claim = list.target.claims[slot]?.claims[member], claim.begin <= list.begin {
        list.target.claims[slot]?.claims[member] = nil
      }
      if let leftOut = list.target.claims[slot]?.leftOut[member], leftOut.begin <= list.begin {
        list.target.claims[slot]?.leftOut[member] = nil
      }
      list.target.claims[slot]?.unlisted[member] = nil
    }
    let isNew = list.target.isInserted(member) || list.target.isChanged(member)
    if isNew, !list.target.isMarked(member, at: slot) {
      links.recordListed(list.owner, list.position, list.key, member)
    }
    list.target.mark(member, at: slot)
    pending.forgetKey(list.target, slot, member.identity)
  }

  /// A list takes a row from another owner, or from none.
  private func claim(_ member: RowKey, _ list: ListStatement, _ slot: Int) throws {
    let target = list.target
    if list.followsLater { try contradict() }
    let isListed = target.isMarked(member, at: slot)
    let other = target.claims[slot]?.claims[member]
    if let other, other.begin > list.begin { return }
    if let kept = target.claims[slot]?.kept[member], kept > list.begin { return }
    target.claims[slot]?.unlisted[member] = nil
    if other == nil, isListed, list.begin < target.claims[slot]?.lastBegin ?? -1 {
      try contradict()
    }
    target.claims[slot, default: ListClaims()].claims[member] = ListClaims.Claim(
      owner: list.owner, position: list.position, key: list.key, begin: list.begin,
      wasCounted: other?.wasCounted ?? (isListed && target.isInserted(member)))
    target.mark(member, at: slot)
    pending.forgetKey(target, slot, member.identity)
  }

  /// Takes a row that a list has waited for.
  func claimArrived(
    _ member: RowKey, for owner: ModelSession, _ position: Int, _ key: RowKey, begin: Int,
    in target: ModelSession, _ slot: Int
  ) throws {
    let other = target.claims[slot]?.claims[member]
    if let other, other.begin > begin { return }
    if other == nil, target.isMarked(member, at: slot) {
      // Another list has the row, and where that one begins was not remembered.
      if try target.target(of: slot, in: member) != key.identity { try contradict() }
      return
    }
    target.claims[slot, default: ListClaims()].claims[member] = ListClaims.Claim(
      owner: owner, position: position, key: key, begin: begin, wasCounted: false)
    target.mark(member, at: slot)
  }

  /// Takes a list as it stands when the rows nested in it are synced.
  func settle(_ list: ListStatement) throws {
    guard let slot = list.slot else { return try settleLinks(list) }
    // A later list of the row stands inside of this one.
    if let last = list.target.claims[slot]?.lastLists[list.key], last > list.begin {
      try contradict()
    }
    let isScoped = list.target.table.parentScope != nil
    var missing = list.current
    var waiting: [SyncIdentity] = []
    var isWaiting: Set<SyncIdentity> = []
    var incomplete: [RowKey] = []
    for element in list.elements {
      let member = list.member(element.identity)
      if !missing.isEmpty { missing.remove(element.identity) }
      switch element.outcome {
      case .left:
        withdraw(member, list, slot)
        continue
      case .waits where !isScoped:
        incomplete.append(member)
      case .inserted where list.canAdd:
        if list.followsLater { try contradict() }
        if try isMade(member, list, slot) {
          if !list.target.isMarked(member, at: slot) {
            links.recordListed(list.owner, list.position, list.key, member)
          }
          list.target.mark(member, at: slot)
          continue
        }
      case .known, .inserted, .waits, nil: break
      }
      guard list.canAdd, !isScoped, !list.current.contains(element.identity) else { continue }
      if try list.target.exists(element.identity) {
        try claim(member, list, slot)
      } else if isWaiting.insert(element.identity).inserted {
        waiting.append(element.identity)
      }
    }
    if list.followsLater, !waiting.isEmpty { try contradict() }
    pending.decide(
      list.owner, list.position, list.key, waitsFor: waiting, begin: list.begin,
      isComplete: list.isComplete, list.place)
    guard list.isComplete else { return }
    try leaveOut(missing, list, slot, incomplete)
  }

  /// Whether a row that was inserted for a list has its owner.
  private func isMade(_ member: RowKey, _ list: ListStatement, _ slot: Int) throws -> Bool {
    // A row that nothing wrote since holds the owner it was made with.
    if list.target.table.isGenerated, list.target.rowWrites == 0 { return true }
    return try list.target.target(of: slot, in: member) == list.key.identity
  }

  /// A nested row that could not be kept is not taken from its owner.
  private func withdraw(_ member: RowKey, _ list: ListStatement, _ slot: Int) {
    guard let claim = list.target.claims[slot]?.claims[member], claim.begin == list.begin else { return }
    list.target.claims[slot]?.claims[member] = nil
  }

  /// Reports an empty list that deletes nothing.
  func reportHeldBack(_ list: ListStatement) {
    log.record(
      SyncProblem(
        model: list.owner.table.name, row: list.place.row, identity: list.key.identity.description,
        path: list.place.path, reason: "an empty list", action: .deletedNothing))
  }

  private func leaveOut(
    _ missing: Set<SyncIdentity>, _ list: ListStatement, _ slot: Int, _ incomplete: [RowKey]
  ) throws {
    if missing.isEmpty || list.policy?.policy == DeletionPolicy.none { return }
    if list.isHeldBack { return reportHeldBack(list) }
    if list.followsLater { try contradict() }
    for identity in missing {
      // Of two lists of a row the call may have a policy for one.
      let other = list.target.claims[slot]?.leftOut[list.member(identity)]
      let policy = list.policy?.policy ?? (other?.key == list.key ? other?.policy : nil)
      let isReported = policy == nil && !list.target.table.properties[slot].isOptional
      list.target.claims[slot, default: ListClaims()].leftOut[list.member(identity)] = ListClaims.LeftOut(
        owner: list.owner, position: list.position, key: list.key, begin: list.begin,
        policy: policy, place: isReported ? list.place.kept() : nil, incomplete: incomplete)
    }
  }

  // MARK: The end

  /// Writes what the lists of the payload say, now that all of it is known.
  func writeChildLists() throws {
    for model in order {
      for slot in model.claims.keys.sorted() {
        guard let lists = model.claims[slot]?.takeUnwritten() else { continue }
        for (member, claim) in lists.claims.sorted(by: { $0.key.identity < $1.key.identity }) {
          try write(claim, of: member, in: model, slot)
        }
        for (member, leftOut) in lists.leftOut.sorted(by: { $0.key.identity < $1.key.identity })
        where lists.claims[member] == nil {
          try remove(member, leftOut, in: model, slot)
        }
        for (member, owner) in lists.unlisted.sorted(by: { $0.key.identity < $1.key.identity })
        where lists.claims[member] == nil && model.table.properties[slot].isOptional {
          guard try model.target(of: slot, in: member) == owner else { continue }
          _ = try model.link(member, slot, to: nil)
        }
      }
    }
  }

  private func write(_ claim: ListClaims.Claim, of member: RowKey, in model: ModelSession, _ slot: Int) throws
  {
    if model.isGiven(member, at: slot) { return }
    if claim.wasCounted, let old = try model.target(of: slot, in: member),
      claim.owner.isInserted(RowKey(identity: old))
    {
      claim.owner.counts.linked -= 1
    }
    let isLinked = try model.link(member, slot, to: claim.key.identity)
    if isLinked || (model.isInserted(member) && !claim.wasCounted) {
      links.recordListed(claim.owner, claim.position, claim.key, member)
    }
  }

  private func remove(_ member: RowKey, _ leftOut: ListClaims.LeftOut, in model: ModelSession, _ slot: Int)
    throws
  {
    // What its own key moved is no member that is missing.
    guard !model.isGiven(member, at: slot), try model.target(of: slot, in: member) == leftOut.key.identity,
      !leftOut.incomplete.contains(where: { model.isSkipped($0) })
    else { return }
    if let policy = leftOut.policy {
      if !model.isNamed(member) { try delete([member], in: model, policy) }
    } else if model.table.properties[slot].isOptional {
      if try model.link(member, slot, to: nil) {
        if model.isInserted(member), leftOut.owner.isInserted(leftOut.key) {
          // An earlier list of the row may have counted it.
          if model.isMarked(member, at: slot) { leftOut.owner.counts.linked -= 1 }
        } else {
          links.recordListed(leftOut.owner, leftOut.position, leftOut.key, member)
        }
      }
    } else if let place = leftOut.place {
      log.record(
        SyncProblem(
          model: leftOut.owner.table.name, row: place.row, identity: leftOut.key.identity.description,
          path: place.path,
          reason: "\(model.table.name) \(member.identity) is missing, and its"
            + " “\(model.table.properties[slot].name)” is required", action: .keptRow))
    }
  }

  /// Decides the lists of the payload in the order they begin: of each row the last one that is complete, and those
  /// after it, which add to it.
  func decideLists() throws {
    guard decidesListsAtEnd else { return }
    var policies: [LinkPlace: ChildPolicy] = [:]
    for list in lists where list.isComplete {
      lastCompleteLists[list.linkPlace] = max(lastCompleteLists[list.linkPlace] ?? list.begin, list.begin)
      if let policy = list.policy { policies[list.linkPlace] = policy }
    }
    var counting = lists.filter { $0.begin >= lastCompleteLists[$0.linkPlace] ?? $0.begin }
    lists = []
    counting.sort { $0.begin < $1.begin }
    for index in counting.indices {
      if counting[index].policy == nil { counting[index].policy = policies[counting[index].linkPlace] }
      try claimMembers(of: &counting[index])
      try settle(counting[index])
    }
    try decideOwnKeys()
  }
}
