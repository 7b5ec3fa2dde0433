import ArgumentParser
import SynclineCompiler
import SynclineTooling

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks schema files and prints their errors and warnings.",
    discussion: """
      All files and folders together are the schema of one target. Exits with 0 if there is no error, with 2 if a schema \
      has errors, and with 1 if a file cannot be read.
      """)

  @Option(
    name: .shortAndLong,
    help: "The target of the schema. Without it, conflicts with its module's names are not reported.")
  var target: String = "Schema"

  @Flag(help: "The output format.")
  var form = Form.text

  @OptionGroup var schema: SchemaArguments

  enum Form: String, EnumerableFlag {
    case text, json, sarif

    static func help(for value: Form) -> ArgumentHelp? {
      switch value {
      case .text: "Prints messages with their source lines to standard error."
      case .json: "Prints JSON, with fix-its."
      case .sarif: "Prints SARIF 2.1.0 for GitHub and GitLab code scanning."
      }
    }
  }

  func run() throws {
    let input = try schema.imports.input(schema.paths, target: target)
    let diagnostics = CompilerPipeline.analyse(input).diagnostics
    switch form {
    case .text: printError(DiagnosticRenderer.report(diagnostics))
    case .json: try SynclineCommand.printJSON(DiagnosticList(diagnostics))
    case .sarif: try SynclineCommand.printJSON(SARIFLog(diagnostics))
    }
    if diagnostics.hasErrors { throw ExitCode.diagnostics }
  }
}
