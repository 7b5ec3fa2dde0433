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

  /// Each model requires twelve rows of the next one.
  @Test func examplePayloadOfManyRequiredRowsIsSmall() throws {
    let models = (1...7).map { number in
      let links = (1...12).map { "@Relationship(inverse: nil) a\($0): M\(number + 1)" }.joined(
        separator: "; ")
      return "model M\(number) { id: Int; \(links) }"
    }
    let schema = try TextStore.schema(models.joined(separator: "\n") + "\nmodel M8 { id: Int }")
    let model = try #require(schema.model("M1"))
    let row = ExamplePayload(schema: schema, modules: [:], style: .snakeCase).row(of: model)
    #expect(row.description.utf8.count < 1_000_000)
  }

  @Test(arguments: schemas)
  func examplePayloadOfEachModelSyncsCleanly(_ path: String) async throws {
    for style in KeyStyle.allCases { try await readExamples(of: path, style) }
  }

  @Test func examplePayloadHasAValueAtEachPath() async throws {
    let text = """
      model T {
        id: Int
        @RemoteKey("items[0].a") a: Int
        @RemoteKey("items[1].b") b: Int
        @RemoteKey("places[12].c") c: Int
        @RemoteKey("attributes[code:value].color.hex") hex: String
        @RemoteKey("attributes[code:value].color.name") name: String
      }
      """
    let schema = try TextStore.schema(text)
    let interpreted = InterpretedSchema(schema)
    let row = ExamplePayload(schema: schema, modules: [:], style: .snakeCase)
      .row(of: try #require(schema.model("T")))
    #expect(row["items"] == [["a": 1, "b": 1], ["b": 1]])
    #expect(row["places"]?.array?.count == 13)
    #expect(row["attributes"] == [["code": "color", "value": ["hex": "hex", "name": "name"]]])
    let trial = try await Trial(
      of: Array(row.description.utf8), .item, as: .model(try #require(interpreted.model("T"))),
      in: interpreted, SyncConfiguration())
    #expect(trial.isClean, "\(row)")
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
