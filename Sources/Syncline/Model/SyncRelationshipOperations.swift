/// The relationship changes that a sync may make.
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
