import Dispatch
import Logging

/// Logs one call of `sync`, and measures how long it waits and runs. Nil if there is neither a logger nor `onSync`.
struct SyncOperation {
  private let model: String
  private let configuration: SyncConfiguration
  private let called: UInt64
  /// Nil while the call waits for its turn.
  private var began: UInt64?

  init?(of model: String, _ configuration: SyncConfiguration) {
    guard configuration.logger != nil || configuration.onSync != nil else { return nil }
    self.model = model
    self.configuration = configuration
    called = DispatchTime.now().uptimeNanoseconds
  }

  /// Called when the call's turn begins.
  mutating func begin() {
    began = DispatchTime.now().uptimeNanoseconds
  }

  /// Logs how the call ended, and returns the outcome.
  func end(_ result: Result<SyncReport, any Error>) -> SyncOutcome {
    let now = DispatchTime.now().uptimeNanoseconds
    let began = began ?? now
    let outcome = SyncOutcome(
      model: model, result: result, waiting: Double(began - called) / 1e9, duration: Double(now - began) / 1e9
    )
    configuration.logger?.log(outcome)
    return outcome
  }
}

extension Logger {
  /// How many problems of one sync are logged, one line each.
  private static let problemLimit = 20

  fileprivate func log(_ outcome: SyncOutcome) {
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
      if others > 0 { notice("\(others) more problems", metadata: ["model": "\(outcome.model)"]) }
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
