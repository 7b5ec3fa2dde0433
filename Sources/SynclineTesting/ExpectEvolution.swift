import Foundation
import Syncline
import SynclineSchema

/// Tests that a store of an earlier schema version evolves without losing any row or value that the new schema has. Use it for
/// the second version of your app.
///
/// It creates an in-memory store of a schema that `syncline snapshot` wrote, inserts rows with links, opens the store with the
/// current schema, and compares all rows.
///
/// ```swift
/// @Test func storesOfTheFirstVersionAreEvolved() throws {
///   try expectEvolution(from: Data(contentsOf: versions.appending(path: "1.0.json")), to: AppSchema.self)
/// }
/// ```
///
/// - Parameters:
///   - snapshot: the earlier schema, as JSON.
///   - schema: the current schema.
///   - rows: the number of rows for each model.
///   - ignoring: the properties that your own steps change, such as `Person.name`.
///   - configuration: the configuration with which your app opens its store, including its steps.
/// - Returns: the changes to the store; nil if none were needed.
/// - Throws: ``EvolutionMismatch`` when a row or value differs; the error of opening the store, if it is refused.
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

/// The values that a store lost when it was evolved.
public struct EvolutionMismatch: Error, CustomStringConvertible {
  /// A sentence for each value that differs.
  public let differences: [String]

  /// The first ten sentences.
  public var description: String {
    differences.prefix(10).joined(separator: "\n")
      + (differences.count > 10 ? "\n… \(differences.count - 10) more" : "")
  }
}
