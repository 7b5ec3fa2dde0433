extension LinkDecision {
  /// Decides a join table. For each link, the list that begins last decides, of all lists at both ends that concern it.
  ///
  /// - Parameter target: the other end; nil if there is none.
  static func table(source: End, target: End?, lists: [List], _ known: Known) -> Outcome {
    var decision = TableDecision(
      source: source, target: target, lists: counting(lists, known.rows), known: known)
    return decision.decide()
  }

  private struct TableDecision {
    let source: End
    let target: End?
    let lists: [List]
    let known: Known
    /// The lists of each row, in payload order.
    private let ofRow: [Place: [List]]
    /// For rows with many lists, the lists that concern each other row.
    private let concerning: [Place: Concerning]
    private var outcome = Outcome()

    private var rows: Rows { known.rows }

    /// A row's lists: the one that is complete concerns all rows, and the others only concern their members.
    private struct Concerning {
      let complete: [List]
      private(set) var partial: [Row: [List]] = [:]

      init(_ lists: [List]) {
        complete = lists.filter(\.isComplete)
        for list in lists where !list.isComplete {
          for row in list.members { partial[row, default: []].append(list) }
        }
      }

      static var limit: Int { 8 }
    }

    init(source: End, target: End?, lists: [List], known: Known) {
      (self.source, self.target, self.lists, self.known) = (source, target, lists, known)
      ofRow = Dictionary(grouping: lists) { Place(end: $0.end, row: $0.owner) }
      concerning = ofRow.filter { $0.value.count > Concerning.limit }.mapValues { Concerning($0) }
    }

    mutating func decide() -> Outcome {
      recall()
      for pair in concernedPairs where rows.exists(pair.source) && rows.exists(pair.target) { decide(pair) }
      for list in lists where !list.isStale {
        if list.isComplete { outcome.settled.insert(Place(end: list.end, row: list.owner)) }
        for row in list.members where list.adds && !rows.exists(row) {
          outcome.pending[Pending(end: list.end, owner: list.owner, target: row)] = list.number
        }
      }
      return outcome
    }

    private var concernedPairs: Set<Pair> {
      let listed = lists.lazy.flatMap { list in
        list.members.lazy.map { Pair(list.owner, $0, isSource: list.end == source) }
      }
      return Set(listed).union(
        known.pairs.lazy.filter { pair in
          ofRow[Place(end: source, row: pair.source)] != nil
            || target.map { ofRow[Place(end: $0, row: pair.target)] != nil } ?? false
        })
    }

    /// Makes pending links of earlier payloads, unless a complete list of either row decides them.
    private mutating func recall() {
      for link in known.pending where rows.isNew(link.target) && rows.exists(link.owner) {
        let far = link.end == source ? target : source
        if isDecided(link.end, link.owner) || far.map({ isDecided($0, link.target) }) ?? false { continue }
        outcome.pairs[Pair(link.owner, link.target, isSource: link.end == source)] = true
        outcome.recalled.insert(link)
      }
    }

    private func isDecided(_ end: End, _ row: Row) -> Bool {
      let place = Place(end: end, row: row)
      return (concerning[place]?.complete ?? ofRow[place])?.contains { $0.isComplete && !$0.isStale } ?? false
    }

    private mutating func decide(_ pair: Pair) {
      let isStored = known.pairs.contains(pair)
      var last: (list: List, isThere: Bool, other: Row)?
      func consider(_ lists: [List], other: Row) {
        for list in lists where list.begin >= last?.list.begin ?? .min {
          if let isThere = says(list, other, isStored: isStored) { last = (list, isThere, other) }
        }
      }
      func consider(listsAt place: Place, other: Row) {
        guard !concerning.isEmpty, let lists = concerning[place] else {
          return consider(ofRow[place] ?? [], other: other)
        }
        consider(lists.complete, other: other)
        consider(lists.partial[other] ?? [], other: other)
      }
      consider(listsAt: Place(end: source, row: pair.source), other: pair.target)
      if let target { consider(listsAt: Place(end: target, row: pair.target), other: pair.source) }
      guard let last else { return }
      outcome.pairs[pair] = last.isThere
      if isStored, !last.isThere, let policy = last.list.policy, !rows.held.contains(last.other) {
        let missing = Missing(policy: policy, statement: last.list.number)
        outcome.missing[last.other] = max(missing, outcome.missing[last.other] ?? missing)
        outcome.pairs[pair] = true
      }
    }

    /// Whether a list states that a link exists; nil if it states nothing about it.
    private func says(_ list: List, _ other: Row, isStored: Bool) -> Bool? {
      let isThere = list.members.contains(other)
      if !isThere, !list.isComplete { return nil }
      if list.isStale || isThere && !list.adds, isThere != isStored { return nil }
      return isThere
    }
  }
}
