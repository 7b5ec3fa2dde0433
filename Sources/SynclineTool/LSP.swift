import ArgumentParser
import Foundation
import SynclineTooling

/// `syncline lsp`
struct LSP: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serves editors by the Language Server Protocol.",
    discussion: """
      Started by an editor, it reads messages from standard input and writes messages to standard output, until the \
      editor says that it is done: it then exits with 0, else with 1. The folder “Editors” of the package says how \
      editors start it.
      """)

  @Flag(help: "Standard input and output, which are the only way; editors like to say so.")
  var stdio = false

  func run() throws {
    // An editor that is gone is no reason to be killed.
    signal(SIGPIPE, SIG_IGN)
    var session = LanguageServerSession(input: .standardInput, output: .standardOutput)
    let code = try session.run()
    if code != 0 { throw ExitCode(code) }
  }
}
