import Foundation
import Syncline
import SynclineTooling
import Testing

@Suite struct FramingTests {
  private static let message: SyncJSON = ["id": 1, "text": "é😀"]

  @Test func messagesAreReadFromChunksOfAnySize() throws {
    let bytes = MessageFraming.framed(FramingTests.message)
    let all = bytes + Array("content-type: x\ncontent-length:2\n\n{}".utf8) + bytes
    for step in [1, 2, 3, 7, 20, 1000] {
      var framing = MessageFraming()
      var found: [SyncJSON] = []
      for start in stride(from: 0, to: all.count, by: step) {
        framing.append(all[start..<min(all.count, start + step)])
        while let message = try framing.next() { found.append(try SyncJSON(parsing: message)) }
      }
      #expect(found == [FramingTests.message, [:], FramingTests.message])
    }
  }

  @Test(arguments: [
    "Content-Length: -1\r\n\r\n", "Content-Length: x\r\n\r\n", "Content-Length\r\n\r\n", "\r\n\r\n", "{}\n\n",
    "Content-Length: 99999999999999999999\r\n\r\n", String(repeating: "x", count: 20_000),
  ])
  func malformedMessageHeaderThrows(text: String) {
    var framing = MessageFraming()
    framing.append(Array(text.utf8))
    #expect(throws: Mistake.self) { try framing.next() }
  }

  @Test func incompleteMessageIsAwaited() throws {
    var framing = MessageFraming()
    framing.append(Array("Content-Length: \(Int.max)\r\n\r\n{}".utf8))
    #expect(try framing.next() == nil)
  }

  /// What a session says to bytes, and what it ends with.
  private func session(_ bytes: [UInt8]) throws -> (code: Int32, said: [SyncJSON]) {
    let (input, output) = (Pipe(), Pipe())
    try input.fileHandleForWriting.write(contentsOf: Data(bytes))
    try input.fileHandleForWriting.close()
    var session = LanguageServerSession(
      input: input.fileHandleForReading, output: output.fileHandleForWriting)
    let code = try session.run()
    try output.fileHandleForWriting.close()
    var framing = MessageFraming()
    framing.append(output.fileHandleForReading.readDataToEndOfFile())
    var said: [SyncJSON] = []
    while let message = try framing.next() { said.append(try SyncJSON(parsing: message)) }
    return (code, said)
  }

  @Test func sessionExitCodeReflectsOrderlyShutdown() throws {
    let begin = MessageFraming.framed(["id": 1, "method": "initialize", "params": [:]])
    let rest =
      MessageFraming.framed(["id": 2, "method": "shutdown"]) + MessageFraming.framed(["method": "exit"])
    #expect(try session(begin + rest).code == 0)
    #expect(try session(begin).code == 1, "the editor is gone")
    #expect(try session([]).code == 1)
    #expect(throws: Mistake.self) { try session(begin + Array("what?\n\n".utf8)) }
  }

  @Test func invalidJSONMessageGetsParseError() throws {
    let begin = MessageFraming.framed(["id": 1, "method": "initialize", "params": [:]])
    let (code, said) = try session(Array("Content-Length: 3\r\n\r\n{]}".utf8) + begin)
    #expect(code == 1)
    #expect(said.count == 2)
    #expect(said.contains { $0["error"]?["code"] == -32700 && $0["id"]?.isNull == true })
    #expect(said.contains { $0["result"] != nil })
  }
}
