import Foundation

/// A local edit that is not pushed yet, of a row of any model.
///
/// ```swift
/// for change in try await container.pendingChanges() {
///   print(change.model, change.kind, change.id, change.state)  // Task update 1 pending
/// }
/// ```
public struct SyncAnyPendingChange: Sendable, Hashable {
  /// The model of the row.
  public let model: String
  /// What the edit did with the row.
  public let kind: SyncPendingKind
  /// The identity of the row as text.
  public let id: String
  /// The names of the edited properties, in the order of the schema; empty for a deletion.
  public let properties: [String]
  /// The state of the push of this change.
  public let state: SyncPendingState
  /// The reason for which the server rejected the change; nil if it did not.
  public let reason: String?
  /// Whether the server no longer has the row.
  public let isGone: Bool

  init(_ change: PendingChanges.Change, in changes: PendingChanges) {
    model = change.model.table.name
    kind = change.kind
    id = change.edit.row.identity.description
    properties = changes.properties(change)
    state = change.state
    reason = change.edit.reason
    isGone = change.edit.isGone
  }
}

extension SyncContainer {
  /// The local edits of all models' rows, in the order in which they are pushed.
  ///
  /// - Throws: the database's error.
  public func pendingChanges() async throws -> [SyncAnyPendingChange] {
    try await readChanges { changes in try changes.all().map { SyncAnyPendingChange($0, in: changes) } }
  }
}
