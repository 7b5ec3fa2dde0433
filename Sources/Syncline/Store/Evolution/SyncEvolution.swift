import SynclineSchema

/// The changes that make a store fit a schema: those that were made, or that would be made.
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
  /// The tables that are copied, because SQLite cannot change them in place. A copy takes time in proportion to the table's size,
  /// and as much more space in the file.
  public let rebuiltTables: [String]
  /// Why the changes cannot be made; empty if they can be made, or were made.
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
