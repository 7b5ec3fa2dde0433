import ArgumentParser
import Foundation
import SynclineCompiler

/// The command line tool.
@main
struct SynclineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "syncline", abstract: "Checks schema files and compiles them to Swift.",
    version: CompilerPipeline.version,
    subcommands: [Check.self, Generate.self])
}

/// `syncline check`
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints what is wrong with schema files.",
    discussion: "All files and folders together are one target's schema. Exits with 0 when there is no error."
  )

  @OptionGroup var schema: SchemaFiles

  func run() throws {
    let analysis = CompilerPipeline.analyse(try schema.input(target: "Schema"))
    report(analysis.diagnostics)
    if analysis.diagnostics.hasErrors { throw ExitCode.failure }
  }
}

/// `syncline generate`
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes the Swift of schema files to a folder.",
    discussion: "A file that would not change is not written.")

  @Option(name: .shortAndLong, help: "The target that the Swift is for; the index is called <target>Schema.")
  var target: String

  @Option(name: .shortAndLong, help: "The folder to write to. It is created if it is missing.")
  var output: String

  @OptionGroup var schema: SchemaFiles

  func run() throws {
    let input = try schema.input(target: target)
    let result = CompilerPipeline.compile(input)
    report(result.diagnostics)
    if result.diagnostics.hasErrors { throw ExitCode.failure }
    let folder = URL(fileURLWithPath: output)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in result.files {
      let url = folder.appendingPathComponent(file.name)
      let data = Data(file.text.utf8)
      if (try? Data(contentsOf: url)) != data { try data.write(to: url, options: .atomic) }
    }
  }
}

/// The schema files that a command is given.
struct SchemaFiles: ParsableArguments {
  @Argument(help: "Schema files, and folders of them.")
  var paths: [String]

  func input(target: String) throws -> CompilerInput {
    let files = try paths.flatMap(expand).map { path in
      guard let data = FileManager.default.contents(atPath: path),
        let text = String(data: data, encoding: .utf8)
      else {
        throw SchemaFileError(description: "“\(path)” cannot be read as UTF-8.")
      }
      return SourceFile(
        path: path, relativePath: URL(fileURLWithPath: path).lastPathComponent, text: text)
    }
    return CompilerInput(target: target, files: files)
  }

  private func expand(_ path: String) throws -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw SchemaFileError(description: "There is no file “\(path)”.")
    }
    guard isFolder.boolValue else {
      guard path.hasSuffix(".syncline") else {
        throw SchemaFileError(
          description: "“\(path)” is no schema file: the names of these end in “.syncline”.")
      }
      return [path]
    }
    let found = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    let files = found.filter { $0.hasSuffix(".syncline") }.sorted().map { path + "/" + $0 }
    guard !files.isEmpty else {
      throw SchemaFileError(description: "There is no schema file in “\(path)”.")
    }
    return files
  }
}

/// A path that leads to no schema.
struct SchemaFileError: Error, CustomStringConvertible {
  let description: String
}

private func report(_ diagnostics: [Diagnostic]) {
  FileHandle.standardError.write(Data(DiagnosticRenderer.report(diagnostics).utf8))
}
