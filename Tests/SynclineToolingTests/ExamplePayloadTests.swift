import Foundation
import Syncline
import SynclineCompiler
import SynclineInterpreter
import SynclineNaming
import Testing

@testable import SynclineTooling

/// The payloads that are shown for schemas are read by them.
@Suite struct ExamplePayloadTests {
  private static let package = URL(filePath: "../../", relativeTo: URL(filePath: #filePath))
    .standardizedFileURL

  static let schemas = [
    "Schemas/MachineTests", "Schemas/RealPayloadTests", "Examples/Tracker/Schemas/Tracker",
    "Examples/LiveBoard/Schemas/LiveBoard", "Tools/JSONSchema",
  ]

  @Test(arguments: schemas)
  func examplePayloadOfEachModelSyncsCleanly(_ path: String) async throws {
    for style in KeyStyle.allCases { try await readExamples(of: path, style) }
  }

  private func readExamples(of path: String, _ style: KeyStyle) async throws {
    let folder = ExamplePayloadTests.package.appending(path: path)
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "syncline" }
      .map { SourceFile(path: $0.lastPathComponent, text: try String(contentsOf: $0, encoding: .utf8)) }
    let found = CompilerPipeline.analyse(CompilerInput(target: "Schema", files: files)).schema
    let schema = try #require(found)
    let interpreted = InterpretedSchema(schema)
    var configuration = SyncConfiguration()
    configuration.keyStyle = style
    for model in schema.models where model.parentScope == nil {
      let example = ExamplePayload(schema: schema, modules: [:], style: style).row(of: model)
      let trial = try await Trial(
        of: Array(example.description.utf8), .item, as: .model(try #require(interpreted.model(model.name))),
        in: interpreted, configuration)
      #expect(trial.refusal == nil, "\(model.name): \(example)")
      #expect(trial.report.problems == [], "\(model.name): \(example)")
      #expect(trial.report.unreadKeys?.keys == [], "\(model.name): \(example)")
    }
  }
}
