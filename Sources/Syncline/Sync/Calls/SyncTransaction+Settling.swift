/// What takes the whole payload to decide, and the report.
extension SyncTransaction {
  /// Decides the links of the payload, and deletes the rows of the slices that it does not name.
  func settle(_ slices: [SliceSync]) throws {
    guard let settlement = links.settlement else {
      return try settle { for slice in slices { try slice.deleteMissing() } }
    }
    run.mode.progress?.begin(.deleting)
    try applier.incomplete.finish()
    try settlement.settle(
      answer: { try applier.unidentified.answer(settlement) },
      missing: { try slices.flatMap { try $0.missingRows(settlement) } })
    for slice in slices { slice.reportHeldBack() }
    applier.unidentified.reportUnanswered()
    var writing = LinkWriting(run, settlement, links.missing)
    try writing.write()
    for model in run.order { try model.settleUnions() }
    if run.skipsRows { run.reportSkippedInside() }
  }

  /// Decides the links and the rows that waited for the rest of the payload.
  ///
  /// - Parameter deleteMissing: deletes the rows of the slice that the payload does not name.
  func settle(deleteMissing: () throws -> Void) throws {
    try applier.incomplete.finish()
    try links.decide()
    try applier.retryRefused(links.decide)
    try links.required.check(isLast: false, mayBringMore: !applier.refused.isEmpty)
    try deleteMissing()
    try links.missing.deletePostponed()
    try links.pairs.rewrite()
    try applier.retryRefused(links.decide)
    try applier.incomplete.finish()
    try links.pairs.retryHeld()
    links.pairs.reportHeld()
    try applier.skipRefused(links.decide)
    try links.required.check(isLast: true)
    try run.parked.check()
    for model in run.order { try model.settleUnions() }
    if run.skipsRows { run.reportSkippedInside() }
  }

  /// Ends the counting of links and rows.
  ///
  /// - Returns: whether anything is different from before. What was written may have been undone within the payload.
  func finishCounts() throws -> Bool {
    try run.ledger.finish()
    for model in run.order { model.finishCounts() }
    return links.pending.hasChanged || run.ledger.hasChanges
      || run.order.contains { $0.journal.hasNetChanges }
  }

  /// What is different from before, by the names of the tables.
  var changes: [String: SyncChanges.Table] {
    Dictionary(uniqueKeysWithValues: run.order.map { ($0.table.name, $0.journal.changedRows) })
  }

  /// Whether any statement wrote.
  var hasWritten: Bool { run.ledger.hasWritten || run.order.contains { $0.journal.hasWritten } }

  /// The report, when all is counted.
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
