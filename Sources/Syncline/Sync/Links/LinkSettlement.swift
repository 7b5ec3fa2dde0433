/// Settles the links of a payload: decides them from its statements and the store, finds deleted rows, and decides again without
/// these, until no more are found. Logged links are not written before that.
final class LinkSettlement {
  unowned(unsafe) let run: Run
  let statements: LinkStatements
  let stored: StoredLinks
  private(set) var outcomes: [LinkEnd: Links.Outcome] = [:]
  private(set) var known: [LinkEnd: Links.Known] = [:]
  var deletion = LinkDeletion()
  /// Ignored statements: they would take a partner from a row that requires it. Only if invalid rows are skipped.
  private(set) var dropped: Set<Int> = []
  private var roundsOfDropping = 0
  /// Filled on demand.
  private var decidedHolders: [LinkEnd: [LinkedRow: [LinkedRow]]] = [:]

  /// The maximum number of rounds that search for deleted rows, counted from the last applied object or dropped statement. There
  /// are finitely many of these, so only the rounds between them need a limit.
  private static let roundLimit = 200
  /// The number of rounds in which rows are skipped, or statements dropped, one by one, before all of them are at once.
  private static let roundsOfSkipping = 16

  init(_ run: Run, _ statements: LinkStatements, _ pending: PendingLinks) {
    self.run = run
    self.statements = statements
    stored = StoredLinks(run, statements, pending)
  }

  /// - Parameters:
  ///   - answer: applies objects without identity to the rows that are linked; returns whether there were any.
  ///   - missing: the rows of the slices that are missing from the payload.
  /// - Throws: the error of a row that cannot be kept; under `.skip` ``Restart/skipping(_:)``.
  func settle(
    answer: () throws -> Bool, missing: () throws -> [(row: LinkedRow, policy: DeletionPolicy)]
  ) throws {
    var rounds = 0
    while rounds < LinkSettlement.roundLimit {
      try run.checkCancellation()
      rounds += 1
      try decide()
      if try answer() {
        rounds = 0
        continue
      }
      // Links that are already written are not decided again. But a denied row may be deleted with the row that denied it.
      if try findDeleted(missing()), run.mode.logsLinks || !deletion.denied.isEmpty { continue }
      if try dropStatement() {
        deletion.gone = []
        rounds = 0
        continue
      }
      return try checkRequired()
    }
    throw SyncError.schemaValidation(reason: "the payload's links could not be resolved")
  }

  private func decide() throws {
    guard run.mode.logsLinks else { return }
    try stored.readPending(without: deletion.gone)
    outcomes = [:]
    known = [:]
    decidedHolders = [:]
    for end in Set(statements.groups.keys).union(stored.pending.keys) {
      let group = statements.groups[end] ?? LinkStatements.Group()
      let known = try stored.known(of: end, group, without: deletion.gone)
      self.known[end] = known
      outcomes[end] = decide(end, group.said(known.rows), known)
    }
  }

  private func decide(_ end: LinkEnd, _ group: LinkStatements.Group, _ known: Links.Known) -> Links.Outcome {
    if end.linkTable != nil {
      return Links.table(source: end, target: end.inverse, lists: group.lists, known)
    }
    if statements.isOneToOne(end) {
      return Links.pair(
        column: end, farEnd: end.inverse ?? end, own: group.own, far: group.far, known, dropped: dropped)
    }
    let partners = group.far.values.joined().map { key in
      Links.List(
        end: statements.sources[key.number].place.end, owner: key.row,
        members: Set(CollectionOfOne(key.target).compactMap(\.self)), begin: key.begin, isStale: key.isStale,
        number: key.number)
    }
    return Links.column(end, own: group.own, lists: group.lists + partners, known)
  }

  /// The row that a to-one references once links are decided.
  func target(of row: LinkedRow, at column: LinkEnd) throws -> LinkedRow? {
    if let decided = outcomes[statements.group(of: column)]?.targets[row] { return decided }
    return try stored.target(of: row, at: column)
  }

  /// The rows whose to-one references a row since this payload.
  func arrivals(at target: LinkedRow, by column: LinkEnd) -> [LinkedRow] {
    guard run.mode.logsLinks else {
      return run.ledger.arrivals(at: target.key.identity, by: column)
        .filter { !run.rows(column.owner).isGiven($0, at: column.position) }
        .map { LinkedRow(column.owner, $0) }.sorted()
    }
    let end = statements.group(of: column)
    let stored = known[end]?.targets ?? [:]
    return (outcomes[end]?.targets ?? [:]).filter { $0.value == target && stored[$0.key] != target }
      .keys.sorted()
  }

  /// The rows whose to-one was decided to reference a row.
  func decidedHolders(of row: LinkedRow, at column: LinkEnd) -> [LinkedRow] {
    let end = statements.group(of: column)
    if decidedHolders[end] == nil {
      var holders: [LinkedRow: [LinkedRow]] = [:]
      for case (let holder, let target?) in outcomes[end]?.targets ?? [:] {
        holders[target, default: []].append(holder)
      }
      decidedHolders[end] = holders
    }
    return decidedHolders[end]?[row] ?? []
  }

  /// The row for an object without identity, nested in a row under a to-one.
  func linked(by place: LinkPlace) throws -> LinkedRow? {
    guard let column = place.end.memberColumn else {
      return try target(of: place.row, at: place.end).flatMap { $0.model == place.end.target ? $0 : nil }
    }
    if let holder = decidedHolders(of: place.row, at: column).first { return holder }
    let decided = outcomes[statements.group(of: column)]?.targets ?? [:]
    return try stored.holders(of: place.row, at: column).first { decided[$0] == nil }
  }

  // MARK: Rows that cannot be kept

  /// Drops a statement that takes a partner from a row that requires it; in later rounds, all of them. False if there are none.
  private func dropStatement() throws -> Bool {
    let earlier = dropped
    roundsOfDropping += 1
    for (end, outcome) in outcomes.sorted(by: { $0.key < $1.key }) {
      for (row, statement) in outcome.lost.sorted(by: { $0.key < $1.key })
      where !deletion.gone.contains(row) {
        guard run.skipsInvalidRows else { throw lostError(row, end) }
        let given = statements.groups[end]?.given.values.first { $0.number == statement }
        if let given { throw skipping([(given.row, lostError(row, end))]) }
        guard let statement, !earlier.contains(statement) else {
          throw skipping([(row, lostError(row, end))])
        }
        dropped.insert(statement)
        if roundsOfDropping <= LinkSettlement.roundsOfSkipping { return true }
      }
      if !outcome.lost.isEmpty {
        dropLater(than: outcome.lost.keys.filter { !deletion.gone.contains($0) }, at: end)
      }
    }
    return dropped.count > earlier.count
  }

  /// Drops the statements about partners of lost rows that begin later than those of the lost rows. Otherwise each round would drop
  /// only the last of them, and the one before it would take effect.
  private func dropLater(than lost: [LinkedRow], at end: LinkEnd) {
    guard let group = statements.groups[end] else { return }
    var first: [LinkedRow: (begin: Int, row: LinkedRow)] = [:]
    for row in lost {
      guard let (partner, begin) = partner(of: row, at: end) else { continue }
      if first[partner].map({ begin < $0.begin }) ?? true { first[partner] = (begin, row) }
    }
    for statement in group.own.values.joined() {
      guard let first = statement.target.flatMap({ first[$0] }) else { continue }
      if statement.begin > first.begin, statement.row != first.row { dropped.insert(statement.number) }
    }
    for statement in group.far.values.joined() {
      guard let first = first[statement.row] else { continue }
      if statement.begin > first.begin, statement.target != first.row { dropped.insert(statement.number) }
    }
  }

  /// The partner that a row has, or requires by its last statement, and where that statement begins.
  private func partner(of row: LinkedRow, at end: LinkEnd) -> (LinkedRow, begin: Int)? {
    if let stored = known[end]?.targets[row] { return (stored, .min) }
    let own = statements.groups[end]?.own[row]?.filter { !dropped.contains($0.number) }
    return own?.max { $0.begin < $1.begin }.flatMap { last in last.target.map { ($0, last.begin) } }
  }

  private func lostError(_ row: LinkedRow, _ end: LinkEnd) -> SyncError {
    let partner = partner(of: row, at: end)?.0
    return cannotUnlink(partner, of: row, to: partner.flatMap { holder(of: $0, at: end, besides: row) }, end)
  }

  /// The error for a partner that a row requires, while another row is to have it.
  private func cannotUnlink(_ partner: LinkedRow?, of row: LinkedRow, to taker: LinkedRow?, _ end: LinkEnd)
    -> SyncError
  {
    end.error(of: row.key, .cannotUnlink(target: name(of: partner), to: name(of: taker)))
  }

  /// The model and the identity of a row, for a message.
  func name(of row: LinkedRow?) -> String {
    row.map { "\(run.rows($0.model).table.name) \($0.key.identity)" } ?? "another row"
  }

  /// The row that was decided to have a partner.
  func holder(of partner: LinkedRow, at end: LinkEnd, besides row: LinkedRow) -> LinkedRow? {
    decidedHolders(of: partner, at: end).filter { $0 != row }.min()
  }

  private func checkRequired() throws {
    var failed: [(row: LinkedRow, begin: Int, error: SyncError)] = []
    for (end, outcome) in outcomes {
      for (row, statement) in outcome.refused where !deletion.gone.contains(row) {
        let source = statements.sources[statement]
        failed.append((row, source.begin, source.error(end, .requiredIsNull)))
      }
    }
    for row in statements.newRows where !deletion.gone.contains(row) {
      for case let end? in run.rows(row.model).entry.ends
      where end.isColumn && !end.isOptional && outcomes[end]?.refused[row] == nil {
        if case .some(.some) = outcomes[end]?.targets[row] { continue }
        let begin = statements.groups[end]?.own[row]?.map(\.begin).max() ?? .max
        let error = run.placeholders.required[LinkPlace(end: end, owner: row.key)] ?? noRow(row, end)
        failed.append((row, begin, error))
      }
    }
    guard !failed.isEmpty else { return }
    failed.sort { ($0.begin, $0.row) < ($1.begin, $1.row) }
    guard run.skipsInvalidRows else { throw failed[0].error }
    throw skipping(failed.map { ($0.row, $0.error) })
  }

  private func noRow(_ row: LinkedRow, _ end: LinkEnd) -> SyncError {
    let keys = statements.groups[end]?.own[row] ?? []
    let target = keys.max { $0.begin < $1.begin }?.target
    if end.isUnique, let target, let holder = holder(of: target, at: end, besides: row) {
      return cannotUnlink(target, of: holder, to: row, end)
    }
    return end.error(
      of: row.key,
      .noRow(
        model: end.targetTable.name, identity: target.map { run.description(of: $0.key.identity) } ?? ""))
  }

  private func skipping(_ all: [(row: LinkedRow, error: SyncError)]) -> Restart {
    var rows = run.rowsToSkip()
    // Others may have failed because of a deletion mark that does not count if the row around it is skipped.
    let marking = all.filter { failed in
      run.deletedRows?.isMarking(failed.row.key, of: run.rows(failed.row.model).table) ?? false
    }
    let failed = marking.isEmpty ? all : marking
    for (row, error) in failed { rows.add(row, error: error) }
    // Each round only finds rows that require those of the last round, and a chain of such rows may be long.
    if rows.rounds > LinkSettlement.roundsOfSkipping { addHolders(of: failed.map(\.row), to: &rows) }
    return .skipping(rows)
  }

  /// Adds the new rows that require skipped rows, directly or through others.
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
        let error = end.error(
          of: holder.key, .noRow(model: end.targetTable.name, identity: "\(row.key.identity)"))
        if rows.add(holder, error: error) { open.append(holder) }
      }
    }
  }
}

extension LinkStatements.Source {
  func error(_ end: LinkEnd, _ reason: RowProblem.Reason) -> SyncError {
    end.error(of: place.owner, at: problem.path, reason)
  }
}

extension LinkEnd {
  fileprivate func error(of row: RowKey, at path: String = "", _ reason: RowProblem.Reason) -> SyncError {
    SyncError(
      RowProblem(model: table.name, property: name, path: path, identity: "\(row.identity)", reason: reason))
  }
}
