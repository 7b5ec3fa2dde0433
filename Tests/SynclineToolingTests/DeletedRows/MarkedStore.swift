import Foundation
import Syncline
import SynclineCompiler
import SynclineInterpreter
import Testing

/// A store of a schema with `@Deleted`, interpreted.
struct MarkedStore: Sendable {
  let container: SyncContainer
  private let schema: InterpretedSchema

  init(_ text: String, _ configuration: SyncConfiguration = SyncConfiguration()) throws {
    let analysis = CompilerPipeline.analyse(
      CompilerInput(target: "App", files: [SourceFile(path: "App.syncline", text: text)]))
    #expect(analysis.diagnostics.map(\.message) == [], "\(text)")
    schema = InterpretedSchema(try #require(analysis.schema))
    container = try SyncContainer(
      models: schema.models, isWhole: true, storage: .inMemory, configuration: configuration,
      recoverOnFailure: false)
  }

  /// The first model of the schema, or the one with a name.
  private func model(_ name: String?) throws -> any SyncUpdatableModel.Type {
    let first = try #require(schema.names.first)
    return try #require(schema.model(name ?? first))
  }

  // MARK: Calls

  @discardableResult
  func sync(
    _ payload: String, as name: String? = nil, at path: String? = nil, policy: DeletionPolicy? = nil,
    operations: SyncRelationshipOperations = .all
  ) async throws -> SyncReport {
    func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> SyncReport {
      try await container.sync(
        payload: payload, at: path, as: model, relationshipOperations: operations, deletionPolicy: policy)
    }
    return try await sync(model(name))
  }

  @discardableResult
  func sync(
    item: String, as name: String? = nil, operations: SyncRelationshipOperations = .all
  ) async throws -> SyncReport {
    func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> SyncReport {
      try await container.sync(item: item, as: model, relationshipOperations: operations)
    }
    return try await sync(model(name))
  }

  @discardableResult
  func sync(changes: String) async throws -> SyncReport {
    func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> SyncReport {
      try await container.sync(changes: changes, as: model)
    }
    return try await sync(model(nil))
  }

  @discardableResult
  func sync(jsonAPI document: String) async throws -> SyncReport {
    func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> SyncReport {
      try await container.sync(jsonAPI: document, as: model)
    }
    return try await sync(model(nil))
  }

  @discardableResult
  func sync(pages: [SyncPage]) async throws -> SyncReport {
    func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> SyncReport {
      let stream = AsyncStream<SyncPage> { continuation in
        for page in pages { continuation.yield(page) }
        continuation.finish()
      }
      return try await container.sync(pages: stream, as: model)
    }
    return try await sync(model(nil))
  }

  func export(_ name: String? = nil) async throws -> String {
    func export<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> String {
      String(decoding: try await container.exportData(as: model), as: UTF8.self)
    }
    return try await export(model(name))
  }

  // MARK: Rows

  /// Columns of all rows of a table, or expressions, with blanks between them.
  func rows(_ table: String, _ columns: String...) throws -> [String] {
    let values = columns.map { "ifnull(CAST(\($0) AS TEXT), 'nil')" }.joined(separator: " || ' ' || ")
    return try container.database.read { db in
      try String.fetchAll(db, sql: "SELECT \(values) FROM \(table) ORDER BY 1")
    }
  }
}
