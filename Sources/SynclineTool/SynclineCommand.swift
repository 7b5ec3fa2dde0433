import ArgumentParser
import Foundation
import SynclineCompiler

/// The command line tool.
@main
struct SynclineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "syncline",
    abstract:
      "Checks and formats schema files, compiles them to Swift, compares versions of them, and tries payloads.",
    version: CompilerPipeline.version,
    subcommands: [
      Check.self, Explain.self, Format.self, Generate.self, Snapshot.self, Diff.self, Try.self, Infer.self,
      Import.self, LSP.self, MigrateSwiftSync.self,
      New.self,
      JSONSchema.self, OpenAPI.self, Diagram.self, Docs.self,
    ])
}

extension SynclineCommand {
  /// Prints a value as JSON, its members in the order of their names.
  static func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
