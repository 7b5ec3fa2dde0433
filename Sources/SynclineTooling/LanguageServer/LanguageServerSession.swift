import Foundation
import Syncline

/// A server at the ends of two pipes: standard input and output, when an editor starts the command.
package struct LanguageServerSession {
  private let input: FileHandle
  private let output: FileHandle
  private var server = LanguageServer()
  private var framing = MessageFraming()

  package init(input: FileHandle, output: FileHandle) {
    self.input = input
    self.output = output
  }

  /// Serves until the editor says that it is done, or is gone.
  ///
  /// - Returns: what the process ends with: 0 where the editor took its leave.
  /// - Throws: where what comes is no message, or nobody takes what is sent.
  package mutating func run() throws -> Int32 {
    while true {
      let read = input.availableData
      guard !read.isEmpty else { return 1 }
      framing.append(read)
      // What came in the meantime is taken together.
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
      // Nothing waits for what comes behind it: replies are few, and what is wrong comes last.
      for reply in replies { try output.write(contentsOf: Data(MessageFraming.framed(reply))) }
      if let code = server.exitCode { return code }
    }
  }

  /// Whether reading would not wait.
  private func hasMore() -> Bool {
    var entry = pollfd(fd: input.fileDescriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLIN) != 0
  }
}
