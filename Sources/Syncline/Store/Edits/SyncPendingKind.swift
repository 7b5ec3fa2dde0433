/// What an edit did with its row.
public enum SyncPendingKind: String, Sendable, Hashable {
  /// The row was inserted; the server does not have it.
  case insert
  /// The row was changed; the server has other values.
  case update
  /// The row was deleted.
  case delete

  /// The method of an HTTP request: `POST`, `PATCH` or `DELETE`.
  public var method: String {
    switch self {
    case .insert: "POST"
    case .update: "PATCH"
    case .delete: "DELETE"
    }
  }
}
