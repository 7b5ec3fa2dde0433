/// What takes the whole payload to decide.
extension SyncRun {
  /// Decides the links and the rows that waited for the rest of the payload.
  ///
  /// - Parameter deleteMissing: deletes the rows of the slice that the payload does not name.
  func settle(deleteMissing: () throws -> Void) throws {
    try incomplete.finish()
    try resolveLinks()
    try retryRefused(resolveLinks)
    try links.required.check(isLast: false, mayBringMore: !refused.isEmpty)
    try deleteMissing()
    try links.missing.deletePostponed()
    try links.pairs.rewrite()
    try retryRefused(resolveLinks)
    try incomplete.finish()
    try links.pairs.retryHeld()
    links.pairs.reportHeld()
    try skipRefused(resolveLinks)
    try links.required.check(isLast: true)
    try parked.check()
    for model in order { try model.settleUnions() }
    if skipsRows { reportSkippedInside() }
  }

  /// Decides the links of the payload, now that all of it is known, and syncs the objects without identity that stand
  /// for the rows that are linked now.
  private func resolveLinks() throws {
    try links.decide()
    while !unidentified.isEmpty { try unidentified.sync(links.decide) }
  }

  /// Ends the counting of links and rows.
  ///
  /// - Returns: whether anything is different from before. What was written may have been undone within the payload.
  func finishCounts() throws -> Bool {
    try ledger.finish()
    for model in order { model.finishCounts() }
    return links.pending.hasChanged || ledger.hasChanges || order.contains { $0.journal.hasNetChanges }
  }

  /// What is different from before, by the names of the tables.
  var changes: [String: SyncChanges.Table] {
    Dictionary(uniqueKeysWithValues: order.map { ($0.table.name, $0.journal.changedRows) })
  }

  /// Whether any statement wrote.
  var hasWritten: Bool { ledger.hasWritten || order.contains { $0.journal.hasWritten } }

  /// The report, when all is counted.
  func report() -> SyncReport {
    var report = SyncReport()
    for model in order where model.counts != SyncReport.Counts() {
      report.models[model.table.name] = model.counts
    }
    report.problems = log.problemsInOrder
    report.problemCount = log.problemCount
    report.waiting = log.waiting
    report.waitingCount = log.waitingCount
    report.unreadKeys = unreadKeys
    return report
  }
}
