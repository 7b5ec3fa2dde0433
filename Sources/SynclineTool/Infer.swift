import ArgumentParser
import Foundation
import Syncline
import SynclineCompiler
import SynclineFiles
import SynclineTooling

struct Infer: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Proposes a schema for sample payloads, or for a document that describes them.",
    discussion: """
      The schema is a starting point: models for objects with an identity, structs for others, enums for strings with \
      few values, dates with their formats, lists and maps. A key is an identity only if its values are unique, and is \
      required only if at least 200 rows were seen and all have it. Comments explain each guess. More rows give better \
      results. You can pass the responses of several endpoints, each with its model: “users.json=User posts.json=Post”. \
      Keys such as “userId” then become relationships. “--openapi” reads an OpenAPI 3 or Swagger 2 document or a JSON \
      Schema, with the files to which it refers, and finds more details than in payloads.
      """)

  @Option(
    name: .customLong("as"),
    help:
      "The model of the files that are passed without “=Model”. The default is the name of the first of these files."
  )
  var model: String?

  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      "The path of the rows in each payload: data.items; users{} for the members of an object; User=data.users for one model.",
      valueName: "path"))
  var paths: [String] = []

  @Option(
    help: ArgumentHelp(
      "Adds new models and properties to this schema file or folder, and changes nothing else.",
      valueName: "schema"),
    completion: .schemas)
  var into: String?

  @Option(
    name: .customLong("openapi"),
    help: ArgumentHelp(
      "A document of OpenAPI 3 or Swagger 2, or a JSON Schema, instead of payloads: JSON or YAML; “-” is standard input.",
      valueName: "document"),
    completion: .file(extensions: ["json", "yaml", "yml"]))
  var document: String?

  @Argument(
    help: ArgumentHelp(
      "JSON files, or files with a row on each line; “-” is standard input. “posts.json=Post” names the model.",
      valueName: "file"),
    completion: .file(extensions: ["json", "ndjson", "jsonl"]))
  var files: [String] = []

  func validate() throws {
    if document == nil, files.isEmpty {
      throw ValidationError("Pass a payload file, or “--openapi” with a document.")
    }
    if document != nil, !files.isEmpty || !paths.isEmpty || into != nil {
      throw ValidationError(
        "“--openapi” cannot be combined with payload files, “--at” or “--into”.")
    }
  }

  func run() throws {
    if let document { return try describe(document) }
    let endpoints = try samples()
    if let into { return try add(endpoints, to: into) }
    print(SchemaInference(of: endpoints).text, terminator: "")
  }

  private func arguments() throws -> [EndpointArguments.Endpoint] {
    do throws(Mistake) {
      return try EndpointArguments(files, named: model, at: paths) {
        FileManager.default.fileExists(atPath: $0)
      }.endpoints
    } catch {
      throw ValidationError(error.description)
    }
  }

  /// Reads the rows of the endpoints, or the resources of JSON:API documents.
  private func samples() throws -> [SampleEndpoint] {
    let endpoints = try arguments()
    let payloads = try endpoints.map { try $0.files.map(PayloadFile.read) }
    if paths.isEmpty,
      let resources = SampleEndpoint.resources(
        of: payloads.joined().map { (try? SyncJSON(parsing: $0)) ?? .null })
    {
      return resources
    }
    return try zip(endpoints, payloads).map(sample)
  }

  private func sample(_ endpoint: EndpointArguments.Endpoint, _ payloads: [[UInt8]]) throws -> SampleEndpoint
  {
    let own = endpoint.files.joined(separator: ", ")
    let sample: SampleRows
    do {
      sample = try SampleRows(payloads: payloads, at: endpoint.path, named: endpoint.name)
    } catch let error where error is Mistake || error is SyncError {
      throw SchemaFileError(description: "\(own): \(error)")
    }
    guard sample.count > 0 else {
      throw SchemaFileError(
        description: sample.others == 0
          ? "\(own): There are no rows. Pass a response that has some."
          : "\(own): No row is an object. Pass the path of the rows with “--at”.")
    }
    if sample.others > 0 {
      let count = sample.count + sample.others
      printError("\(own): Skipped \(sample.others) of \(count) rows that are not objects.\n")
    }
    if let path = sample.listPath {
      printError("\(own): Read the rows at “\(path)”, as with “--at \(path)”.\n")
    }
    if let envelope = sample.envelope {
      let objects = envelope.count == 1 ? "1 object" : "\(envelope.count) objects"
      let isOnly = endpoint.files.count == files.count
      let option = "--at " + (isOnly ? "" : endpoint.name + "=") + envelope.path
      printError(
        "\(own): The payload was read as one row, but may be an envelope. It contains \(objects) at “\(envelope.path)”. "
          + "To read these as the rows, pass “\(option)”.\n")
    }
    return SampleEndpoint(sample, named: endpoint.name)
  }

  private func describe(_ file: String) throws {
    do {
      let name = model ?? EndpointArguments.name(of: file)
      let document = try SchemaDocument(
        DocumentFile.read(file), named: name, at: file == "-" ? "" : file, reading: DocumentFile.part)
      print(DocumentInference(of: document).text, terminator: "")
    } catch let error as Mistake {
      throw SchemaFileError(description: "\(file): \(error)")
    }
  }

  /// Adds the missing parts to a schema. A new model is appended to the schema file, or written to a new file in the folder.
  private func add(_ endpoints: [SampleEndpoint], to path: String) throws {
    var sources = try SchemaSources(target: "Schema")
    sources.add(try SchemaFiles.found(at: path))
    let input = try SchemaFiles.read(sources)
    let analysis = CompilerPipeline.analyse(input)
    printError(DiagnosticRenderer.report(analysis.diagnostics))
    guard analysis.schema != nil else { throw ExitCode.diagnostics }
    let addition: SchemaAddition
    do throws(Mistake) {
      addition = try SchemaAddition(
        of: endpoints, to: input, analysis, folder: SchemaFolder.isFolder(path) ? path : nil)
    } catch {
      throw ValidationError(error.description)
    }
    for (path, text) in addition.texts.sorted(by: { $0.key < $1.key }) {
      try SchemaFiles.write(text, to: path)
    }
    for title in addition.additions { print("Added \(title)") }
  }
}
