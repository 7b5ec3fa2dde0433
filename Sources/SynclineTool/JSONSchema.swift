import ArgumentParser
import Syncline
import SynclineNaming
import SynclineTooling

struct JSONSchema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "json-schema",
    abstract: "Writes a JSON Schema (2020-12) of the payloads that can be synced without problems.",
    discussion: """
      With “--as” it describes one row or a list of rows; without, it contains only the definitions. It accepts all \
      forms of a value that a sync converts, except rare forms of dates. It does not describe rules about several rows, \
      such as conflicting values.
      """)

  @Option(name: .customLong("as"), help: "The model of the rows.")
  var model: String?

  @Option(help: "The key style of the API, if it differs from the schema's.")
  var keyStyle: KeyStyle?

  @OptionGroup var schema: SchemaArguments

  func run() throws {
    let (schema, modules) = try schema.imports.schemas(schema.paths, target: "Schema")
    if let model, !schema.declaresModel(model) {
      throw ValidationError("There is no model “\(model)”\(schema.models.map(\.name).listed).")
    }
    print(PayloadSchema.jsonSchema(schema, importing: modules, of: model, keys: keyStyle).indented)
  }
}

struct OpenAPI: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openapi",
    abstract: "Writes the schemas of “json-schema” as a document of OpenAPI 3.1.",
    discussion: """
      The document has no paths, only components for other documents to reference. It describes all values that can be \
      read without a problem. With “--as exported” it describes the bodies that an export writes: one key for each \
      property, and one form for each type. Give that document to the developers of the server. “syncline infer \
      --openapi” reads both.
      """)

  @Option(
    name: .customLong("as"),
    help:
      "The values to describe: accepted (all forms that are read) or exported (the form that an export writes)."
  )
  var form: PayloadSchema.Form = .accepted

  @OptionGroup var arguments: TargetArguments

  func run() throws {
    let (schema, modules) = try arguments.schemas()
    print(PayloadSchema.openAPI(schema, importing: modules, as: form, keys: arguments.keyStyle).indented)
  }
}

extension PayloadSchema.Form: ExpressibleByArgument {}
