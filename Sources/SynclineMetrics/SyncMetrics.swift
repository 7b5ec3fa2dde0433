import CoreMetrics
import Syncline

/// Records syncs with swift-metrics.
///
/// ```swift
/// configuration.onSync = SyncMetrics().record
/// ```
///
/// | label | value | dimensions |
/// |---|---|---|
/// | `syncline_syncs` | calls that ended | `model`, `result`: `ok`, `cancelled`, `failed` |
/// | `syncline_sync_duration` | a timer: how long a call took, without the time in the queue | `model` |
/// | `syncline_sync_wait` | a timer: how long a call waited in the queue | `model` |
/// | `syncline_rows` | rows, by kind of change | `model`, `change`: `inserted`, `updated`, `unchanged`, `deleted`, `soft_deleted`, `reactivated`, `skipped` |
/// | `syncline_links` | links | `model`, `change`: `linked`, `unlinked` |
/// | `syncline_problems` | problems in reports | `model` |
///
/// Rows and links are counted for their own model, everything else for the model of the call.
public struct SyncMetrics: Sendable {
  private let factory: any MetricsFactory

  /// Creates metrics that use a factory; by default the factory of the process.
  public init(factory: (any MetricsFactory)? = nil) {
    self.factory = factory ?? MetricsSystem.factory
  }

  /// Records a call that has ended.
  public func record(_ outcome: SyncOutcome) {
    let model = [("model", outcome.model)]
    let result =
      switch outcome.result {
      case .success: "ok"
      case .failure: outcome.isCancelled ? "cancelled" : "failed"
      }
    count("syncline_syncs", 1, model + [("result", result)])
    time("syncline_sync_duration", outcome.duration, model)
    time("syncline_sync_wait", outcome.waiting, model)
    guard case .success(let report) = outcome.result else { return }
    for (name, counts) in report.models {
      for (change, rows) in [
        ("inserted", counts.inserted), ("updated", counts.updated), ("unchanged", counts.unchanged),
        ("deleted", counts.deleted), ("soft_deleted", counts.softDeleted),
        ("reactivated", counts.reactivated),
        ("skipped", counts.skipped),
      ] {
        count("syncline_rows", rows, [("model", name), ("change", change)])
      }
      count("syncline_links", counts.linked, [("model", name), ("change", "linked")])
      count("syncline_links", counts.unlinked, [("model", name), ("change", "unlinked")])
    }
    count("syncline_problems", report.problemCount, model)
  }

  private func count(_ label: String, _ amount: Int, _ dimensions: [(String, String)]) {
    guard amount > 0 else { return }
    Counter(label: label, dimensions: dimensions, factory: factory).increment(by: amount)
  }

  private func time(_ label: String, _ seconds: Double, _ dimensions: [(String, String)]) {
    Timer(label: label, dimensions: dimensions, factory: factory).recordSeconds(seconds)
  }
}
