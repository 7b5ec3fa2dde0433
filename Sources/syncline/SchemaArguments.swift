import ArgumentParser
import Foundation
import SynclineCompiler
import SynclineFiles

/// The schema files that a command is given.
struct SchemaArguments: ParsableArguments {
  @Option(
    name: .customLong("import"),
    help: ArgumentHelp(
      "Another target whose schema may be imported, and a schema file or a folder of it.",
      valueName: "target=path"))
  var imports: [String] = []

  @Argument(help: "Schema files, and folders of them.")
  var paths: [String]

  /// Reads the files and prints what is wrong with them.
  ///
  /// - Throws: an exit code where there is an error.
  func analyse(target: String) throws -> Schema {
    try SchemaArguments.analyse(paths, imports: imports, target: target)
  }

  /// Reads the files of paths and prints what is wrong with them.
  static func analyse(_ paths: [String], imports: [String] = [], target: String) throws -> Schema {
    var sources = try SchemaSources(target: target)
    for path in paths { sources.add(try schemaFiles(at: path)) }
    for text in imports {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw ValidationError(
          "“--import \(text)” is to be a target and a path: “--import Base=Schemas/Base”.")
      }
      sources.addImport(of: parts[0], isOfSamePackage: true, try schemaFiles(at: parts[1]))
    }
    do {
      let analysis = CompilerPipeline.analyse(try sources.input())
      printError(DiagnosticRenderer.report(analysis.diagnostics))
      guard let schema = analysis.schema else { throw ExitCode.failure }
      return schema
    } catch let error as UnreadableFiles {
      printError("\(error)\n")
      throw ExitCode.failure
    }
  }

  private static func schemaFiles(at path: String) throws -> [SchemaPath] {
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
    let files = SchemaFolder(path).schemaFiles()
    guard !files.isEmpty else {
      throw SchemaFileError(description: "There is no schema file in “\(path)”.")
    }
    return files
  }

  private static func printError(_ message: String) {
    FileHandle.standardError.write(Data(message.utf8))
  }
}

/// A path that leads to no schema.
struct SchemaFileError: Error, CustomStringConvertible {
  let description: String
}
