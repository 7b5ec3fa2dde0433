import Foundation
import Syncline

/// A server that reads from one pipe and writes to another: standard input and output when an editor starts the command.
package struct LanguageServerSession {
  private let input: FileHandle
  private let output: FileHandle
  private var server = LanguageServer()
  private var framing = MessageFraming()

  package init(input: FileHandle, output: FileHandle) {
    self.input = input
    self.output = output
  }

  /// Serves until the editor asks it to exit or closes the connection.
  ///
  /// - Returns: the exit code of the process: 0 if the editor has requested a shutdown before.
  /// - Throws: an error if the input is not a message, or if the output is closed.
  package mutating func run() throws -> Int32 {
    while true {
      let read = input.availableData
      guard !read.isEmpty else { return 1 }
      framing.append(read)
      // Messages that have arrived in the meantime are handled in the same batch.
      while hasMore(), case let more = input.availableData, !more.isEmpty { framing.append(more) }
      var batch: [SyncJSON] = []
      var replies: [SyncJSON] = []
      while let message = try framing.next() {
        do {
          batch.append(try SyncJSON(parsing: message))
        } catch {
          replies.append([
            "jsonrpc": "2.0", "id": nil, "error": ["code": -32700, "message": .string("\(error)")],
          ])
        }
      }
      server.receive(batch) { replies.append($0) }
      // Replies are written in order. This causes no delay, since replies are few and diagnostics come last.
      for reply in replies { try output.write(contentsOf: Data(MessageFraming.framed(reply))) }
      if let code = server.exitCode { return code }
    }
  }

  /// Whether input can be read without blocking.
  private func hasMore() -> Bool {
    var entry = pollfd(fd: input.fileDescriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLIN) != 0
  }
}
