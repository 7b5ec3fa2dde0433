/// Which changes a sync may make to links and to nested rows. The values of the synced rows themselves are always applied.
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

  /// Create nested rows, and link the rows that are created.
  public static let insert = SyncRelationshipOperations(rawValue: 1)
  /// Change nested rows, and set links.
  public static let update = SyncRelationshipOperations(rawValue: 2)
  /// Clear links, and remove members.
  public static let delete = SyncRelationshipOperations(rawValue: 4)
  /// All of them, the default of a sync.
  public static let all: SyncRelationshipOperations = [.insert, .update, .delete]
}
