import Foundation

extension SyncReport {
  /// Adds the report of a later transaction of the same call.
  mutating func add(_ later: SyncReport) {
    models.merge(later.models) { earlier, later in
      var sum = earlier
      sum += later
      return sum
    }
    problems += later.problems.prefix(max(0, RunLog.limit - problems.count))
    problemCount += later.problemCount
    waiting += later.waiting.prefix(max(0, RunLog.limit - waiting.count))
    waitingCount += later.waitingCount
    duration += later.duration
    guard let others = later.unreadKeys else { return }
    var keys = unreadKeys ?? SyncUnreadKeys()
    keys.add(others)
    unreadKeys = keys
  }

  /// Whether a payload had rows of a model.
  func hasRows(of model: String) -> Bool {
    let counts = models[model] ?? Counts()
    return counts.inserted + counts.updated + counts.unchanged + counts.reactivated + counts.skipped > 0
  }

  /// The report without pending links whose rows a later page brought.
  func withoutArrived(_ pending: StoredPendingLinks, in catalog: ModelCatalog) throws -> SyncReport {
    var report = self
    try report.waiting.removeAll { link in
      guard let target = catalog.table(named: link.target),
        let identity = target.identityKind.identity(of: link.targetIdentity)
      else { return false }
      return try !pending.hasEntry(link.relationship, of: link.model, for: identity, in: link.target)
    }
    report.waitingCount -= waiting.count - report.waiting.count
    return report
  }
}

extension SyncIdentityKind {
  /// The identity with the given description.
  fileprivate func identity(of description: String) -> SyncIdentity? {
    switch self {
    case .integer: Int64(description).map(SyncIdentity.integer)
    case .uuid: UUID(uuidString: description).map(SyncIdentity.uuid)
    case .text, .composite: .text(description)
    }
  }
}
