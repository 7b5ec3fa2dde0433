import Foundation
import Syncline
import SynclineCompiler
import SynclineInterpreter
import Testing

/// A store of a schema that is written as text in a test, and run without generating Swift.
struct TextStore: Sendable {
  let container: SyncContainer
  private let interpreted: InterpretedSchema

  init(
    _ text: String, in storage: SyncStorage = .inMemory,
    _ configuration: SyncConfiguration = SyncConfiguration()
  ) throws {
    interpreted = InterpretedSchema(try TextStore.schema(text))
    container = try SyncContainer(
      models: interpreted.models, isWhole: true, storage: storage, configuration: configuration,
      recoverOnFailure: false)
  }

  /// The schema of a text without mistakes.
  static func schema(_ text: String) throws -> Schema {
    let file = SourceFile(path: "Schema.syncline", text: text)
    let analysis = CompilerPipeline.analyse(CompilerInput(target: "App", files: [file]))
    #expect(analysis.diagnostics.map(\.message) == [], "\(text)")
    return try #require(analysis.schema)
  }

  func model(_ name: String) throws -> any SyncUpdatableModel.Type {
    try #require(interpreted.model(name))
  }

  // MARK: Syncs

  /// Syncs a list of rows, or an item.
  @discardableResult
  func sync(
    _ payload: String, as name: String, _ operations: SyncRelationshipOperations = .all
  ) async throws -> SyncReport {
    try await sync(payload, try model(name), operations)
  }

  private func sync<Model: SyncUpdatableModel>(
    _ payload: String, _ model: Model.Type, _ operations: SyncRelationshipOperations
  ) async throws -> SyncReport {
    payload.hasPrefix("{")
      ? try await container.sync(item: payload, as: model, relationshipOperations: operations)
      : try await container.sync(payload: payload, as: model, relationshipOperations: operations)
  }

  // MARK: Rows

  func run(_ sql: String) async throws {
    try await container.database.write { try $0.execute(sql: sql) }
  }

  /// The rows of a query, each as its values separated by spaces.
  func rows(_ sql: String) async throws -> [String] {
    try await container.database.read { database in
      try Row.fetchAll(database, sql: sql).map { row in
        row.databaseValues.map { $0.isNull ? "-" : "\($0.storage.value ?? "-")" }.joined(separator: " ")
      }
    }
  }

  // MARK: Exports

  func export(_ name: String) async throws -> String {
    try await export(try model(name))
  }

  private func export<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> String {
    SyncJSON.array(try await container.export(as: model)).description
  }
}
