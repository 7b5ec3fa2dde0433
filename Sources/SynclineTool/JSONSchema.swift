import ArgumentParser
import Syncline
import SynclineNaming
import SynclineTooling

/// `syncline json-schema`
struct JSONSchema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "json-schema",
    abstract: "Writes a JSON Schema (2020-12) of the payloads that are read without a problem.",
    discussion: """
      With “--as” it is of a list of rows, or of one; without, there are the declarations alone. Coercions are in it. What it takes several rows to see is not: \
      whether they contradict each other.
      """)

  @Option(name: .customLong("as"), help: "The model that the rows are of.")
  var model: String?

  @Option(help: "How the API spells its keys.")
  var keyStyle: KeyStyle = .snakeCase

  @OptionGroup var schema: SchemaArguments

  func run() throws {
    let (schema, modules) = try schema.imports.schemas(schema.paths, target: "Schema")
    if let model, !schema.declaresModel(model) {
      let names = schema.models.map(\.name).joined(separator: ", ")
      throw ValidationError("There is no model “\(model)”: \(names).")
    }
    print(PayloadSchema.jsonSchema(schema, importing: modules, of: model, keys: keyStyle).indented)
  }
}

/// `syncline openapi`
struct OpenAPI: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openapi",
    abstract: "Writes the schemas of “json-schema” as a document of OpenAPI 3.1.",
    discussion: "It has no paths: others refer to its components.")

  @OptionGroup var arguments: TargetArguments

  func run() throws {
    let (schema, modules) = try arguments.schemas()
    print(PayloadSchema.openAPI(schema, importing: modules, keys: arguments.keyStyle).indented)
  }
}
