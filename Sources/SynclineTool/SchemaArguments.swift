import ArgumentParser
import Foundation
import SynclineCompiler
import SynclineFiles
import SynclineInterpreter
import SynclineNaming

/// The schema files that a command is given.
struct SchemaArguments: ParsableArguments {
  @OptionGroup var imports: SchemaImports

  @Argument(help: "Schema files, and folders of them.", completion: .schemas)
  var paths: [String]

  /// Reads the files, and says what is wrong with them.
  func diagnostics(target: String) throws -> [Diagnostic] {
    CompilerPipeline.analyse(try imports.input(paths, target: target)).diagnostics
  }

  /// Reads the files and prints what is wrong with them.
  ///
  /// - Throws: an exit code where there is an error.
  func analyse(target: String) throws -> Schema {
    try imports.schema(of: imports.input(paths, target: target))
  }
}

/// The schema of a target, and how the API that it is of spells its keys.
struct TargetArguments: ParsableArguments {
  @Option(name: .shortAndLong, help: "The target that the schema is of.")
  var target: String = "Schema"

  @Option(help: "Which keys are written: those of snake_case or of camelCase.")
  var keyStyle: KeyStyle = .snakeCase

  @OptionGroup var schema: SchemaArguments

  /// Reads the schema, and those of the targets that it may import, whole.
  func schemas() throws -> (schema: Schema, modules: [String: Schema]) {
    try schema.imports.schemas(schema.paths, target: target)
  }
}

/// The schemas of other targets that those a command is given may import.
struct SchemaImports: ParsableArguments {
  @Option(
    name: .customLong("import"),
    help: ArgumentHelp(
      "Another target whose schema may be imported, and a schema file or a folder of it.",
      valueName: "target=path"))
  var imports: [String] = []

  /// Writes the schema of paths as JSON, with the models of other targets that it relates to.
  func snapshot(of paths: [String], target: String, keys: KeyStyle) throws -> String {
    let (schema, modules) = try schemas(paths, target: target)
    return CompilerPipeline.snapshot(schema, importing: modules, keys: keys)
  }

  /// The models of paths, as the runtime takes them.
  func interpreted(_ paths: [String]) throws -> InterpretedSchema {
    let (schema, modules) = try schemas(paths, target: "Schema")
    return InterpretedSchema(schema, importing: modules)
  }

  /// The schema of paths, and those of the targets that it may import, whole.
  func schemas(_ paths: [String], target: String) throws -> (schema: Schema, modules: [String: Schema]) {
    let input = try input(paths, target: target)
    let schema = try schema(of: input)
    let modules = try input.imports.map { ($0.target, try self.schema(of: $0)) }
    return (schema, Dictionary(modules, uniquingKeysWith: { first, _ in first }))
  }

  /// Reads the files of paths.
  func input(_ paths: [String], target: String) throws -> CompilerInput {
    var sources = try SchemaSources(target: target)
    for path in paths { sources.add(try SchemaFiles.found(at: path)) }
    for text in imports {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw ValidationError(
          "“--import \(text)” is to be a target and a path: “--import Base=Schemas/Base”.")
      }
      sources.addImport(of: parts[0], isOfSamePackage: true, try SchemaFiles.found(at: parts[1]))
    }
    return try SchemaFiles.read(sources)
  }

  /// Reads the files of a path, which import nothing.
  static func input(of path: String) throws -> CompilerInput {
    var sources = try SchemaSources(target: "Schema")
    sources.add(try SchemaFiles.found(at: path))
    return try SchemaFiles.read(sources)
  }

  /// Prints what is wrong with an input.
  fileprivate func schema(of input: CompilerInput) throws -> Schema {
    let analysis = CompilerPipeline.analyse(input)
    printError(DiagnosticRenderer.report(analysis.diagnostics))
    guard let schema = analysis.schema else { throw ExitCode.diagnostics }
    return schema
  }
}

/// Finding and reading schema files.
enum SchemaFiles {
  /// The file of a path, or those in a folder.
  static func found(at path: String) throws -> [SchemaPath] {
    guard FileManager.default.fileExists(atPath: path) else {
      throw SchemaFileError(description: "There is no file “\(path)”.")
    }
    guard SchemaFolder.isFolder(path) else {
      guard path.hasSuffix(".syncline") else {
        throw SchemaFileError(
          description: "“\(path)” is no schema file: the names of these end in “.syncline”.")
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

  /// Writes a file, at once or not at all. What a symbolic link leads to is written, and the link stays.
  static func write(_ text: String, to path: String) throws {
    do {
      try TextFile(path, followingLinks: true).replace(with: text)
    } catch {
      throw SchemaFileError(description: "“\(path)” cannot be written: \(error)")
    }
  }

  /// Reads files; why one cannot be read is printed.
  ///
  /// - Throws: an exit code where one cannot be read.
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
  /// Schema files, and the folders on the way to them.
  static let schemas = CompletionKind.file(extensions: ["syncline"])
}

extension ExitCode {
  /// A schema has errors.
  static let diagnostics = ExitCode(2)
}

/// Prints what is no output of a command. Where that cannot be written, there is nowhere to say so.
func printError(_ message: String) { try? FileHandle.standardError.write(contentsOf: Data(message.utf8)) }

/// A path that leads to no schema.
struct SchemaFileError: Error, CustomStringConvertible {
  let description: String
}
