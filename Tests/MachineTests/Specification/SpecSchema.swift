import Syncline
import SynclineCompiler
import SynclineInterpreter

/// A schema of the sequences, run without generating Swift.
struct SpecSchema: Sendable {
  private let interpreted: InterpretedSchema
  /// A store without rows: making tables takes longer than a sequence.
  private let empty: SyncContainer

  /// The schemas of the first line of a file.
  static func all(in line: SyncJSON) throws -> [String: SpecSchema] {
    var schemas: [String: SpecSchema] = [:]
    for (name, text) in line["schemas"]?.object ?? SyncJSONObject() {
      schemas[name] = try SpecSchema(name, text.string ?? "")
    }
    return schemas
  }

  private init(_ name: String, _ text: String) throws {
    let file = SourceFile(path: "\(name).syncline", text: text)
    let analysis = CompilerPipeline.analyse(CompilerInput(target: "Spec", files: [file]))
    guard let schema = analysis.schema else {
      throw UnreadableSequence(json: .string("\(name): \(analysis.diagnostics)"))
    }
    interpreted = InterpretedSchema(schema)
    empty = try SyncContainer(
      models: interpreted.models, isWhole: true, storage: .inMemory, configuration: SyncConfiguration(),
      recoverOnFailure: false)
  }

  var models: [any SyncUpdatableModel.Type] { interpreted.models }

  func model(_ name: String) throws -> any SyncUpdatableModel.Type {
    guard let model = interpreted.model(name) else { throw UnreadableSequence(json: .string(name)) }
    return model
  }

  func store(skippingRows skips: Bool) throws -> SyncContainer {
    let copy = try DatabaseQueue()
    try empty.database.backup(to: copy)
    return try SyncContainer(
      models: models, isWhole: true, storage: .database(copy),
      configuration: SyncConfiguration(invalidRows: skips ? .skip : .fail), recoverOnFailure: false)
  }
}
