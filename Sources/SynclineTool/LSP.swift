import ArgumentParser
import Foundation
import SynclineTooling

struct LSP: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs a language server (LSP) for editors.",
    discussion: """
      An editor starts the server, and exchanges messages with it through standard input and standard output. The \
      server exits with 0 after a shutdown request of the editor, otherwise with 1. “Editors/README.md” of the package \
      describes how editors start it.
      """)

  @Flag(help: "Has no effect: standard input and output are always used. Some editors pass it.")
  var stdio = false

  func run() throws {
    // A write to a closed pipe must return an error, not end the process by a signal.
    signal(SIGPIPE, SIG_IGN)
    var session = LanguageServerSession(input: .standardInput, output: .standardOutput)
    let code = try session.run()
    if code != 0 { throw ExitCode(code) }
  }
}
