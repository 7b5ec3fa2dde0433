import Syncline

/// Thrown when a sync wrote to the store although it should have changed nothing.
public struct UnexpectedChange: Error, CustomStringConvertible {
  /// The report of the sync.
  public let report: SyncReport
  /// The number of rows that were written.
  public let changedRows: Int

  public var description: String {
    "\(changedRows) rows were written although nothing should change:\n\(report)"
  }
}

/// Runs a sync that must change nothing: neither its report nor the store may have changes.
///
/// ```swift
/// try await expectUnchanged(in: container) { try await $0.sync(payload: payload, as: Task.self) }
/// ```
///
/// - Throws: ``UnexpectedChange``, and the errors of the sync.
@discardableResult
public func expectUnchanged(
  in container: SyncContainer, isolation: isolated (any Actor)? = #isolation,
  _ sync: (SyncContainer) async throws -> SyncReport
) async throws -> SyncReport {
  var report = SyncReport()
  let changes = try await container.changes { report = try await sync(container) }
  guard report.isUnchanged, changes == 0 else { throw UnexpectedChange(report: report, changedRows: changes) }
  return report
}
