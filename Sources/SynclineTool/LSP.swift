import ArgumentParser
import Foundation
import SynclineTooling

/// `syncline lsp`
struct LSP: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs a language server (LSP) for editors.",
    discussion: """
      Started by an editor, it reads messages from standard input and writes messages to standard output, until the \
      editor says that it is done: it then exits with 0, else with 1. The folder “Editors” of the package says how \
      editors start it.
      """)

  @Flag(help: "Accepted for editors that pass it; standard input and output are always used.")
  var stdio = false

  func run() throws {
    // The server must not be killed by a signal when the editor has closed the pipe.
    signal(SIGPIPE, SIG_IGN)
    var session = LanguageServerSession(input: .standardInput, output: .standardOutput)
    let code = try session.run()
    if code != 0 { throw ExitCode(code) }
  }
}
