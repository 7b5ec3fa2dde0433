/// What an edit did with its row.
public enum SyncPendingKind: String, Sendable, Hashable {
  /// The server does not know the row.
  case insert
  /// The server knows the row with other values.
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
