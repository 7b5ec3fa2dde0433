import ArgumentParser
import Foundation
import Syncline
import SynclineCompiler
import SynclineTooling

/// `syncline infer`
struct Infer: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Proposes a schema for sample payloads, or for a document that describes them.",
    discussion: """
      The schema is a starting point: models for objects with an identity, structs for others, enums for strings that \
      repeat, dates with their formats, lists and maps. A key identifies rows only if each of them has another value, and \
      is required only if each of at least 200 rows has it. Comments explain each guess. The more rows there are, the \
      better. A document says more than rows do: “--openapi” takes one of OpenAPI 3, or a JSON Schema.
      """)

  @Option(name: .customLong("as"), help: "The name of the model; the first file's name by default.")
  var model: String?

  @Option(
    name: .customLong("at"),
    help: "Where the rows are in each payload: data.items; users{} for the members of an object.")
  var path: String?

  @Option(
    help: ArgumentHelp(
      "Adds new models and properties to this schema file or folder, and changes nothing else.",
      valueName: "schema"),
    completion: .schemas)
  var into: String?

  @Option(
    name: .customLong("openapi"),
    help: ArgumentHelp(
      "A document of OpenAPI 3, or a JSON Schema, instead of payloads: JSON or YAML; “-” is standard input.",
      valueName: "document"),
    completion: .file(extensions: ["json", "yaml", "yml"]))
  var document: String?

  @Argument(
    help: "JSON files, or files with a row on each line; “-” is standard input.",
    completion: .file(extensions: ["json", "ndjson", "jsonl"]))
  var files: [String] = []

  func validate() throws {
    if document == nil, files.isEmpty {
      throw ValidationError("A payload is missing, or “--openapi” and a document.")
    }
    if document != nil, !files.isEmpty || path != nil || into != nil {
      throw ValidationError(
        "“--openapi” takes a document alone: neither payloads nor “--at” or “--into” with it.")
    }
  }

  func run() throws {
    if let document { return try describe(document) }
    var sample = SampleRows()
    for file in files {
      do {
        try sample.add(PayloadFile.read(file), at: path)
      } catch let error as SampleRows.Mistake {
        throw SchemaFileError(description: "\(file): \(error)")
      } catch let error as SyncError {
        throw SchemaFileError(description: "\(file): \(error)")
      }
    }
    guard sample.count > 0 else {
      throw SchemaFileError(description: "There is no object among the rows: “--at” says where they are.")
    }
    if sample.others > 0 {
      let count = sample.count + sample.others
      printError("Left out, as they are no objects: \(sample.others) of \(count) rows.\n")
    }
    let inference = SchemaInference(of: sample, named: name)
    if let into { try add(inference, to: into) } else { print(inference.text, terminator: "") }
  }

  private func describe(_ file: String) throws {
    do {
      let document = try DocumentFile.read(file)
      let name = model ?? DocumentFile.name(of: file)
      print(DocumentInference(of: try SchemaDocument(document, named: name)).text, terminator: "")
    } catch let error as SchemaDocument.Mistake {
      throw SchemaFileError(description: "\(file): \(error)")
    }
  }

  private func add(_ inference: SchemaInference, to path: String) throws {
    let input = try SchemaImports.input(of: path)
    let analysis = CompilerPipeline.analyse(input)
    printError(DiagnosticRenderer.report(analysis.diagnostics))
    guard let schema = analysis.schema else { throw ExitCode.diagnostics }
    guard schema.declaresModel(name) else {
      throw ValidationError("There is no model “\(name)” in “\(path)”: “--as” is to name one.")
    }
    let addition = SchemaAddition(inference, to: input, analysis, as: name)
    for (path, text) in addition.texts.sorted(by: { $0.key < $1.key }) {
      try SchemaFiles.write(text, to: path)
    }
    for title in addition.additions { print("Added \(title)") }
  }

  private var name: String {
    let file = URL(filePath: files.first ?? "").deletingPathExtension().lastPathComponent
    return model ?? (files.first == "-" || file.isEmpty ? "Row" : SampleRows.rowName(of: file))
  }
}
