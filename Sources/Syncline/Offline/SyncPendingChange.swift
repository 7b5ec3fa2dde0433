import Foundation

/// A local edit of a row that is not pushed yet.
///
/// ```swift
/// for change in try await container.pendingChanges(for: Task.self) {
///   print(change.kind, change.id, change.properties)  // update 1 ["title"]
/// }
/// ```
///
/// After a change was sent, its kind, properties, key and body stay the same until the server responds, even if the row is
/// edited again.
public struct SyncPendingChange<Model: SyncUpdatableModel>: Sendable, Identifiable {
  /// What the edit did with the row.
  public typealias Kind = SyncPendingKind

  /// What the edit did with the row.
  public let kind: Kind
  /// The identity of the row.
  public let id: Model.SyncID
  /// The parent within which the identity is unique.
  let parent: SyncIdentity?
  /// The stored row; nil if it was deleted, or was removed from its table (``SyncPendingState/aside``).
  public let row: Model?
  /// The row with the server's last values; nil if the server does not have it, or if the row was deleted and lacks a property that
  /// became required since.
  public let base: Model?
  /// The names of the edited properties, in the order of the schema; empty for a deletion.
  public let properties: [String]
  /// The state of the push of this change.
  public let state: SyncPendingState
  /// The idempotency key to send with the request. It stays the same until the server responds; it is empty before the change is
  /// first sent. A server that has already processed the key must repeat its first response.
  public let key: String
  /// The number of times that the change was sent.
  public let attempts: Int
  /// How often the server answered with a conflict.
  let conflicts: Int
  /// The reason for which the server rejected the change; nil if it did not.
  public let reason: String?
  /// Whether the server no longer has the row, according to a payload that lacked or deleted it.
  public let isGone: Bool
  /// The body of the request as JSON: all properties of a new row, or the edited properties of another row; empty for a deletion.
  /// It does not contain an identity that the server creates.
  public let body: Data

  var rowKey: RowKey { RowKey(identity: id.syncIdentity, parent: parent) }

  /// The method of an HTTP request: `POST`, `PATCH` or `DELETE`.
  public var method: String { kind.method }
}

extension SyncPendingChange: Equatable where Model: Equatable {}

/// The state of the push of an edited row.
public enum SyncPendingState: String, Sendable, Hashable {
  /// The change was not sent yet.
  case pending
  /// The change was sent, and there is no response yet.
  case sent
  /// The server rejected the change. The same drain sends it once more, after the deletions. Later it is sent again only if the row
  /// is edited, or after ``SyncContainer/retry(_:as:)``.
  case rejected
  /// The change refers to a new row that the server has not confirmed. It is sent after that confirmation.
  case waiting
  /// The row was removed from its table, because a row that it requires is missing, or because another row has its unique value
  /// or its required one-to-one partner. It is restored when the required row is inserted again, or the value or partner is free.
  case aside
}
