/// Lists whose links are stored in a table of their own. They are written as they are read: of two lists that
/// contradict each other the one that begins later is written later, and so counts.
final class LinkLists {
  private unowned(unsafe) let run: SyncRun
  /// Where the last list begins of each table of links, by one of the table's ends.
  private var lastBegins: [ObjectIdentifier: Int] = [:]

  init(_ run: SyncRun) {
    self.run = run
  }

  func settle(_ list: ListStatement) throws {
    guard list.place.end.linkTable != nil else { return }
    let members = try list.isFirst && !run.mode.decidesListsAtEnd ? [] : run.members(of: list.place)
    var decision = ToManyDecision(current: Set(members), canAdd: list.canAdd, isComplete: list.isComplete)
    for element in list.elements {
      if element.outcome == .waits, run.skipsInvalidRows {
        // Where the row is skipped in the end, the list keeps its other members.
        let member = list.member(element.identity)
        if run.incomplete.object(of: member, in: list.target) != nil { try run.contradict() }
        if list.target.journal.isSkipped(member) { decision.keepsOthers = true }
      }
      try decision.add(
        element.identity, isKept: element.outcome != .left, exists: list.target.exists(element.identity))
    }
    let removed = decision.removed
    run.pending.decide(
      list.place, waitsFor: decision.waiting, begin: list.begin, isComplete: list.isComplete, list.problem)
    let added = decision.added + decision.waiting
    try note(
      list.place, begin: list.begin, isComplete: list.isComplete,
      changes: list.policy == nil ? added + removed : added)
    for identity in decision.added { try run.addMember(identity, to: list.place) }
    if !removed.isEmpty { try remove(removed, list) }
  }

  private func remove(_ removed: [SyncIdentity], _ list: ListStatement) throws {
    guard let policy = list.policy else {
      for identity in removed { try run.removeMember(identity, from: list.place) }
      return
    }
    if policy.policy == .none { return }
    if list.isHeldBack { return run.reportHeldBack(list) }
    // What is deleted first may keep other rows from it.
    try run.noteOrderTells()
    run.missing.postpone(removed.map { RowKey(identity: $0) }, in: list.target, policy.policy)
  }

  /// Remembers that a row has a list of its links, where the other end may have one too.
  func note(_ place: LinkPlace, begin: Int, isComplete: Bool = true, changes: [SyncIdentity]) throws {
    guard let far = place.end.inverse, let link = place.end.linkTable else { return }
    let hasList = run.isDecided(place)
    if isComplete { run.noteDecided(place) }
    let table = ObjectIdentifier(link.isSource ? place.end : far)
    let last = lastBegins[table] ?? -1
    lastBegins[table] = max(last, begin)
    guard begin < last, !changes.isEmpty else { return }
    if hasList
      || changes.contains(where: { run.isDecided(LinkPlace(end: far, owner: RowKey(identity: $0))) })
    {
      try run.contradict()
    }
  }
}
