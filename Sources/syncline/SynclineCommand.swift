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
