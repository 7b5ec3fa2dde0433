extension LinkDecision {
  /// Decides the column of a to-one, which is also set by the lists at its other end (for a union: its other ends).
  ///
  /// A row gets its target from the first of these: an object without identity or the call, which fix it; the list that has the
  /// row and begins last; its own last statement with an existing target or null, unless that target's complete list lacks the
  /// row; a pending link of an earlier payload; the store. If several rows would get one exclusive target, this order decides
  /// which of them does, and then the last statement.
  static func column(_ end: End, own: [Row: [OwnKey]], lists: [List], _ known: Known) -> Outcome {
    var decision = ColumnDecision(end: end, own: own, lists: lists, known: known)
    return decision.decide()
  }

  private struct ColumnDecision {
    let end: End
    let own: [Row: [OwnKey]]
    let lists: [List]
    let known: Known
    /// The complete list of each owner that counts.
    let complete: [Row: List]
    /// The members of each owner's lists that count.
    private var members: [Row: Set<Row>] = [:]
    /// The last list with each row.
    private var listed: [Row: List] = [:]
    /// The last list that each new row is nested in.
    private var nesting: [Row: List] = [:]
    /// The pending links of earlier payloads, by the rows with the column.
    private let pending: [Row: [Pending]]
    /// The last statement whose link to an exclusive target is pending, by target.
    private var awaiting: [Row: OwnKey] = [:]
    private var outcome = Outcome()

    private var rows: Rows { known.rows }

    init(end: End, own: [Row: [OwnKey]], lists: [List], known: Known) {
      (self.end, self.own, self.known) = (end, own, known)
      self.lists = counting(lists, known.rows)
      pending = Dictionary(grouping: known.pending) { $0.end == end ? $0.owner : $0.target }
      complete = Dictionary(
        self.lists.lazy.filter(\.isComplete).map { ($0.owner, $0) }, uniquingKeysWith: { $1 })
      for list in lists.sorted(by: { $0.begin < $1.begin }) where list.adds && rows.exists(list.owner) {
        for row in list.nested where rows.isNew(row) { nesting[row] = list }
      }
      for list in self.lists {
        members[list.owner, default: []].formUnion(list.members)
        for row in list.members
        where list.adds && !list.isStale || known.targets[row] == list.owner { listed[row] = list }
      }
    }

    mutating func decide() -> Outcome {
      for row in concernedRows where rows.exists(row) { decide(row) }
      while leaveToOneRow() {}
      decidePending()
      return outcome
    }

    private var concernedRows: Set<Row> {
      var rows = Set(own.keys).union(known.fixed.keys).union(known.given.keys)
      rows.formUnion(listed.keys)
      rows.formUnion(nesting.keys)
      rows.formUnion(pending.keys)
      for (row, target) in known.targets where isRemoved(row, from: target) { rows.insert(row) }
      return rows
    }

    private func lacks(_ owner: Row, _ row: Row) -> Bool {
      complete[owner] != nil && members[owner]?.contains(row) != true
    }

    /// Whether an owner's list that may change the store lacks a row.
    private func isRemoved(_ row: Row, from owner: Row) -> Bool {
      complete[owner]?.isStale == false && members[owner]?.contains(row) != true
    }

    private mutating func decide(_ row: Row) {
      let (placing, waiting) = decidingStatements(own[row] ?? [], rows)
      var stored = known.stored(row)
      var target = destination(of: row, stored, placing, waiting)
      if target == nil, known.isRequired, let list = nesting[row], outcome.refused[row] == nil {
        // A required link: no other target is possible.
        target = list.owner
        stored = list.owner
      }
      let isFixed = known.given[row] != nil || known.fixed[row] != nil
      if let owner = target, owner == stored, !isFixed, isRemoved(row, from: owner),
        let list = complete[owner]
      {
        if let policy = list.policy, !rows.held.contains(row) {
          outcome.missing[row] = Missing(policy: policy, statement: list.number)
        } else if known.isRequired {
          outcome.kept.append((row, list.number))
        } else {
          target = nil
        }
      }
      outcome.targets[row] = .some(target)
      let isListed = listed[row].map { $0.adds && !$0.isStale } ?? false
      if known.given[row] != nil || placing != nil || waiting != nil || isListed {
        outcome.settled.insert(Place(end: end, row: row))
      }
      if let waiting, let missing = waiting.target, known.given[row] == nil,
        !(target.flatMap { members[$0]?.contains(row) } ?? false)
      {
        wait(for: missing, waiting)
      }
    }

    /// Makes the link of a row's statement pending. Of several pending links to an exclusive target, only the last one is kept.
    private mutating func wait(for target: Row, _ statement: OwnKey) {
      if known.exclusive.contains(target) {
        if let last = awaiting[target] {
          if last.begin > statement.begin { return }
          outcome.pending[Pending(end: end, owner: last.row, target: target)] = nil
        }
        awaiting[target] = statement
      }
      outcome.pending[Pending(end: end, owner: statement.row, target: target)] = statement.number
    }

    /// Lets only one row keep each exclusive target, if several were decided to have it.
    ///
    /// - Returns: whether any row has another target now.
    private mutating func leaveToOneRow() -> Bool {
      if known.exclusive.isEmpty { return false }
      var holders: [Row: Row] = [:]
      var others: [(row: Row, target: Row)] = []
      for case (let row, let target?) in outcome.targets where known.exclusive.contains(target) {
        guard let holder = holders[target] else {
          holders[target] = row
          continue
        }
        let (new, former) = (rank(of: row, for: target), rank(of: holder, for: target))
        let isStronger = new == former ? row < holder : new > former
        if isStronger { holders[target] = row }
        others.append((isStronger ? holder : row, target))
      }
      for (row, target) in others {
        // A row whose pending link is not made keeps its stored target.
        let stored = known.stored(row)
        outcome.targets[row] = .some(rank(of: row, for: target).0 == 1 ? stored : nil)
      }
      return !others.isEmpty
    }

    /// What gives a row its target, and where that begins in the payload. The row with the highest rank gets an exclusive target.
    private func rank(of row: Row, for target: Row) -> (Int, Int) {
      if known.fixed[row] != nil { return (5, 0) }
      if let given = known.given[row] { return (4, given.begin) }
      if let list = listed[row] { return (3, list.begin) }
      let placing = decidingStatements(own[row] ?? [], rows).placing
      if let placing, placing.target == target { return (2, placing.begin) }
      // A pending link, or the stored one.
      return (known.stored(row) == target ? 0 : 1, 0)
    }

    private mutating func destination(
      of row: Row, _ stored: Row?, _ placing: OwnKey?, _ waiting: OwnKey?
    ) -> Row? {
      if let target = known.fixed[row] ?? known.given[row]?.target { return target }
      if let list = listed[row] { return list.owner }
      if let placing {
        guard let target = placing.target else {
          if known.isRequired { outcome.refused[row] = placing.number }
          return nil
        }
        if known.isRequired || !lacks(target, row) { return target }
        let isCleared = complete[target]?.isStale == false || rows.isNew(row)
        return isCleared ? nil : stored
      }
      if waiting != nil { return stored }
      if let list = nesting[row], list.isStale { return list.owner }
      return recalled(for: row) ?? stored
    }

    /// The target from a pending link of an earlier payload.
    private mutating func recalled(for row: Row) -> Row? {
      let recalled = pending[row]?.first { link in
        link.end == end
          ? rows.isNew(link.target) && !lacks(link.target, row)
          : rows.isNew(row) && rows.exists(link.owner) && complete[link.owner]?.isStale != false
      }
      guard let recalled else { return nil }
      outcome.recalled.insert(recalled)
      return recalled.end == end ? recalled.target : recalled.owner
    }

    /// Decides the pending links of lists. A row has one owner: the last list that waits for it.
    private mutating func decidePending() {
      let remembered = Set(known.pending)
      var waiting: [Row: List] = [:]
      for list in lists {
        if list.isComplete, !list.isStale {
          outcome.settled.insert(Place(end: list.end, row: list.owner))
        }
        for row in list.members where !rows.exists(row) {
          let link = Pending(end: list.end, owner: list.owner, target: row)
          if list.isStale ? remembered.contains(link) : list.adds { waiting[row] = list }
        }
      }
      for (row, list) in waiting {
        outcome.pending[Pending(end: list.end, owner: list.owner, target: row)] = list.number
      }
      for link in remembered
      where link.end == end ? awaiting[link.target] != nil : waiting[link.target] != nil {
        outcome.forgotten.insert(link)
      }
    }
  }
}
