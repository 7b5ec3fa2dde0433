import Foundation
import Syncline
import SynclineCompiler
import SynclineInterpreter

/// A store for a schema that is written in the test as text. The schema is interpreted, without generating Swift, so that a test
/// shows schema, payload and rows together. Calls without a model's name use the first model.
package struct TextStore: Sendable {
  package let container: SyncContainer
  private let schema: InterpretedSchema

  /// - Parameter modules: the schemas of the targets that may be imported.
  package init(
    _ text: String, importing modules: [String: String] = [:], in storage: SyncStorage = .inMemory,
    _ configuration: SyncConfiguration = SyncConfiguration()
  ) throws {
    let input = TextStore.input(text, importing: modules)
    let imported = try input.imports.map { ($0.target, try TextStore.schema(of: $0)) }
    let schema = InterpretedSchema(
      try TextStore.schema(of: input),
      importing: Dictionary(imported, uniquingKeysWith: { first, _ in first }))
    try self.init(schema, in: storage, configuration)
  }

  /// A store for a schema that several stores share, because each composition of a schema takes memory until the process ends.
  package init(
    _ schema: InterpretedSchema, in storage: SyncStorage,
    _ configuration: SyncConfiguration = SyncConfiguration()
  ) throws {
    self.schema = schema
    container = try SyncContainer(
      models: schema.models, isWhole: true, storage: storage, configuration: configuration,
      recoverOnFailure: false)
  }

  package var models: [any SyncUpdatableModel.Type] { schema.models }

  package func model(_ name: String? = nil) throws -> any SyncUpdatableModel.Type {
    guard let name = name ?? schema.names.first, let model = schema.model(name) else {
      throw TextError(description: "there is no model \(name ?? "")")
    }
    return model
  }

  /// A text that changes whenever the way a model is read changes.
  package func reading(_ name: String? = nil) throws -> String {
    try model(name).syncTable.readingFingerprint(.snakeCase)
  }

  // MARK: Schemas

  /// The compiler's analysis of a schema.
  package static func analysis(_ text: String) -> Analysis { CompilerPipeline.analyse(input(text)) }

  /// The compiled schema, which must have no errors.
  package static func schema(_ text: String, importing modules: [String: String] = [:]) throws -> Schema {
    try schema(of: input(text, importing: modules))
  }

  private static func schema(of input: CompilerInput) throws -> Schema {
    let analysis = CompilerPipeline.analyse(input)
    guard let schema = analysis.schema, analysis.diagnostics.isEmpty else {
      let messages = analysis.diagnostics.map { "\($0.code.rawValue): \($0.message)" }
      throw TextError(
        description: (messages + input.files.map(\.text)).joined(separator: "\n"))
    }
    return schema
  }

  private static func input(_ text: String, importing modules: [String: String] = [:]) -> CompilerInput {
    CompilerInput(
      target: "App", files: [SourceFile(path: "App.syncline", text: text)],
      modules: modules.mapValues { [SourceFile(path: "Imported.syncline", text: $0)] })
  }
}

/// Thrown for a mistake in a test.
private struct TextError: Error, CustomStringConvertible {
  let description: String
}
