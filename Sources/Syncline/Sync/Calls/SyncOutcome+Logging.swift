import Logging

extension Logger {
  /// How many problems of one sync are logged, one line each.
  private static let problemLimit = 20

  func log(_ outcome: SyncOutcome) {
    switch outcome.result {
    case .success(let report):
      info("Synced \(outcome.model)", metadata: outcome.metadata(report))
      for problem in report.problems.prefix(Logger.problemLimit) {
        notice("\(problem)", metadata: ["model": "\(outcome.model)"])
      }
      let others = report.problemCount - min(report.problems.count, Logger.problemLimit)
      for property in report.unreadKeys?.properties ?? [] where property.suggestion != nil {
        notice("\(property)", metadata: ["model": "\(outcome.model)"])
      }
      if others > 0 {
        notice("\(others) more problem\(others == 1 ? "" : "s")", metadata: ["model": "\(outcome.model)"])
      }
    case .failure where outcome.isCancelled:
      info("A sync of \(outcome.model) was cancelled", metadata: outcome.metadata)
    case .failure(let error):
      self.error("A sync of \(outcome.model) failed: \(error)", metadata: outcome.metadata)
    }
  }
}

extension SyncOutcome {
  fileprivate var metadata: Logger.Metadata {
    [
      "model": "\(model)", "wait_ms": "\((waiting * 1e5).rounded() / 100)",
      "duration_ms": "\((duration * 1e5).rounded() / 100)",
    ]
  }

  fileprivate func metadata(_ report: SyncReport) -> Logger.Metadata {
    var metadata = metadata
    let totals = report.totals
    for (name, field) in SyncReport.Counts.fields where totals[keyPath: field] > 0 {
      metadata[name.replacing("-", with: "_")] = "\(totals[keyPath: field])"
    }
    if report.problemCount > 0 { metadata["problems"] = "\(report.problemCount)" }
    if report.waitingCount > 0 { metadata["waiting"] = "\(report.waitingCount)" }
    return metadata
  }
}
