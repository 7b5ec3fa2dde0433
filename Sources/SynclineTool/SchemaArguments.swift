import ArgumentParser
import Foundation
import SynclineCompiler
import SynclineFiles
import SynclineNaming
import SynclineTooling

/// The arguments with the schema files of a command.
struct SchemaArguments: ParsableArguments {
  @OptionGroup var imports: SchemaImports

  @Argument(help: "Schema files, or folders that contain them.", completion: .schemas)
  var paths: [String]

  /// Reads the files and prints their diagnostics. Throws an exit code if there is an error.
  func analyse(target: String) throws -> Schema {
    try imports.schema(of: imports.input(paths, target: target))
  }
}

/// The target of a schema, and the key style of its API.
struct TargetArguments: ParsableArguments {
  @Option(name: .shortAndLong, help: "The name of the target.")
  var target: String = "Schema"

  @Option(help: "The key style of the API, if it differs from the schema's.")
  var keyStyle: KeyStyle?

  @OptionGroup var schema: SchemaArguments

  func schemas() throws -> (schema: Schema, modules: [String: Schema]) {
    try schema.imports.schemas(schema.paths, target: target)
  }
}

/// The schemas of other targets that a command's files may import.
struct SchemaImports: ParsableArguments {
  @Option(
    name: .customLong("import"),
    help: ArgumentHelp(
      "Another target whose schema may be imported, with the path of its schema file or folder.",
      valueName: "target=path"))
  var imports: [String] = []

  /// The schema at the paths as JSON, including related models of other targets.
  func snapshot(of paths: [String], target: String, keys: KeyStyle?) throws -> String {
    let (schema, modules) = try schemas(paths, target: target)
    return schema.snapshot(importing: modules, keys: keys)
  }

  /// The complete schema at the paths, and the complete schemas of the targets that it may import.
  func schemas(_ paths: [String], target: String) throws -> (schema: Schema, modules: [String: Schema]) {
    let input = try input(paths, target: target)
    let schema = try schema(of: input)
    let modules = try input.imports.map { ($0.target, try self.schema(of: $0)) }
    return (schema, Dictionary(modules, uniquingKeysWith: { first, _ in first }))
  }

  func input(_ paths: [String], target: String) throws -> CompilerInput {
    var sources = try SchemaSources(target: target)
    for path in paths { sources.add(try SchemaFiles.found(at: path)) }
    for text in imports {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw ValidationError(
          "“--import \(text)” must name a target and a path: “--import Base=Schemas/Base”.")
      }
      sources.addImport(of: parts[0], isOfSamePackage: true, try SchemaFiles.found(at: parts[1]))
    }
    return try SchemaFiles.read(sources)
  }

  /// Prints the diagnostics of an input and returns its schema.
  fileprivate func schema(of input: CompilerInput) throws -> Schema {
    let analysis = CompilerPipeline.analyse(input)
    printError(DiagnosticRenderer.report(analysis.diagnostics))
    guard let schema = analysis.schema else { throw ExitCode.diagnostics }
    return schema
  }
}

enum SchemaFiles {
  /// The file at a path, or the files in the folder at the path.
  static func found(at path: String) throws -> [SchemaPath] {
    guard FileManager.default.fileExists(atPath: path) else {
      throw SchemaFileError(description: "There is no file “\(path)”.")
    }
    guard SchemaFolder.isFolder(path) else {
      guard path.hasSuffix(".syncline") else {
        throw SchemaFileError(
          description: "“\(path)” is not a schema file: its name must end in “.syncline”.")
      }
      return [SchemaPath(path)]
    }
    let contents = SchemaFolder(path).contents()
    for note in contents.notes { printError("warning: \(note)\n") }
    guard !contents.files.isEmpty else {
      throw SchemaFileError(description: "There is no schema file in “\(path)”.")
    }
    return contents.files
  }

  /// Writes a file atomically. If the path is a symbolic link, its target is replaced and the link is kept.
  static func write(_ text: String, to path: String) throws {
    do {
      try TextFile(path, followingLinks: true).replace(with: text)
    } catch {
      throw SchemaFileError(description: "“\(path)” cannot be written: \(error)")
    }
  }

  /// Reads files. If one cannot be read, prints the reason and throws an exit code.
  static func read(_ sources: SchemaSources, failingWith code: ExitCode = .failure) throws -> CompilerInput {
    do {
      return try sources.input()
    } catch {
      printError("\(error)\n")
      throw code
    }
  }
}

extension CompletionKind {
  /// Shell completion for schema files and the folders that contain them.
  static let schemas = CompletionKind.file(extensions: ["syncline"])
}

extension ExitCode {
  /// The exit code if a schema has errors.
  static let diagnostics = ExitCode(2)
}

/// Prints a message to standard error. A write error is ignored, because it could not be reported.
func printError(_ message: String) { try? FileHandle.standardError.write(contentsOf: Data(message.utf8)) }

/// Thrown if no schema was found at a path.
struct SchemaFileError: Error, CustomStringConvertible {
  let description: String
}

extension [String] {
  /// The names after a colon, for the end of a message; empty if there are no names.
  var listed: String { isEmpty ? "" : ": " + joined(separator: ", ") }
}
