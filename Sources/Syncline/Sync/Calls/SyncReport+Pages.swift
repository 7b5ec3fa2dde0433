import Foundation

extension SyncReport {
  /// Adds the report of a later transaction of the same call.
  mutating func add(_ later: SyncReport) {
    for (model, counts) in later.models { models[model, default: Counts()] += counts }
    problems += later.problems.prefix(max(0, RunLog.limit - problems.count))
    problemCount += later.problemCount
    waiting += later.waiting.prefix(max(0, RunLog.limit - waiting.count))
    waitingCount += later.waitingCount
    duration += later.duration
    unreadKeys.add(later.unreadKeys)
  }

  func hasRows(of model: String) -> Bool {
    let counts = models[model] ?? Counts()
    return counts.inserted + counts.updated + counts.unchanged + counts.reactivated + counts.skipped > 0
  }

  /// The report without pending links whose rows a later page brought.
  func withoutArrived(_ pending: StoredPendingLinks, in catalog: ModelCatalog) throws -> SyncReport {
    var report = self
    try report.waiting.removeAll { link in
      let keys = SyncReport.keys(of: link, in: catalog)
      guard !keys.isEmpty else { return false }
      return try !keys.contains {
        try pending.hasEntry(link.relationship, of: link.model, for: $0.identity, in: $0.target)
      }
    }
    report.waitingCount -= waiting.count - report.waiting.count
    // The report has counted, but not kept, the other links.
    if report.waitingCount > report.waiting.count {
      report.waitingCount = max(report.waiting.count, min(report.waitingCount, try pending.count()))
    }
    return report
  }

  /// The forms in which a pending link may be stored: by the identity of its row, or by a looked-up key.
  private static func keys(
    of link: SyncWaitingLink, in catalog: ModelCatalog
  ) -> [(target: String, identity: SyncIdentity)] {
    guard let target = catalog.table(named: link.target) else { return [] }
    var kinds: [(target: String, kind: SyncIdentityKind)] = [(link.target, target.identityKind)]
    if let end = catalog.end(link.relationship, of: link.model), let name = end.pendingTarget,
      let kind = end.property.keyReader?.kind
    {
      kinds.append((name, kind))
    }
    return kinds.compactMap { name, kind in
      kind.identity(of: link.targetIdentity).map { (target: name, identity: $0) }
    }
  }
}

extension SyncIdentityKind {
  fileprivate func identity(of description: String) -> SyncIdentity? {
    switch self {
    case .integer: Int64(description).map(SyncIdentity.integer)
    case .uuid: UUID(uuidString: description).map(SyncIdentity.uuid)
    case .text, .composite: .text(description)
    }
  }
}
