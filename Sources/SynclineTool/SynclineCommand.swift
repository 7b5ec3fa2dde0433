import ArgumentParser
@preconcurrency import Foundation
import SynclineCompiler

@main
struct SynclineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "syncline",
    abstract:
      "Checks, formats and compares schema files, generates Swift from them, and tests them with payloads.",
    version: CompilerPipeline.version,
    subcommands: [
      Check.self, Explain.self, Format.self, Generate.self, Snapshot.self, Diff.self, Try.self, Infer.self,
      Import.self, LSP.self, MigrateSwiftSync.self, New.self, JSONSchema.self, OpenAPI.self, Diagram.self,
      Docs.self,
    ])

  static func main() async {
    do {
      var command = try parseAsRoot()
      do {
        if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
      } catch let error as ValidationError {
        try refuse(error, by: type(of: command))
      }
      try finishOutput()
    } catch {
      exit(withError: error)
    }
  }

  /// Prints an error in the arguments that was found while the command ran, with the command's usage.
  private static func refuse(_ error: ValidationError, by command: any ParsableCommand.Type) throws {
    let name = "\(_commandName) \(command._commandName)"
    printError(
      "Error: \(error.message)\nUsage: \(usageString(for: command))\n  See '\(name) --help' for more information.\n"
    )
    throw ExitCode.validationFailure
  }

  /// Flushes the output. Otherwise the output to a file on a full disk would be truncated without an error.
  private static func finishOutput() throws {
    // If an earlier write failed, only the stream's error flag shows it.
    guard fflush(stdout) != 0 || ferror(stdout) != 0 else { return }
    throw SchemaFileError(description: "The output could not be written.")
  }

  /// Prints a value as JSON, with members sorted by name.
  static func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
