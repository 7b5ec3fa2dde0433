/// The changes that a sync may make to links and nested rows. The values of the synced rows themselves are always applied.
///
/// ```swift
/// // Creates and updates nested rows and links, but clears no link and deletes no nested row.
/// try await container.sync(payload: payload, as: Task.self, relationshipOperations: [.insert, .update])
/// ```
public struct SyncRelationshipOperations: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Insert nested rows, and set the links of inserted rows.
  public static let insert = SyncRelationshipOperations(rawValue: 1)
  /// Update nested rows, and set links.
  public static let update = SyncRelationshipOperations(rawValue: 2)
  /// Clear to-one relationships, remove rows from lists, and delete nested rows that match `@Deleted`.
  public static let delete = SyncRelationshipOperations(rawValue: 4)
  /// All changes. This is the default of a sync.
  public static let all: SyncRelationshipOperations = [.insert, .update, .delete]
}
