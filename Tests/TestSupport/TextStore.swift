import Foundation
import Syncline
import SynclineCompiler
import SynclineInterpreter

/// A store of a schema that a test writes as text, and that is run without generating Swift: so that schema, payload and
/// rows are read in one place. Where no model is named, the first of the text is meant.
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

  /// A store of a schema that other stores have, too: each composition takes memory until the process ends.
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

  /// How a model is read, as text that changes with it.
  package func reading(_ name: String? = nil) throws -> String {
    try model(name).syncTable.readingFingerprint(.snakeCase)
  }

  // MARK: Schemas

  /// What the compiler makes of a text.
  package static func analysis(_ text: String) -> Analysis { CompilerPipeline.analyse(input(text)) }

  /// The schema of a text without mistakes.
  package static func schema(_ text: String) throws -> Schema { try schema(of: input(text)) }

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

/// What a test wrote that has no sense.
private struct TextError: Error, CustomStringConvertible {
  let description: String
}
