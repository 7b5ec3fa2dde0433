/// Lists that are stored in join tables. They are written as they are read. If lists of both ends change links, or two lists of a
/// row conflict, the call restarts and logs all link statements.
final class LinkLists {
  private unowned(unsafe) let run: Run
  private let pending: PendingLinks
  private let missing: MissingRows
  /// The join tables, by the end at their source, or their only one.
  private var tables: [LinkEnd: Table] = [:]
  /// The rows' relationships with lists that only add.
  private var partial: Set<LinkPlace> = []

  private struct Table {
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
    var decision = try ToManyDecision(
      current: list.isFirst ? [] : members(of: list), canAdd: list.canAdd, isComplete: list.isComplete)
    let uninserted = list.uninserted
    var areMembers = true
    for element in list.elements {
      let isKept = element.outcome != .left && !uninserted.contains(element.identity)
      let decided = try decision.add(
        element.identity, isKept: isKept, exists: list.target.exists(element.identity))
      if decided != .member { areMembers = false }
    }
    let removed = decision.removed
    pending.decide(
      list.place, waitsFor: decision.waiting, begin: list.begin, isComplete: list.isWhole, list.problem)
    try note(list.place, isComplete: list.isWhole, isChanged: !areMembers || !removed.isEmpty)
    for identity in decision.added { try run.addMember(identity, to: list.place) }
    if !removed.isEmpty { try remove(removed, list) }
  }

  /// The members before a list. For further lists of a row that only add, just those that the list has: a row may have many.
  private func members(of list: ListStatement) throws -> Set<SyncIdentity> {
    if list.isComplete || partial.insert(list.place).inserted { return Set(try run.members(of: list.place)) }
    return Set(try list.elements.lazy.map(\.identity).filter { try run.isMember($0, of: list.place) })
  }

  private func remove(_ removed: [SyncIdentity], _ list: ListStatement) throws {
    guard let policy = list.policy else {
      return try removed.forEach { try run.removeMember($0, from: list.place) }
    }
    if policy.policy == .none { return }
    if list.isHeldBack { return run.reportHeldBack(list) }
    missing.leaveOut(removed.map { RowKey(identity: $0) }, of: list.place, policy.policy)
  }

  /// Notes that a row has a list, if the row or the other end may have another list.
  func note(_ place: LinkPlace, isComplete: Bool = true, isChanged: Bool = false) throws {
    let far = place.end.inverse
    guard let link = place.end.linkTable, far != nil || run.isReordered else { return }
    let hasList = run.isDecided(place)
    if isComplete { run.noteDecided(place) } else { try run.noteOrderDependence() }
    let source = link.isSource ? place.end : far ?? place.end
    var table = tables[source] ?? Table()
    table.isChanged = table.isChanged || isChanged
    if link.isSource { table.hasLists.ofSources = true } else { table.hasLists.ofTargets = true }
    tables[source] = table
    if table.isChanged && table.hasLists == (true, true) || hasList && isChanged { try run.logLinks() }
  }
}
