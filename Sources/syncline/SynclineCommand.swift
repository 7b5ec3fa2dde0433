import ArgumentParser
import Foundation
import SynclineCompiler

/// The command line tool.
@main
struct SynclineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "syncline",
    abstract: "Checks schema files, compiles them to Swift, and compares versions of them.",
    version: CompilerPipeline.version,
    subcommands: [Check.self, Generate.self, Snapshot.self, Diff.self])
}
