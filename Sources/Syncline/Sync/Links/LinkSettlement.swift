/// Settles the links of a payload: decides them from what it says and what is stored, finds what is deleted, and decides
/// again without it, until nothing more is. Nothing is written before that.
final class LinkSettlement {
  typealias Links = LinkStatements.Links

  unowned(unsafe) let run: Run
  let statements: LinkStatements
  let pending: PendingLinks
  let required: RequiredLinks
  let stored: StoredLinks
  private(set) var outcomes: [LinkEnd: Links.Outcome] = [:]
  private(set) var known: [LinkEnd: Links.Known] = [:]
  /// What is deleted by the payload.
  var deletion = LinkDeletion()
  /// Statements that would take a partner from a row that requires it, where invalid rows are skipped.
  private(set) var dropped: Set<Int> = []

  /// How often links are decided again, which a payload needs a few times at most.
  private static let roundLimit = 200
  /// How often rows are skipped one after the other, before all are skipped at once that require skipped ones.
  private static let roundsOfSkipping = 16

  init(_ run: Run, _ statements: LinkStatements, _ pending: PendingLinks, required: RequiredLinks) {
    self.run = run
    self.statements = statements
    self.pending = pending
    self.required = required
    stored = StoredLinks(run, statements, pending)
  }

  // MARK: Settling

  /// Settles all links.
  ///
  /// - Parameters:
  ///   - answer: applies objects without identity to the rows that are linked; says whether there were any.
  ///   - missing: the rows of the slices that the payload does not name.
  /// - Throws: the error of a row that cannot be kept; under `.skip` ``RowsToSkip``.
  func settle(
    answer: () throws -> Bool, missing: () throws -> [(row: LinkedRow, policy: DeletionPolicy)]
  ) throws {
    for _ in 0..<LinkSettlement.roundLimit {
      try run.checkCancellation()
      try decide()
      if try answer() { continue }
      if try findDeleted(missing()) { continue }
      if try dropStatement() {
        deletion.gone = []
        continue
      }
      return try checkRequired()
    }
    throw SyncError.schemaValidation(reason: "the links of the payload do not settle")
  }

  private func decide() throws {
    try stored.readPending()
    outcomes = [:]
    known = [:]
    for end in Set(statements.groups.keys).union(stored.pendingGroups) {
      let group = statements.groups[end] ?? LinkStatements.Group()
      let known = try stored.known(of: end, group, without: deletion.gone)
      self.known[end] = known
      outcomes[end] = decide(end, group, known)
    }
  }

  private func decide(_ end: LinkEnd, _ group: LinkStatements.Group, _ known: Links.Known) -> Links.Outcome {
    if end.linkTable != nil {
      return Links.table(source: end, target: end.inverse, lists: group.lists, known)
    }
    if end.isUnique {
      return Links.pair(
        column: end, farEnd: end.inverse ?? end, own: group.own, far: group.far, known, dropped: dropped)
    }
    return Links.column(end, own: group.own, lists: group.lists, known)
  }

  /// The row that a to-one leads to when all is decided.
  func target(of row: LinkedRow, at column: LinkEnd) throws -> LinkedRow? {
    if let decided = outcomes[statements.group(of: column)]?.targets[row] { return decided }
    return try stored.target(of: row, at: column)
  }

  /// The rows whose to-one leads to a row since this payload.
  func arrivals(at target: LinkedRow, by column: LinkEnd) -> [LinkedRow] {
    let end = statements.group(of: column)
    let stored = known[end]?.targets ?? [:]
    return (outcomes[end]?.targets ?? [:]).filter { $0.value == target && stored[$0.key] != target }
      .keys.sorted()
  }

  /// The row that an object without identity is, nested in a row under a to-one.
  func linked(by place: LinkPlace) throws -> LinkedRow? {
    let row = LinkedRow(place.end.owner, place.owner)
    guard let column = place.end.memberColumn else {
      return try target(of: row, at: place.end).flatMap { $0.model == place.end.target ? $0 : nil }
    }
    let decided = outcomes[statements.group(of: column)]?.targets ?? [:]
    if let holder = decided.first(where: { $0.value == row })?.key { return holder }
    return try stored.holders(of: row, at: column).first { decided[$0] == nil }
  }

  // MARK: Rows that cannot be kept

  /// Drops a statement that takes a partner from a row which requires it; false where there is none.
  private func dropStatement() throws -> Bool {
    for (end, outcome) in outcomes.sorted(by: { $0.key < $1.key }) {
      for (row, statement) in outcome.lost.sorted(by: { $0.key < $1.key })
      where !deletion.missing.contains(row) && !deletion.gone.contains(row) {
        let error = lostError(row, end)
        guard run.skipsInvalidRows else { throw error }
        let given = statements.groups[end]?.given.values.first { $0.number == statement }
        if let given { throw skipping([(given.row, error)]) }
        guard let statement, dropped.insert(statement).inserted else { throw skipping([(row, error)]) }
        return true
      }
    }
    return false
  }

  private func lostError(_ row: LinkedRow, _ end: LinkEnd) -> SyncError {
    let targets = outcomes[end]?.targets ?? [:]
    let partner = known[end]?.targets[row]
    let taker = targets.first { $0.value == partner && $0.key != row }?.key
    return SyncError(
      RowProblem(
        model: end.table.name, property: end.name, identity: "\(row.key.identity)",
        reason: .cannotGiveUp(
          target: partner.map { "\($0.key.identity)" } ?? "",
          to: taker.map { "\($0.key.identity)" } ?? "")))
  }

  private func checkRequired() throws {
    var failed: [(row: LinkedRow, error: SyncError)] = []
    for (end, outcome) in outcomes.sorted(by: { $0.key < $1.key }) {
      for (row, statement) in outcome.refused where !deletion.gone.contains(row) {
        let source = statements.sources[statement]
        failed.append((row, source.error(end, .requiredIsNull)))
      }
    }
    for row in statements.newRows where !deletion.gone.contains(row) {
      for end in requiredColumns(of: row) where outcomes[end]?.refused[row] == nil {
        if case .some(.some) = outcomes[end]?.targets[row] { continue }
        failed.append((row, required.error(of: LinkPlace(end: end, owner: row.key)) ?? noRow(row, end)))
      }
    }
    guard !failed.isEmpty else { return }
    failed.sort { $0.row < $1.row }
    guard run.skipsInvalidRows else { throw failed[0].error }
    throw skipping(failed)
  }

  private func requiredColumns(of row: LinkedRow) -> [LinkEnd] {
    run.rows(row.model).entry.ends.compactMap { $0 }.filter { $0.isColumn && !$0.isOptional }
  }

  private func noRow(_ row: LinkedRow, _ end: LinkEnd) -> SyncError {
    let keys = statements.groups[end]?.own[row] ?? []
    let target = keys.max { $0.begin < $1.begin }?.target
    return SyncError(
      RowProblem(
        model: end.table.name, property: end.name, identity: "\(row.key.identity)",
        reason: .noRow(
          model: end.targetTable.name, identity: target.map { "\($0.key.identity)" } ?? "")))
  }

  private func skipping(_ failed: [(row: LinkedRow, error: SyncError)]) -> RowsToSkip {
    var rows = run.rowsToSkip()
    for (row, error) in failed { rows.add(row.key, of: row.model, error: error) }
    // Each round finds the rows that require those of the last one. A chain of rows of one model may be long.
    if rows.rounds > LinkSettlement.roundsOfSkipping { addHolders(of: failed.map(\.row), to: &rows) }
    return rows
  }

  /// Adds the new rows that require rows which are skipped, and those that require them in turn.
  private func addHolders(of failed: [LinkedRow], to rows: inout RowsToSkip) {
    var holders: [LinkedRow: [(row: LinkedRow, end: LinkEnd)]] = [:]
    for (end, outcome) in outcomes where known[end]?.isRequired == true {
      for case (let row, let target?) in outcome.targets where stored.isNew(row) {
        holders[target, default: []].append((row, end))
      }
    }
    var open = failed
    while let row = open.popLast() {
      for (holder, end) in holders[row] ?? [] {
        let error = SyncError(
          RowProblem(
            model: end.table.name, property: end.name, identity: "\(holder.key.identity)",
            reason: .noRow(model: end.targetTable.name, identity: "\(row.key.identity)")))
        if rows.add(holder.key, of: holder.model, error: error) { open.append(holder) }
      }
    }
  }
}

extension LinkStatements.Source {
  func error(_ end: LinkEnd, _ reason: RowProblem.Reason) -> SyncError {
    SyncError(
      RowProblem(
        model: end.table.name, property: end.name, path: problem.path, identity: "\(place.owner.identity)",
        reason: reason))
  }
}
