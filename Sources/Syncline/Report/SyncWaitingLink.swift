/// A link to a row that no payload has brought yet. It is remembered, and made when the row comes.
public struct SyncWaitingLink: Sendable, Hashable, Codable {
  /// The model of the row that waits.
  public let model: String
  /// The index of the row in the payload, counted from 0; nil for an item.
  public let row: Int?
  /// The identity of the row that waits.
  public let identity: String
  /// The relationship.
  public let relationship: String
  /// The model of the row that it waits for.
  public let target: String
  /// The identity of the row that it waits for.
  public let targetIdentity: String
  /// The JSON path of the key: `[3].user_id`.
  public let path: String
}
