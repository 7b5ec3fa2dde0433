import ArgumentParser
import Foundation
import SynclineCompiler
import SynclineTooling

/// `syncline check`
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints what is wrong with schema files.",
    discussion:
      "All files and folders together are one target's schema. Exits with 0 when there is no error, else with 2."
  )

  @Option(
    name: .shortAndLong,
    help: "The target that the schema is of. Without it, names that are taken by its module are not found.")
  var target: String = "Schema"

  @Flag(help: "How it is printed.")
  var form = Form.text

  @OptionGroup var schema: SchemaArguments

  enum Form: String, EnumerableFlag {
    case text, json, sarif

    static func help(for value: Form) -> ArgumentHelp? {
      switch value {
      case .text: "Prints sentences with the lines they are of, to standard error."
      case .json: "Prints JSON, with the changes that put things right."
      case .sarif: "Prints SARIF 2.1.0, which forges show beside the lines."
      }
    }
  }

  func run() throws {
    let diagnostics = try schema.diagnostics(target: target)
    switch form {
    case .text: printError(DiagnosticRenderer.report(diagnostics))
    case .json: try SynclineCommand.printJSON(DiagnosticList(diagnostics))
    case .sarif: try SynclineCommand.printJSON(SARIFLog(diagnostics))
    }
    if diagnostics.hasErrors { throw ExitCode.diagnostics }
  }
}
