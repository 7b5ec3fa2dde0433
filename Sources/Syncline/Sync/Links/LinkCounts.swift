/// Counts the links that a payload adds and removes: each for the row that stores it, and for the row whose list or far end
/// states it.
struct LinkCounts {
  typealias Links = LinkStatements.Links

  private unowned(unsafe) let run: Run
  private let settlement: LinkSettlement
  /// The lists that decide links, by owner.
  private var lists: [LinkEnd: [LinkedRow: [Links.List]]] = [:]

  init(_ run: Run, _ settlement: LinkSettlement) {
    self.run = run
    self.settlement = settlement
    for (end, group) in settlement.statements.groups {
      guard let known = settlement.known[end] else { continue }
      lists[end] = Dictionary(
        grouping: Links.counting(group.lists, known.rows).filter { !$0.isStale }, by: \.owner)
    }
  }

  private func count(_ row: LinkedRow, isMade: Bool) {
    let model = run.rows(row.model)
    if isMade { model.counts.linked += 1 } else { model.counts.unlinked += 1 }
    model.journal.recordMembership(row.key)
  }

  // MARK: Columns

  /// Counts the change of a row's column. For a row that was stored before, the column itself is counted when it is written.
  func count(_ row: LinkedRow, to new: LinkedRow?, at end: LinkEnd, _ outcome: Links.Outcome) {
    let old = settlement.known[end]?.targets[row]
    guard old != new else { return }
    if settlement.stored.isNew(row), new != nil { run.rows(row.model).counts.linked += 1 }
    if let new, isRecalled(row, new, outcome, at: end) { count(new, isMade: true) }
    for owner in Set([old, new].compactMap(\.self)) where !settlement.deletion.gone.contains(owner) {
      let stating = lists[end]?[owner] ?? []
      if owner == new, stating.contains(where: { $0.members.contains(row) }) { count(owner, isMade: true) }
      if owner == old, stating.contains(where: { $0.isComplete && !$0.members.contains(row) }) {
        count(owner, isMade: false)
      }
      countFarEnd(owner, row, old: old, new: new, at: end)
    }
  }

  private func isRecalled(
    _ row: LinkedRow, _ target: LinkedRow, _ outcome: Links.Outcome, at end: LinkEnd
  ) -> Bool {
    !outcome.recalled.contains(Links.Pending(end: end, owner: row, target: target))
      && (end.inverse.map { outcome.recalled.contains(.init(end: $0, owner: target, target: row)) } ?? false)
  }

  private func countFarEnd(
    _ partner: LinkedRow, _ row: LinkedRow, old: LinkedRow?, new: LinkedRow?, at end: LinkEnd
  ) {
    guard let said = settlement.statements.groups[end]?.far[partner],
      let last = said.max(by: { $0.begin < $1.begin }), !last.isStale
    else { return }
    if partner == new, last.target == row {
      count(partner, isMade: true)
    } else if partner == old {
      count(partner, isMade: false)
    }
  }

  // MARK: Join tables

  /// Counts a join table's link for the list that states it. Without one, counts it for the row with the pending link, or for the
  /// source.
  func count(_ pair: Links.Pair, isThere: Bool, at end: LinkEnd, _ outcome: Links.Outcome) {
    var stating = (lists[end]?[pair.source] ?? []) + (lists[end]?[pair.target] ?? [])
    stating = stating.filter { $0.owner == ($0.end == end ? pair.source : pair.target) }
    if isThere { stating = stating.filter { $0.members.contains($0.end == end ? pair.target : pair.source) } }
    stating.sort { $0.begin < $1.begin }
    if let list = isThere ? stating.first : stating.last { return count(list.owner, isMade: isThere) }
    if isThere {
      let isTargets = end.inverse.map {
        outcome.recalled.contains(.init(end: $0, owner: pair.target, target: pair.source))
      }
      count(isTargets == true ? pair.target : pair.source, isMade: true)
    } else {
      run.rows(pair.source.model).counts.unlinked += 1
    }
  }
}
