import Syncline
import SynclineCompiler
import SynclineInterpreter
import SynclineTesting
import Testing

/// A store of a schema that a test writes as text.
struct NullTestStore {
  let container: SyncContainer
  private let schema: InterpretedSchema

  init(_ text: String, _ storage: SyncStorage = .inMemory) throws {
    let file = SourceFile(path: "Nulls.syncline", text: text)
    let analysis = CompilerPipeline.analyse(CompilerInput(target: "Nulls", files: [file]))
    #expect(analysis.diagnostics.map(\.message) == [])
    schema = InterpretedSchema(try #require(analysis.schema))
    container = try SyncContainer(
      models: schema.models, isWhole: true, storage: storage, configuration: SyncConfiguration(),
      recoverOnFailure: false)
  }

  private func model(_ name: String) throws -> any SyncUpdatableModel.Type {
    try #require(schema.model(name))
  }

  /// Syncs a list, or an item if the payload is an object.
  @discardableResult
  func sync(_ name: String, _ payload: String) async throws -> SyncReport {
    func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> SyncReport {
      payload.hasPrefix("{")
        ? try await container.sync(item: payload, as: model)
        : try await container.sync(payload: payload, as: model)
    }
    return try await sync(model(name))
  }

  func rows(_ name: String) throws -> [SyncJSON] {
    func rows<Model: SyncUpdatableModel>(_ model: Model.Type) throws -> [SyncJSON] {
      try container.rows(of: model)
    }
    return try rows(model(name))
  }

  /// The values of some properties of each row.
  func values(_ name: String, _ properties: String...) throws -> [[SyncJSON]] {
    try rows(name).map { row in properties.map { row[$0] ?? .null } }
  }

  func export(_ name: String) async throws -> SyncJSON {
    func export<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> SyncJSON {
      .array(try await container.export(as: model))
    }
    return try await export(model(name))
  }

  func setCursor(_ cursor: String, of name: String) async throws {
    func set<Model: SyncUpdatableModel>(_ model: Model.Type) async throws {
      try await container.sync(
        changes: SyncResponse(#"{"deleted": []}"#, cursor: cursor), as: model)
    }
    try await set(model(name))
  }

  func cursor(of name: String) async throws -> String? {
    func cursor<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> String? {
      try await container.cursor(for: model)
    }
    return try await cursor(model(name))
  }
}

extension SyncReport {
  /// Whether the sync changed nothing, and has nothing to report.
  var isQuiet: Bool { isUnchanged && problems.isEmpty && waiting.isEmpty }
}
