import SynclineSchema

/// An evolution: the migration of a store to another schema, either as it was made, or as a preview.
///
/// ```swift
/// let evolution = try SyncContainer.evolution(for: TrackerSchema.self, storage: .file(url))
/// for change in evolution.changes { print(change) }
/// ```
public struct SyncEvolution: Sendable, Hashable {
  /// The differences between the store's schema and the new one.
  public let changes: [SyncSchemaChange]
  /// The SQL statements that make the changes; empty if there are ``obstacles``.
  public let statements: [String]
  /// The tables that are copied, because SQLite cannot change them in place. The time of a copy is proportional to the size of
  /// the table, and the file grows by that size.
  public let rebuiltTables: [String]
  /// The reasons why the store cannot be migrated; empty if it can be, or was.
  public let obstacles: [String]

  /// Whether the store fits without changes.
  public var isEmpty: Bool { statements.isEmpty && obstacles.isEmpty }

  static let none = SyncEvolution(changes: [], statements: [], rebuiltTables: [], obstacles: [])
}

extension SyncEvolution: CustomStringConvertible {
  /// One line for each change, and for each obstacle.
  public var description: String {
    guard !isEmpty else { return "The store fits." }
    return (changes.map(\.description) + obstacles.map { "not possible: \($0)" }).joined(separator: "\n")
  }
}
