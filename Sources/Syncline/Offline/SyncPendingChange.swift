import Foundation

/// A local edit of a row that is not pushed yet.
///
/// ```swift
/// for change in try await container.pendingChanges(for: Task.self) {
///   print(change.kind, change.id, change.properties)  // update 1 ["title"]
/// }
/// ```
///
/// While an answer is awaited, the change is what was sent: its kind, properties, key and body stay the same until the server
/// answers.
public struct SyncPendingChange<Model: SyncUpdatableModel>: Sendable, Identifiable {
  /// What the edit did with the row.
  public typealias Kind = SyncPendingKind

  /// What the edit did with the row.
  public let kind: Kind
  /// The identity of the row.
  public let id: Model.SyncID
  /// The parent within which the identity is unique.
  let parent: SyncIdentity?
  /// The row as it is stored; nil if it was deleted, or is set aside.
  public let row: Model?
  /// The row as the server last said it; nil if the server does not know it.
  public let base: Model?
  /// The names of the edited properties, in the order of the schema; empty for a deletion.
  public let properties: [String]
  /// Where the change is in its way to the server.
  public let state: SyncPendingState
  /// The idempotency key to send with the request. It stays the same until the server answers; it is empty before the change is first
  /// sent. A server that has already processed the key must repeat its first answer.
  public let key: String
  /// How often it was sent.
  public let attempts: Int
  /// Why the server rejected it; nil if it did not.
  public let reason: String?
  /// Whether the server no longer has the row.
  public let isGone: Bool
  /// The body of the request as JSON: all properties of a new row, the edited ones of a known row; empty for a deletion. It has no
  /// identity that the server makes.
  public let body: Data

  /// The key of the row.
  var rowKey: RowKey { RowKey(identity: id.syncIdentity, parent: parent) }

  /// The method of an HTTP request: `POST`, `PATCH` or `DELETE`.
  public var method: String { kind.method }
}

extension SyncPendingChange: Equatable where Model: Equatable {}

/// Where an edited row is in its way to the server.
public enum SyncPendingState: String, Sendable, Hashable {
  /// It was not sent yet.
  case pending
  /// It was sent, and the server has not answered.
  case sent
  /// The server rejected it. The same drain sends it once more, after the deletions; later it is sent when the row is edited, or by
  /// ``SyncContainer/retry(_:as:)``.
  case rejected
  /// It refers to a new row that the server has rejected or not answered, and is sent once that is confirmed.
  case waiting
  /// The row is not in its table for now, because a row that it requires is gone, or because another row has its unique value. It is
  /// restored when that row returns, or the value is free.
  case aside
}
