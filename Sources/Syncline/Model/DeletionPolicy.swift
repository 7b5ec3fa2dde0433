/// What a sync does with stored rows that are missing from the payload.
///
/// It applies to all rows of the synced model, or with `parent:` to the rows of that parent. A call without a policy deletes
/// the rows, or marks them as deleted if the model has `@SoftDelete`. For other models a call with
/// ``DeletionPolicy/softDeleteMissing`` throws ``SyncError/invalidPayload(model:reason:)``.
///
/// ```swift
/// let changed = #"[{"id": 1, "title": "Write it"}]"#
/// let report = try await container.sync(payload: changed, as: Task.self, deletionPolicy: .none)
/// print(report.deleted)  // 0
/// ```
///
/// ## Topics
///
/// ### Policies
///
/// - ``DeletionPolicy/none``
/// - ``DeletionPolicy/hardDeleteMissing``
/// - ``DeletionPolicy/softDeleteMissing``
public enum DeletionPolicy: String, Sendable, Codable, CaseIterable {
  /// Missing rows are kept.
  case none
  /// Missing rows are deleted.
  case hardDeleteMissing
  /// Missing rows are marked as deleted, with the time of the sync. Only for models with `@SoftDelete`.
  case softDeleteMissing
}

extension DeletionPolicy {
  /// The policy for a row that is missing from two lists: it is deleted if either list deletes it, in whatever order they come.
  static func stronger(_ first: DeletionPolicy, _ second: DeletionPolicy) -> DeletionPolicy {
    first == .hardDeleteMissing ? first : second
  }
}
