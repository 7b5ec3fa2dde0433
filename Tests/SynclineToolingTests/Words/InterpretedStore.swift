import Syncline
import SynclineCompiler
import SynclineInterpreter
import Testing

/// A store for a schema that a test writes down, so that schema, payload and rows are read in one place.
struct InterpretedStore {
  let container: SyncContainer
  private let schema: InterpretedSchema

  /// - Parameter modules: the schemas of the targets that may be imported.
  init(
    _ text: String, importing modules: [String: String] = [:],
    _ configuration: SyncConfiguration = SyncConfiguration()
  ) throws {
    let input = CompilerInput(
      target: "Sample", files: [SourceFile(path: "Schema.syncline", text: text)],
      modules: modules.mapValues { [SourceFile(path: "Imported.syncline", text: $0)] })
    func analysed(_ input: CompilerInput) throws -> Schema {
      let analysis = CompilerPipeline.analyse(input)
      try #require(analysis.diagnostics.map(\.message) == [])
      return try #require(analysis.schema)
    }
    let imported = try input.imports.map { ($0.target, try analysed($0)) }
    schema = InterpretedSchema(
      try analysed(input), importing: Dictionary(imported, uniquingKeysWith: { first, _ in first }))
    container = try SyncContainer(
      models: schema.models, isWhole: true, storage: .inMemory, configuration: configuration,
      recoverOnFailure: false)
  }

  @discardableResult
  func sync(_ payload: String, as name: String) async throws -> SyncReport {
    let model = try #require(schema.model(name))
    return try await sync(payload, model)
  }

  private func sync<Model: SyncUpdatableModel>(
    _ payload: String, _ model: Model.Type
  ) async throws -> SyncReport {
    try await container.sync(payload: payload, as: model)
  }

  /// The stored rows, with the names of the schema.
  func rows(of name: String) throws -> [SyncJSON] {
    let model = try #require(schema.model(name))
    return try container.storedRows(of: model)
  }

  func export(_ name: String) async throws -> SyncJSON {
    let model = try #require(schema.model(name))
    return .array(try await export(model))
  }

  private func export<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> [SyncJSON] {
    try await container.export(as: model)
  }

  /// Syncs a payload, then itself, its rows in reverse, and what is exported: none of these changes anything.
  @discardableResult
  func syncRepeatedly(_ payload: String, as name: String) async throws -> SyncReport {
    let report = try await sync(payload, as: name)
    let reversed = try SyncJSON(parsing: payload).array.map { SyncJSON.array(Array($0.reversed())) }
    for again in [payload, try #require(reversed).description, try await export(name).description] {
      let repeated = try await sync(again, as: name)
      #expect(repeated.isUnchanged && repeated.problems.isEmpty, "\(again)\n\(repeated)")
    }
    return report
  }
}
