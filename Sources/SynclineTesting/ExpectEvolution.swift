import Foundation
import Syncline
import SynclineSchema

/// Checks that stores of an earlier version of a schema are evolved, and lose nothing that the new schema has: the test of an
/// app's second version.
///
/// It makes a store in memory of a schema that `syncline snapshot` wrote, puts rows into it that are linked with each other, opens
/// it with today's schema, and compares all rows.
///
/// ```swift
/// @Test func storesOfTheFirstVersionAreEvolved() throws {
///   try expectEvolution(from: Data(contentsOf: versions.appending(path: "1.0.json")), to: AppSchema.self)
/// }
/// ```
///
/// - Parameters:
///   - snapshot: the earlier schema, as JSON.
///   - schema: today's schema.
///   - rows: how many rows each model has.
///   - ignoring: the properties that a step of yours changes, as `Person.name`.
///   - configuration: what the app opens its store with, for its steps.
/// - Returns: what was done to the store; nil where nothing had to be.
/// - Throws: ``EvolutionMismatch`` where a row or a value is not what it was; what opening a store throws, where it is
///   refused.
@discardableResult
public func expectEvolution(
  from snapshot: Data, to schema: any SyncSchema.Type, rows: Int = 5, ignoring: Set<String> = [],
  _ configuration: SyncConfiguration = SyncConfiguration()
) throws -> SyncEvolution? {
  let sample = SampleStore(schema: try SyncSchemaSnapshot(json: snapshot), rows: rows)
  let database = try DatabaseQueue()
  try SyncContainer.makeStore(of: sample.schema, in: database)
  try database.write(sample.insert)
  let container = try SyncContainer(for: schema, storage: .database(database), configuration: configuration)
  let differences = try sample.differences(from: container, of: schema, ignoring: ignoring)
  guard differences.isEmpty else { throw EvolutionMismatch(differences: differences) }
  return container.evolution
}

/// What a store lost when it was evolved.
public struct EvolutionMismatch: Error, CustomStringConvertible {
  /// A sentence for each value that is not what it was.
  public let differences: [String]

  /// The first of them.
  public var description: String {
    differences.prefix(10).joined(separator: "\n")
      + (differences.count > 10 ? "\n… \(differences.count - 10) more" : "")
  }
}
