import Syncline
import SynclineCompiler
import SynclineInterpreter
import Testing

/// A store of a schema that is given as text, and run without generating Swift.
struct WordStore {
  let container: SyncContainer
  private let schema: InterpretedSchema

  init(_ text: String, _ configuration: SyncConfiguration = SyncConfiguration()) throws {
    let file = SourceFile(path: "App.syncline", text: text)
    let analysis = CompilerPipeline.analyse(CompilerInput(target: "App", files: [file]))
    #expect(analysis.diagnostics.map(\.message) == [])
    schema = InterpretedSchema(try #require(analysis.schema))
    container = try SyncContainer(
      models: schema.models, isWhole: true, storage: .inMemory, configuration: configuration,
      recoverOnFailure: false)
  }

  func model(_ name: String) throws -> any SyncUpdatableModel.Type {
    try #require(schema.model(name), "\(name)")
  }

  /// Syncs a list of rows, or an item.
  @discardableResult
  func sync(
    _ payload: String, as name: String, operations: SyncRelationshipOperations = .all
  ) async throws -> SyncReport {
    func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> SyncReport {
      payload.hasPrefix("{")
        ? try await container.sync(item: payload, as: model, relationshipOperations: operations)
        : try await container.sync(payload: payload, as: model, relationshipOperations: operations)
    }
    return try await sync(try model(name))
  }

  /// The rows of a model under their Swift names, as JSON.
  func rows(_ name: String) throws -> SyncJSON {
    func rows<Model: SyncUpdatableModel>(_ model: Model.Type) throws -> SyncJSON {
      .array(try container.storedRows(of: model))
    }
    return try rows(try model(name))
  }

  func export(_ name: String) async throws -> String {
    func export<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> String {
      String(decoding: try await container.exportData(as: model), as: UTF8.self)
    }
    return try await export(try model(name))
  }

  /// How a model is read, as a string that changes with it.
  func reading(_ name: String) throws -> String {
    try model(name).syncTable.readingFingerprint(.snakeCase)
  }

  /// Expects that a payload changes nothing, and an export of the model neither.
  func expectUnchanged(by payload: String, as name: String) async throws {
    let before = try rows(name)
    #expect(try await sync(payload, as: name).isUnchanged)
    let exported = try await export(name)
    #expect(try await sync(exported, as: name).isUnchanged, "\(exported)")
    #expect(try rows(name) == before)
    #expect(try await export(name) == exported)
  }
}
