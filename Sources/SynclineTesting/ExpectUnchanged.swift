import Syncline

/// A store was written although nothing should have changed.
public struct UnexpectedChange: Error, CustomStringConvertible {
  /// What the sync says it did.
  public let report: SyncReport
  /// How many rows the store changed.
  public let changedRows: Int

  public var description: String {
    "\(changedRows) rows were written although nothing should change:\n\(report)"
  }
}

/// Runs a sync that must change nothing: its report says so, and the store wrote no row.
///
/// ```swift
/// try await expectUnchanged(in: container) { try await $0.sync(payload: payload, as: Task.self) }
/// ```
///
/// - Throws: ``UnexpectedChange``, and what the sync throws.
@discardableResult
public func expectUnchanged(
  in container: SyncContainer, isolation: isolated (any Actor)? = #isolation,
  _ sync: (SyncContainer) async throws -> SyncReport
) async throws -> SyncReport {
  let before = try await container.totalChanges()
  let report = try await sync(container)
  let changes = try await container.totalChanges() - before
  guard report.isUnchanged, changes == 0 else { throw UnexpectedChange(report: report, changedRows: changes) }
  return report
}
