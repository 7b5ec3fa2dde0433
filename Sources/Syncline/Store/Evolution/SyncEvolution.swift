import SynclineSchema

/// What was done to a store so that it fits a schema, or what would be done.
///
/// ```swift
/// let evolution = try SyncContainer.evolution(for: TrackerSchema.self, storage: .file(url))
/// for change in evolution.changes { print(change) }
/// ```
public struct SyncEvolution: Sendable, Hashable {
  /// The differences between the store's schema and the new one.
  public let changes: [SyncSchemaChange]
  /// The SQL that carries them out.
  public let statements: [String]
  /// The tables that are copied: what SQLite cannot change in place. It takes about as long as the table is large, and so
  /// much more room in the file.
  public let rebuiltTables: [String]
  /// Why it cannot be carried out; empty where it can, and where it was.
  public let obstacles: [String]

  /// Whether the store fits as it is.
  public var isEmpty: Bool { statements.isEmpty && obstacles.isEmpty }

  static let none = SyncEvolution(changes: [], statements: [], rebuiltTables: [], obstacles: [])
}

extension SyncEvolution: CustomStringConvertible {
  /// A line for each change, and for each obstacle.
  public var description: String {
    guard !isEmpty else { return "The store fits." }
    return (changes.map(\.description) + obstacles.map { "not possible: \($0)" }).joined(separator: "\n")
  }
}
