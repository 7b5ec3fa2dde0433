/// Counts the links that a payload adds and removes, for the rows that store them, and those whose lists or far ends state them.
struct LinkCounts {
  private unowned(unsafe) let run: Run
  private let settlement: LinkSettlement
  /// The lists that decide links, by owner, with the end of the column or the list's end of the join table.
  private var lists: [Links.Place: Lists] = [:]

  /// A row's lists of one relationship, of which at most one is complete.
  private struct Lists {
    let first: Links.List
    var last: Links.List
    var complete: Links.List?
    /// Where the first of the other lists with each member begins.
    var begins: [LinkedRow: Int] = [:]

    init(_ list: Links.List) {
      (first, last) = (list, list)
      complete = list.isComplete ? list : nil
    }

    /// - Parameter list: a list that begins after the others.
    mutating func add(_ list: Links.List) {
      begins.merge(list.members.lazy.map { ($0, list.begin) }) { first, _ in first }
      last = list
      if list.isComplete { complete = list }
    }

    /// Where the first list with a member begins; nil if it is in none.
    func begin(of member: LinkedRow) -> Int? {
      first.members.contains(member) ? first.begin : begins[member]
    }
  }

  init(_ run: Run, _ settlement: LinkSettlement) {
    self.run = run
    self.settlement = settlement
    for (end, group) in settlement.statements.groups {
      guard let known = settlement.known[end] else { continue }
      for list in Links.counting(group.lists, known.rows) where !list.isStale {
        let place = Links.Place(end: end.isColumn ? end : list.end, row: list.owner)
        if lists[place]?.add(list) == nil { lists[place] = Lists(list) }
      }
    }
  }

  private func count(_ row: LinkedRow, isMade: Bool) {
    let model = run.rows(row.model)
    if isMade { model.counts.linked += 1 } else { model.counts.unlinked += 1 }
    model.journal.recordMembership(row.key)
  }

  /// For a row that was stored before, the column itself is counted when it is written.
  func count(_ row: LinkedRow, to new: LinkedRow?, at end: LinkEnd, _ outcome: Links.Outcome) {
    let old = settlement.known[end]?.targets[row]
    guard old != new else { return }
    if settlement.stored.isNew(row), new != nil { run.rows(row.model).counts.linked += 1 }
    if let new, isRecalled(row, new, outcome, at: end) { count(new, isMade: true) }
    for owner in Set([old, new].compactMap(\.self)) where !settlement.deletion.gone.contains(owner) {
      let stating = lists[Links.Place(end: end, row: owner)]
      if owner == new, stating?.begin(of: row) != nil { count(owner, isMade: true) }
      if owner == old, stating?.complete.map({ !$0.members.contains(row) }) ?? false {
        count(owner, isMade: false)
      }
      countFarEnd(owner, row, old: old, new: new, at: end)
    }
  }

  private func isRecalled(
    _ row: LinkedRow, _ target: LinkedRow, _ outcome: Links.Outcome, at end: LinkEnd
  ) -> Bool {
    !outcome.recalled.contains(Links.Pending(end: end, owner: row, target: target))
      && settlement.statements.cases(of: end).contains { column in
        column.inverse.map { outcome.recalled.contains(.init(end: $0, owner: target, target: row)) } ?? false
      }
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

  /// Counts a join table's new link for the first list that states it, and a removed one for the last list that could. Without
  /// one, counts it for the row with the pending link, or for the source.
  func count(_ pair: Links.Pair, isThere: Bool, at end: LinkEnd, _ outcome: Links.Outcome) {
    let own = lists[Links.Place(end: end, row: pair.source)]
    let far = end.inverse.flatMap { lists[Links.Place(end: $0, row: pair.target)] }
    let ownBegin = isThere ? own?.begin(of: pair.target) : own?.last.begin
    let farBegin = isThere ? far?.begin(of: pair.source) : far?.last.begin
    if ownBegin != nil || farBegin != nil {
      let isOwn = isThere ? ownBegin ?? .max < farBegin ?? .max : ownBegin ?? .min > farBegin ?? .min
      return count(isOwn ? pair.source : pair.target, isMade: isThere)
    }
    guard isThere else { return run.rows(pair.source.model).counts.unlinked += 1 }
    let isTargets = end.inverse.map {
      outcome.recalled.contains(.init(end: $0, owner: pair.target, target: pair.source))
    }
    count(isTargets == true ? pair.target : pair.source, isMade: true)
  }
}
