/// A pending link: its key refers to a row that is not stored yet.
///
/// The store contains the foreign key. The link is made when a payload contains the row, unless that payload sets
/// the relationship to another row.
///
/// ```swift
/// let payload = #"[{"id": 1, "title": "Write", "tag_ids": [7]}]"#
/// let report = try await container.sync(payload: payload, as: Task.self)
/// print(report.waiting)  // [Task “1”, [0].tag_ids: Tag “7” is not stored yet]
///
/// let later = try await container.sync(item: #"{"id": 7, "name": "urgent"}"#, as: Tag.self)
/// print(later.linked)  // 1
/// ```
///
/// ## Topics
///
/// ### The row that has the link
///
/// - ``SyncWaitingLink/model``
/// - ``SyncWaitingLink/row``
/// - ``SyncWaitingLink/identity``
/// - ``SyncWaitingLink/relationship``
/// - ``SyncWaitingLink/path``
///
/// ### The row that is missing
///
/// - ``SyncWaitingLink/target``
/// - ``SyncWaitingLink/targetIdentity``
///
/// ### Describing the link
///
/// - ``SyncWaitingLink/description``
public struct SyncWaitingLink: Sendable, Hashable, Codable {
  /// The model of the row that has the link.
  public let model: String
  /// The index of the row in the payload, counted from 0; nil for an item.
  public let row: Int?
  /// The identity of the row that has the link.
  public let identity: String
  /// The relationship.
  public let relationship: String
  /// The model of the missing row.
  public let target: String
  /// The identity of the missing row.
  public let targetIdentity: String
  /// The JSON path of the key: `[3].user_id`.
  public let path: String
}
