extension LinkDecision {
  /// Decides the column of a one-to-one.
  ///
  /// From the last statement to the first, each one holds unless a later one that holds concerns one of its two rows. If a row's
  /// statement does not hold, that row has no partner; the other row is not affected.
  ///
  /// - Parameter dropped: the numbers of statements to ignore, since they would take a partner from a row that requires it.
  static func pair(
    column: End, farEnd: End, own: [Row: [OwnKey]], far: [Row: [OwnKey]], _ known: Known,
    dropped: Set<Int> = []
  ) -> Outcome {
    var decision = PairDecision(column: column, farEnd: farEnd, own: own, known: known, dropped: dropped)
    return decision.decide(far)
  }

  private struct PairDecision {
    let column: End
    let farEnd: End
    let own: [Row: [OwnKey]]
    let known: Known
    let dropped: Set<Int>
    /// The partners whose links are fixed.
    private let fixedPartners: Set<Row>
    /// The stored holder of each partner.
    let holders: [Row: Row]
    private var claims: [Claim] = []
    /// The pending links, by the rows that wait.
    private var waiting: [Place: [Waiting]] = [:]
    /// The pending links of earlier payloads, by owner.
    private let pending: [Place: [Pending]]
    /// The links that rows state which are newer than the stored rows, and where the first statement of each begins.
    private var fresh: [Pair: Int] = [:]
    /// The decided partner of each row with the column, and the decided holder of each partner.
    private var partner: [Row: Row?] = [:]
    private var holder: [Row: Row?] = [:]
    /// The statement that decided each partner's holder.
    private var decidedBy: [Row: Int?] = [:]
    private var outcome = Outcome()

    private var rows: Rows { known.rows }

    /// The priority of a claim, and where it begins in the payload.
    private struct Rank: Comparable {
      enum Kind: Comparable { case pending, nesting, said, given, fixed }
      let kind: Kind
      var begin = 0

      static func < (left: Rank, right: Rank) -> Bool {
        (left.kind, left.begin) < (right.kind, right.begin)
      }
    }

    /// The claim that two rows are linked, or that one of them has no partner.
    private struct Claim {
      let rank: Rank
      let holder: Row?
      let partner: Row?
      let statement: Int?
      let place: Place?
      let isStale: Bool
      let pending: Pending?
    }

    private struct Waiting {
      let begin: Int
      let link: Pending
      let statement: Int
    }

    init(column: End, farEnd: End, own: [Row: [OwnKey]], known: Known, dropped: Set<Int>) {
      (self.column, self.farEnd, self.own, self.known) = (column, farEnd, own, known)
      self.dropped = dropped
      pending = Dictionary(grouping: known.pending) { Place(end: $0.end, row: $0.owner) }
      fixedPartners = Set(known.fixed.values)
      holders = Dictionary(known.targets.map { ($1, $0) }, uniquingKeysWith: { min($0, $1) })
    }

    mutating func decide(_ far: [Row: [OwnKey]]) -> Outcome {
      collectFresh(far)
      for (row, statements) in own { claim(column, row, statements) }
      for (row, statements) in far { claim(farEnd, row, statements) }
      claimStated()
      settleClaims()
      settleWaiting()
      for row in Set(known.targets.keys).union(partner.keys).union(own.keys) where rows.exists(row) {
        decide(row)
      }
      outcome.kept = outcome.kept.filter {
        (outcome.targets[$0.row] ?? known.targets[$0.row]) == keptPartners[$0.statement]
      }
      return outcome
    }

    /// Rows that state null although their partner requires them, by statement number.
    private var keptPartners: [Int: Row] = [:]

    private mutating func collectFresh(_ far: [Row: [OwnKey]]) {
      for (all, isHolder) in [(own, true), (far, false)] {
        for statement in all.values.joined() where !statement.isStale {
          guard let target = statement.target else { continue }
          let pair = Pair(statement.row, target, isSource: isHolder)
          fresh[pair] = min(statement.begin, fresh[pair] ?? .max)
        }
      }
    }

    private mutating func claim(
      _ rank: Rank, _ end: End, _ row: Row, to other: Row?, by statement: OwnKey? = nil,
      pending: Pending? = nil
    ) {
      let (holder, partner) = end == column ? (row, other) : (other, row)
      claims.append(
        Claim(
          rank: rank, holder: holder, partner: partner, statement: statement?.number,
          place: statement.map { _ in Place(end: end, row: row) }, isStale: statement?.isStale ?? false,
          pending: pending))
    }

    private mutating func claim(_ end: End, _ row: Row, _ all: [OwnKey]) {
      let isHolder = end == column
      let statements = all.filter {
        !dropped.contains($0.number) || ($0.target != nil && !rows.exists($0.target))
      }
      guard rows.exists(row), let first = statements.first else { return }
      if isHolder ? known.given[row] != nil || known.fixed[row] != nil : fixedPartners.contains(row) {
        return
      }
      let stored = isHolder ? known.targets[row] : holders[row]
      if first.isStale {
        claimStale(end, row, statements, stored: stored)
      } else {
        claimFresh(end, row, statements, stored: stored)
      }
      // New rows get the partner they are nested in if it is stale, or if they require it.
      for statement in statements where !isHolder && statement.isNested {
        if let target = statement.target, rows.isNew(target), statement.isStale || known.isRequired {
          claim(Rank(kind: .nesting), end, row, to: target, by: statement)
        }
      }
    }

    /// Claims the stored link of a stale row. If a newer row agrees with the stale statement, its own claim comes before that.
    private mutating func claimStale(_ end: End, _ row: Row, _ statements: [OwnKey], stored: Row?) {
      if let last = decidingStatements(statements, rows, isStale: true).placing {
        let agreed = last.target.flatMap { fresh[Pair(row, $0, isSource: end == column)] }
        var begin = last.begin
        if last.target != stored, let agreed { begin = min(begin, agreed - 1) }
        claim(Rank(kind: .said, begin: begin), end, row, to: stored, by: last)
      }
      guard let latest = statements.max(by: { $0.begin < $1.begin }) else { return }
      for link in pending[Place(end: end, row: row)] ?? [] {
        wait(for: link, latest)
      }
    }

    private mutating func claimFresh(_ end: End, _ row: Row, _ statements: [OwnKey], stored: Row?) {
      outcome.settled.insert(Place(end: end, row: row))
      let (placing, last) = decidingStatements(statements, rows)
      if let placing {
        if end == column, known.isRequired, placing.target != nil {
          // An earlier statement may hold if the last one does not.
          for statement in statements
          where statement.begin < placing.begin && rows.exists(statement.target) {
            claim(Rank(kind: .said, begin: statement.begin), end, row, to: statement.target, by: statement)
          }
        }
        if end == column || placing.target != nil || !known.isRequired {
          claim(Rank(kind: .said, begin: placing.begin), end, row, to: placing.target, by: placing)
        } else if let stored, rows.exists(stored) {
          if let policy = known.policy, !rows.held.contains(stored) {
            outcome.missing[stored] = Missing(policy: policy, statement: placing.number)
          } else {
            outcome.kept.append((stored, placing.number))
            keptPartners[placing.number] = row
          }
        }
      }
      if let last, let target = last.target {
        wait(for: Pending(end: end, owner: row, target: target), last)
      }
    }

    private mutating func wait(for link: Pending, _ statement: OwnKey) {
      waiting[Place(end: link.end, row: link.owner), default: []].append(
        Waiting(begin: statement.begin, link: link, statement: statement.number))
    }

    private mutating func claimStated() {
      for (row, statement) in known.given where rows.exists(row) {
        outcome.settled.insert(Place(end: column, row: row))
        claim(Rank(kind: .given, begin: statement.begin), column, row, to: statement.target, by: statement)
      }
      for (row, other) in known.fixed where rows.exists(row) {
        claim(Rank(kind: .fixed), column, row, to: other)
      }
      for link in known.pending where rows.isNew(link.target) && rows.exists(link.owner) {
        guard !outcome.settled.contains(Place(end: link.end, row: link.owner)) else { continue }
        claim(Rank(kind: .pending), link.end, link.owner, to: link.target, pending: link)
      }
    }

    private mutating func settleClaims() {
      let sorted = claims.sorted { left, right in
        if left.rank != right.rank { return left.rank > right.rank }
        if left.holder != right.holder { return PairDecision.isBefore(left.holder, right.holder) }
        return PairDecision.isBefore(left.partner, right.partner)
      }
      for claim in sorted { settle(claim) }
    }

    private static func isBefore(_ left: Row?, _ right: Row?) -> Bool {
      guard let left else { return false }
      return right.map { left < $0 } ?? true
    }

    private mutating func settle(_ claim: Claim) {
      let holds =
        (claim.holder.map { partner[$0] == nil } ?? true) && (claim.partner.map { holder[$0] == nil } ?? true)
      if claim.rank.kind < .said {
        // It takes no partner from a row that requires it.
        let keeper = claim.partner.flatMap { holders[$0] }
        let takes = known.isRequired && rows.exists(keeper) && keeper.map { partner[$0] == nil } ?? false
        if !holds || takes { return }
      }
      guard holds else {
        if claim.place?.end == farEnd {
          if let row = claim.partner, holder[row] == nil { holder[row] = .some(nil) }
        } else if !known.isRequired, let row = claim.holder, partner[row] == nil {
          partner[row] = .some(nil)
        }
        return
      }
      if let row = claim.holder { partner[row] = .some(claim.partner) }
      if let row = claim.partner {
        holder[row] = .some(claim.holder)
        decidedBy[row] = .some(claim.statement)
      }
      if let link = claim.pending {
        outcome.recalled.insert(link)
      } else if claim.rank.kind != .fixed {
        settleEnds(of: claim)
      }
    }

    /// Forgets the pending links of a claim's two rows that begin earlier in the payload.
    private mutating func settleEnds(of claim: Claim) {
      var ends: Set<Place> = []
      if let row = claim.holder { ends.insert(Place(end: column, row: row)) }
      if let row = claim.partner { ends.insert(Place(end: farEnd, row: row)) }
      if claim.isStale, let place = claim.place { ends.remove(place) }
      for place in ends {
        waiting[place]?.removeAll { Rank(kind: .said, begin: $0.begin) < claim.rank }
      }
      outcome.settled.formUnion(ends)
    }

    /// If several rows wait for one row, only the last one stays pending.
    private mutating func settleWaiting() {
      var last: [Place: Waiting] = [:]
      for waiting in waiting.values.joined().sorted(by: {
        ($0.begin, $0.link.owner) < ($1.begin, $1.link.owner)
      }) {
        last[Place(end: waiting.link.end, row: waiting.link.target)] = waiting
      }
      outcome.forgotten.formUnion(
        known.pending.lazy.filter { last[Place(end: $0.end, row: $0.target)] != nil })
      for waiting in last.values { outcome.pending[waiting.link] = waiting.statement }
    }

    private mutating func decide(_ row: Row) {
      let stored = known.stored(row)
      var target: Row?
      if let decided = partner[row] {
        target = decided
      } else if let stored {
        target = (holder[stored] ?? row) == row ? stored : nil
      }
      if target == nil, known.isRequired {
        // It keeps its partner, unless another row gets it.
        let placing = decidingStatements(own[row] ?? [], rows).placing
        if let placing, placing.target == nil {
          outcome.refused[row] = placing.number
        } else if let stored, holder[stored].map({ $0 == nil || $0 == row }) ?? true {
          target = stored
        } else if let taken = stored ?? placing.flatMap({ dropped.contains($0.number) ? nil : $0.target }) {
          outcome.lost[row] = .some(decidedBy[taken] ?? nil)
        }
      }
      outcome.targets[row] = .some(target)
    }
  }
}
