/// Lists whose links are stored in a table of their own. They are written as they are read: of two lists that
/// contradict each other the one that begins later is written later, and so counts.
final class LinkLists {
  private unowned(unsafe) let run: Run
  private let pending: PendingLinks
  private let missing: MissingRows
  /// The tables of links, by one of their ends.
  private var tables: [ObjectIdentifier: Table] = [:]

  private struct Table {
    /// Where the last list begins.
    var lastBegin = -1
    /// Whether rows at the table's source, and at its target, have lists.
    var hasLists = (ofSources: false, ofTargets: false)
    var isChanged = false
  }

  init(_ run: Run, _ pending: PendingLinks, _ missing: MissingRows) {
    self.run = run
    self.pending = pending
    self.missing = missing
  }

  func settle(_ list: ListStatement) throws {
    guard list.place.end.linkTable != nil else { return }
    let members = try list.isFirst ? [] : run.members(of: list.place)
    var decision = ToManyDecision(current: Set(members), canAdd: list.canAdd, isComplete: list.isComplete)
    for element in list.elements {
      if element.outcome == .waits, run.skipsInvalidRows,
        list.target.journal.isSkipped(list.member(element.identity))
      {
        decision.keepsOthers = true
      }
      try decision.add(
        element.identity, isKept: element.outcome != .left, exists: list.target.exists(element.identity))
    }
    let removed = decision.removed
    if list.isHeldBack { try run.noteOrderTells() }
    pending.decide(
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
    let rows = removed.map { RowKey(identity: $0) }
    if missing.leaveOut(rows, of: list.place, policy.policy) { return }
    missing.postpone(rows, in: list.target, policy.policy)
  }

  /// Remembers that a row has a list of its links, where the row, or the other end, may have one too.
  func note(_ place: LinkPlace, begin: Int, isComplete: Bool = true, changes: [SyncIdentity]) throws {
    let far = place.end.inverse
    guard let link = place.end.linkTable, far != nil || run.isReordered else { return }
    let hasList = run.isDecided(place)
    if isComplete { run.noteDecided(place) }
    let id = ObjectIdentifier(link.isSource ? place.end : far ?? place.end)
    var table = tables[id] ?? Table()
    let last = table.lastBegin
    table.lastBegin = max(last, begin)
    table.isChanged = table.isChanged || !changes.isEmpty
    if link.isSource { table.hasLists.ofSources = true } else { table.hasLists.ofTargets = true }
    tables[id] = table
    // A link counts for the end that states it first, and of two lists the last one counts.
    if table.hasLists == (true, true) ? table.isChanged : (hasList && !changes.isEmpty) || !isComplete {
      try run.noteOrderTells()
    }
    guard let far, begin < last, !changes.isEmpty else { return }
    if hasList
      || changes.contains(where: { run.isDecided(LinkPlace(end: far, owner: RowKey(identity: $0))) })
    {
      try run.logLinks()
    }
  }
}
