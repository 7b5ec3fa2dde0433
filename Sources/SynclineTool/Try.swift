import ArgumentParser
import Foundation
import Syncline
import SynclineInterpreter
import SynclineFiles
import SynclineNaming
import SynclineTooling

struct Try: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows what a sync would do with a payload, without building anything.",
    discussion: """
      Syncs the payload, a list of rows or NDJSON, into a temporary store. Prints the property that is read from each \
      key, unread keys, properties that are missing in all rows, problems, and the stored rows. The Swift types of \
      “@Transform” are not available, so their values are stored as JSON. Exits with 0 if everything could be read, \
      with 1 if there is a problem or the sync fails, and with 2 if the schema has errors.
      """)

  @Option(
    name: .customLong("as"),
    help: "The model of the rows, or a union of models. Optional if the schema has one model.")
  var model: String?

  @Option(name: .customLong("at"), help: "The path of the rows in the payload: data.items.")
  var path: String?

  @Flag(help: "The form of the payload, if it is not a list of rows.")
  var form: Form?

  @Option(help: "The key style of the API, if it differs from the schema's.")
  var keyStyle: KeyStyle?

  @Option(help: "The number of rows of each model to print.")
  var rows: Int = 5

  @Flag(help: "Prints JSON.")
  var json = false

  @OptionGroup var imports: SchemaImports

  @Argument(
    help: "Schema files, or folders that contain them, followed by the payload; “-” is standard input.",
    completion: .file(extensions: ["syncline", "json"]))
  var paths: [String]

  enum Form: String, EnumerableFlag {
    case item, jsonAPI

    static func name(for value: Form) -> NameSpecification {
      value == .jsonAPI ? .customLong("json-api") : .long
    }

    static func help(for value: Form) -> ArgumentHelp? {
      switch value {
      case .item: "The payload is one row, not a list."
      case .jsonAPI: "The payload is a JSON:API document."
      }
    }
  }

  func validate() throws {
    guard paths.count > 1 else {
      throw ValidationError("Pass a schema, followed by a payload.")
    }
    guard rows >= 0 else { throw ValidationError("“--rows \(rows)” must not be negative.") }
  }

  func run() async throws {
    let (declared, modules) = try imports.schemas(Array(paths.dropLast()), target: "Schema")
    let schema = InterpretedSchema(declared, importing: modules)
    var configuration = SyncConfiguration()
    configuration.keyStyle = keyStyle
    let trial = try await Trial(
      of: PayloadFile.read(paths.last ?? "-"), at: path,
      form.flatMap { Trial.Form(rawValue: $0.rawValue) } ?? .rows,
      as: try rows(in: schema), in: schema, configuration, rowLimit: rows)
    if json { try SynclineCommand.printJSON(trial) } else { print(trial.text, terminator: "") }
    if !trial.isClean { throw ExitCode.failure }
  }

  private func rows(in schema: InterpretedSchema) throws -> Trial.Rows {
    let names = (schema.names + schema.unionNames).listed
    guard let name = model else {
      guard schema.names.count == 1, let only = schema.model(schema.names[0]) else {
        if schema.names.isEmpty { throw ValidationError("The schema declares no model.") }
        throw ValidationError("Pass the model of the rows with “--as”\(names).")
      }
      return .model(only)
    }
    if let model = schema.model(name) { return .model(model) }
    guard let union = schema.union(name) else {
      throw ValidationError("There is no model or union of models “\(name)”\(names).")
    }
    // A document of a union is always read at the root.
    guard form != .jsonAPI || path == nil else {
      throw ValidationError("“--at” cannot be combined with “--json-api” and a union.")
    }
    return .union(union)
  }
}

/// Checks and reads payloads that are arguments of commands.
enum PayloadFile {
  static func read(_ path: String) throws -> [UInt8] {
    guard path != "-" else { return [UInt8](FileHandle.standardInput.readDataToEndOfFile()) }
    try check(path)
    do {
      return [UInt8](try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw SchemaFileError(description: "“\(path)” cannot be read: \(error.localizedDescription)")
    }
  }

  /// - Throws: an error with the reason if there is no file at the path.
  static func check(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw SchemaFileError(description: "There is no file “\(path)”.")
    }
    guard !SchemaFolder.isFolder(path) else {
      throw SchemaFileError(description: "“\(path)” cannot be read: it is a folder")
    }
  }
}
