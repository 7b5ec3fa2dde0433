import Foundation
import Syncline
import SynclineCompiler
import SynclineInterpreter
import Testing

/// A store of a schema in text, without generated Swift.
struct SchemaStore {
  let container: SyncContainer
  private let schema: InterpretedSchema

  init(_ text: String, keys style: KeyStyle = .snakeCase, unreadKeys: Bool = false) throws {
    let analysis = SchemaStore.analyse(text)
    #expect(analysis.diagnostics.map(\.message) == [], "\(text)")
    schema = InterpretedSchema(try #require(analysis.schema))
    var configuration = SyncConfiguration(keyStyle: style)
    configuration.unreadKeys = unreadKeys ? .first(rows: 100) : .off
    container = try SyncContainer(
      models: schema.models, isWhole: true, storage: .inMemory, configuration: configuration,
      recoverOnFailure: false)
  }

  static func analyse(_ text: String) -> Analysis {
    CompilerPipeline.analyse(
      CompilerInput(target: "App", files: [SourceFile(path: "App.syncline", text: text)]))
  }

  func model(_ name: String) throws -> any SyncUpdatableModel.Type { try #require(schema.model(name)) }

  @discardableResult
  func sync(_ payload: String, at path: String? = nil, as name: String) async throws -> SyncReport {
    try await sync(payload, at: path, as: model(name))
  }

  private func sync<Model: SyncUpdatableModel>(
    _ payload: String, at path: String?, as model: Model.Type
  ) async throws -> SyncReport {
    try await container.sync(payload: payload, at: path, as: model)
  }

  @discardableResult
  func sync(item: String, at path: String? = nil, as name: String) async throws -> SyncReport {
    try await sync(item: item, at: path, as: model(name))
  }

  private func sync<Model: SyncUpdatableModel>(
    item: String, at path: String?, as model: Model.Type
  ) async throws -> SyncReport {
    try await container.sync(item: item, at: path, as: model)
  }

  @discardableResult
  func sync(jsonAPI document: String, as name: String) async throws -> SyncReport {
    try await sync(jsonAPI: document, as: model(name))
  }

  private func sync<Model: SyncUpdatableModel>(
    jsonAPI document: String, as model: Model.Type
  ) async throws -> SyncReport {
    try await container.sync(jsonAPI: document, as: model)
  }

  /// The rows under their Swift names, ordered by identity.
  func rows(_ name: String) throws -> [SyncJSON] { try rows(model(name)) }

  private func rows<Model: SyncUpdatableModel>(_ model: Model.Type) throws -> [SyncJSON] {
    try container.storedRows(of: model)
  }

  func export(_ name: String) async throws -> [SyncJSON] { try await export(model(name)) }

  private func export<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> [SyncJSON] {
    try await container.export(as: model)
  }

  func exportDocument(_ name: String) async throws -> SyncJSON {
    let model = try model(name)
    guard let generated = model as? any SyncGeneratedModel.Type else {
      throw SyncError.invalidPayload(model: name, reason: "the model is not generated")
    }
    return try await exportDocument(generated)
  }

  private func exportDocument<Model: SyncGeneratedModel>(_ model: Model.Type) async throws -> SyncJSON {
    try await container.exportJSONAPI(as: model)
  }

  /// The rows as text, by the route that writes columns as they are stored.
  func exportData(_ name: String) async throws -> String {
    String(decoding: try await exportData(model(name)), as: UTF8.self)
  }

  private func exportData<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> Data {
    try await container.exportData(as: model)
  }

  /// Syncs a payload, then what an export writes of it: nothing may change.
  func expectRoundTrip(_ payload: String, as name: String) async throws {
    try await sync(payload, as: name)
    #expect(try await sync(payload, as: name).isUnchanged, "the same payload")
    let exported = try await export(name)
    let report = try await sync(SyncJSON.array(exported).description, as: name)
    #expect(report.isUnchanged, "\(exported)")
    #expect(report.problems == [])
    let text = try await exportData(name)
    #expect(try SyncJSON(parsing: text) == SyncJSON.array(exported))
    let rows = Array(try #require(try SyncJSON(parsing: payload).array))
    let shuffled = SyncJSON.array(Array(rows.reversed()))
    #expect(try await sync(shuffled.description, as: name).isUnchanged)
  }
}
