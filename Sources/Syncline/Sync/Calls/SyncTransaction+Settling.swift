/// Decisions that need the whole payload, and the report.
extension SyncTransaction {
  /// Decides the payload's links, and deletes the rows of the slices that are missing from it.
  func settle(_ slices: [SliceSync]) throws {
    try settle {
      let missing = try slices.flatMap { try $0.missingRows(links.settlement) }
      if slices.count < 2 { return missing }
      // The last policy of a row counts. So hard deletions come last: a row that is missing from lists with different policies
      // is deleted.
      return missing.filter { $0.policy != .hardDeleteMissing }
        + missing.filter { $0.policy == .hardDeleteMissing }
    }
    for slice in slices { slice.reportHeldBack() }
  }

  /// Decides and writes everything that needs the whole payload.
  ///
  /// - Parameter missing: the rows to delete or mark because they are missing from the payload.
  func settle(missing: () throws -> [(row: LinkedRow, policy: DeletionPolicy)]) throws {
    run.mode.progress?.begin(.deleting)
    try run.lookups?.check(isEnd: false)
    try applier.incomplete.finish()
    if links.statements == nil {
      try links.decide()
      try run.placeholders.checkRequired()
    }
    try links.settlement.settle(
      answer: { try applier.unidentified.answer(links.settlement) },
      // The policy of the call's own list takes precedence over that of a nested list.
      missing: { try links.missing.rows() + missing() + markedRows })
    try countMarks()
    applier.unidentified.reportUnanswered()
    try links.settlement.write(links)
    if links.statements == nil { try run.placeholders.checkRequired() }
    for model in run.order { try model.settleUnions() }
    if run.skipsRows { run.reportSkippedInside() }
  }

  /// The rows that the payload marks as deleted, and may delete.
  private var markedRows: [(row: LinkedRow, policy: DeletionPolicy)] {
    (run.deletedRows?.deletions ?? []).map { ($0, run.rows($0.model).table.missingPolicy) }
  }

  /// Restarts if the payload brings rows to the call's parent that it also marks as deleted there.
  private func countMarks() throws {
    let arrived = try (run.deletedRows?.elsewhere ?? []).filter { row, scope in
      guard let column = run.rows(row.model).end(scope.position) else { return false }
      let target = try links.settlement.target(of: row, at: column)
      return target == LinkedRow(column.target, scope.parent)
    }
    if arrived.isEmpty { return }
    throw Restart.countingMarks(Set(arrived.map(\.row)))
  }

  /// Finishes the counts of links and rows.
  ///
  /// - Returns: whether the store differs from before. Writes may have been undone within the payload.
  func finishCounts() throws -> Bool {
    try run.ledger.finish()
    for model in run.order { model.journal.count(in: &model.counts, isNamed: model.isNamed) }
    return links.pending.stored.hasChanged || run.ledger.hasChanges
      || run.order.contains { $0.journal.hasNetChanges }
  }

  /// The rows that differ from before, by table name.
  var changes: [String: SyncChanges.Table] {
    Dictionary(uniqueKeysWithValues: run.order.map { ($0.table.name, $0.journal.changedRows) })
  }

  var hasWritten: Bool { run.ledger.writeCount > 0 || run.order.contains { $0.journal.hasWritten } }

  /// The report, once `finishCounts` was called.
  func report() -> SyncReport {
    var report = SyncReport()
    for model in run.order where model.counts != SyncReport.Counts() {
      report.models[model.table.name] = model.counts
    }
    report.problems = run.log.problemsInOrder
    report.problemCount = run.log.problemCount
    report.waiting = run.log.waiting
    report.waitingCount = run.log.waitingCount
    report.unreadKeys = unreadKeys
    return report
  }
}
