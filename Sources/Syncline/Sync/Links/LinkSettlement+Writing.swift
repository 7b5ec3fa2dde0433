/// Writes the links of a payload once they are settled, and deletes rows.
extension LinkSettlement {
  private var gone: Set<LinkedRow> { deletion.gone }

  func write(_ links: PayloadLinks) throws {
    let counts = LinkCounts(run, self)
    for (end, outcome) in outcomes.sorted(by: { $0.key < $1.key }) {
      try run.checkCancellation()
      if end.isColumn { try writeColumn(end, outcome, counts) } else { try writeTable(end, outcome, counts) }
      try report(outcome)
      leaveOut(outcome, links.missing)
    }
    // It is known only now which of them are deleted.
    for (row, list, problem) in links.missing.kept where try stays(LinkedRow(list.end.target, row)) {
      run.reportKept(row, of: list, problem)
    }
    try clearUndecided()
    try writePending()
    try delete(links)
    reportDenied()
    reportDropped()
  }

  private func writeColumn(_ end: LinkEnd, _ outcome: Links.Outcome, _ counts: LinkCounts) throws {
    let model = run.rows(end.owner)
    var targets: [(row: LinkedRow, target: LinkedRow?)] = []
    // `sorted` is slower, and there may be as many targets as rows in the payload.
    var inOrder = Array(outcome.targets)
    inOrder.sort { $0.key < $1.key }
    for (row, target) in inOrder {
      guard try !gone.contains(row) && stored.exists(row) else { continue }
      let final = try target.flatMap { try gone.contains($0) || !stored.exists($0) ? nil : $0 }
      counts.count(row, to: final, at: end, outcome)
      targets.append((row, final))
    }
    // Partners are removed from their former rows before other rows get them, since the column is unique.
    for column in statements.cases(of: end) where column.isUnique {
      for case let (row, target?) in targets where target.model == column.target {
        try model.unlinkPartner(of: target.key.identity, at: column.position, for: row.key)
      }
    }
    for (row, target) in targets { try link(row, to: target, at: end, in: model) }
  }

  /// Clears optional columns of new rows that were not decided: they hold their first values.
  private func clearUndecided() throws {
    for row in statements.newRows where !gone.contains(row) {
      let model = run.rows(row.model)
      for case let end? in model.entry.ends where end.isColumn && end.isOptional {
        let group = statements.group(of: end)
        if outcomes[group]?.targets[row] == nil {
          _ = try model.link(row.key, at: end.position, to: nil)
        }
      }
    }
  }

  private func link(_ row: LinkedRow, to target: LinkedRow?, at end: LinkEnd, in model: ModelRows) throws {
    if let target {
      guard let column = statements.cases(of: end).first(where: { $0.target == target.model }) else { return }
      _ = try model.link(row.key, at: column.position, to: target.key.identity)
    } else if end.isOptional {
      for column in statements.cases(of: end) { _ = try model.link(row.key, at: column.position, to: nil) }
    }
  }

  private func writeTable(_ end: LinkEnd, _ outcome: Links.Outcome, _ counts: LinkCounts) throws {
    let stored = known[end]?.pairs ?? []
    var inOrder = Array(outcome.pairs)
    inOrder.sort { ($0.key.source, $0.key.target) < ($1.key.source, $1.key.target) }
    for (pair, isThere) in inOrder
    where isThere != stored.contains(pair) && !gone.contains(pair.source) && !gone.contains(pair.target) {
      counts.count(pair, isThere: isThere, at: end, outcome)
      let place = LinkPlace(end: end, owner: pair.source.key)
      if isThere {
        try run.addMember(pair.target.key.identity, to: place)
      } else {
        try run.removeMember(pair.target.key.identity, from: place)
      }
    }
  }

  private func writePending() throws {
    var wanted: [LinkPlace: Set<SyncIdentity>] = [:]
    var waiting: [(place: LinkPlace, target: LinkedRow, statement: Int, index: Int)] = []
    var indexes: [Int: [LinkedRow: Int]] = [:]
    for (end, outcome) in outcomes {
      try forgetSettled(end, outcome, in: &wanted)
      for (link, statement) in outcome.pending where !gone.contains(link.owner) && !hasArrived(link) {
        let place = storedPlace(link)
        if wanted[place] == nil { wanted[place] = try run.storedLinks.targets(of: place) }
        wanted[place]?.insert(link.target.key.identity)
        let members = statements.sources[statement].members
        if !members.isEmpty, indexes[statement] == nil {
          indexes[statement] = Dictionary(zip(members, members.indices)) { first, _ in first }
        }
        waiting.append((place, link.target, statement, indexes[statement]?[link.target] ?? 0))
      }
    }
    for (place, targets) in wanted.sorted(by: { ($0.key.end, $0.key.row) < ($1.key.end, $1.key.row) }) {
      try run.storedLinks.replace(place, with: targets.sorted())
    }
    let sources = statements.sources
    waiting.sort {
      (sources[$0.statement].begin, $0.statement, $0.index)
        < (sources[$1.statement].begin, $1.statement, $1.index)
    }
    for (place, target, statement, _) in waiting {
      run.log.recordWaiting(run.waitingLink(place, target.key.identity, sources[statement].problem))
    }
  }

  private func hasArrived(_ link: Links.Pending) -> Bool {
    stored.isNew(link.target) && !gone.contains(link.target)
  }

  /// Removes the pending links of earlier payloads that are settled from the targets that each place waits for.
  private func forgetSettled(
    _ end: LinkEnd, _ outcome: Links.Outcome, in wanted: inout [LinkPlace: Set<SyncIdentity>]
  ) throws {
    for link in stored.pending[end] ?? [] {
      let place = storedPlace(link)
      if wanted[place] == nil { wanted[place] = try run.storedLinks.targets(of: place) }
      if hasArrived(link) || outcome.settled.contains(Links.Place(end: link.end, row: link.owner))
        || outcome.forgotten.contains(link) || outcome.recalled.contains(link)
      {
        wanted[place]?.remove(link.target.key.identity)
      }
    }
  }

  /// The place that stores a pending link: for a union, that of the case.
  private func storedPlace(_ link: Links.Pending) -> LinkPlace {
    let end =
      link.end.isColumn
      ? statements.cases(of: link.end).first { $0.target == link.target.model }
      : link.end.memberColumn.flatMap { column in
        statements.cases(of: column).first { $0.target == link.owner.model }?.inverse
      }
    return LinkPlace(end: end ?? link.end, owner: link.owner.key)
  }

  private func delete(_ links: PayloadLinks) throws {
    let now = run.configuration.sources.now
    for row in deletion.marked.sorted() where !gone.contains(row) {
      let model = run.rows(row.model)
      try model.softDelete(row.key, at: run.deletedRows?.date(of: row.key, in: model.table) ?? now)
    }
    let (rows, isCyclic) = try deletionOrder()
    let stated = try links.statedByPages(to: rows)
    if isCyclic {
      // SQLite deletes the rows of a cycle with the first of them.
      for row in rows {
        let model = run.rows(row.model)
        try links.deleteLinks(to: row.key, in: model)
        if try model.isStored(row.key) { model.journal.recordDeletion(row.key) }
      }
    }
    for row in rows {
      try run.checkCancellation()
      let model = run.rows(row.model)
      if !isCyclic { try links.deleteLinks(to: row.key, in: model) }
      if try links.delete(row.key, in: model), !isCyclic { model.journal.recordDeletion(row.key) }
    }
    try links.wait(stated)
  }

  /// The deleted rows, each after the rows that reference it, which SQLite would delete with it.
  ///
  /// - Returns: also whether there is a cycle of references, which has no such order.
  private func deletionOrder() throws -> (rows: [LinkedRow], isCyclic: Bool) {
    var (rows, isCyclic): ([LinkedRow], Bool) = ([], false)
    var isOrdered: [LinkedRow: Bool] = [:]
    for row in gone.sorted() {
      var open = [(row: row, isFollowed: false)]
      while let (row, isFollowed) = open.popLast() {
        if isFollowed {
          isOrdered[row] = true
          rows.append(row)
        } else if let isOrdered = isOrdered[row] {
          isCyclic = isCyclic || !isOrdered
        } else {
          isOrdered[row] = false
          open.append((row, true))
          for holder in try holders(deletedWith: row) where holder != row { open.append((holder, false)) }
        }
      }
    }
    return (rows, isCyclic)
  }

  /// The deleted rows that SQLite would delete with a row.
  private func holders(deletedWith row: LinkedRow) throws -> [LinkedRow] {
    let references = run.rows(row.model).entry.references
    return try references.filter { $0.ownerRule == .cascade || !$0.isOptional }.flatMap { end in
      try run.rows(end.owner).holderKeys(of: row.key.identity, at: end.position)
        .map { LinkedRow(end.owner, $0) }.filter(gone.contains)
    }
  }

  /// Leaves rows that are missing from a page's lists to the end of the pages.
  private func leaveOut(_ outcome: Links.Outcome, _ missing: MissingRows) {
    guard run.mode.unseen != nil else { return }
    for (row, left) in outcome.missing.sorted(by: { $0.key < $1.key }) {
      missing.leaveOut([row.key], of: statements.sources[left.statement].place, left.policy)
    }
  }

  private func report(_ outcome: Links.Outcome) throws {
    for (row, statement) in outcome.kept.sorted(by: { $0.row < $1.row }) where try stays(row) {
      let source = statements.sources[statement]
      run.reportKept(row.key, of: source.place, source.problem)
    }
  }

  /// Whether a row is neither deleted nor marked as deleted. Lists are expected to lack the others.
  private func stays(_ row: LinkedRow) throws -> Bool {
    let model = run.rows(row.model)
    if gone.contains(row) || deletion.marked.contains(row) || run.isDeleted(row.key, in: model) {
      return false
    }
    guard let mark = model.table.softDelete else { return true }
    return try model.storedValues(of: row.key).map { $0[mark].isNull } ?? false
  }

  private func reportDropped() {
    var holders: [LinkEnd: [LinkedRow: LinkedRow]] = [:]
    for number in dropped.sorted() {
      let source = statements.sources[number]
      let end = source.place.end
      guard let target = statements.target(of: number, at: source.place) else { continue }
      let partner = end.isColumn ? target : LinkedRow(end.owner, source.place.owner)
      let group = statements.group(of: end)
      if holders[group] == nil {
        let targets = known[group]?.targets ?? [:]
        holders[group] = Dictionary(targets.lazy.map { ($0.value, $0.key) }) { first, _ in first }
      }
      let problem = RowProblem.Reason.requiredBy(
        row: name(of: holders[group]?[partner]), target: name(of: partner))
      run.log.record(
        SyncProblem(
          model: end.table.name, row: source.problem.row, identity: "\(source.place.owner.identity)",
          path: source.problem.path,
          reason: source.error(end, problem).description, action: .keptLink))
    }
  }

  private func reportDenied() {
    for (row, other) in deletion.denied.sorted(by: { $0.key < $1.key }) {
      let (model, otherModel) = (run.rows(row.model), run.rows(other.model))
      run.log.record(
        SyncProblem(
          model: model.table.name, row: nil, identity: "\(row.key.identity)", path: "",
          .denied(by: "\(otherModel.table.name) \(other.key.identity)"), action: .keptRow))
    }
  }
}
