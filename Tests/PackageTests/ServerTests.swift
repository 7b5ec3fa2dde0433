import Foundation
import TestRuns
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension OutsidePackageTests {
  /// The example that is a server. Hummingbird takes about five minutes to build, so this runs only if the environment
  /// variable `SYNCLINE_SERVER` is set: `SYNCLINE_SERVER=1 swift test --filter ServerTests`.
  @Suite(.enabled(if: ProcessInfo.processInfo.environment["SYNCLINE_SERVER"] != nil))
  struct ServerTests {
    private let package = Shell.package.appending(path: "Examples/Server")

    @Test func serverServesNotesAndStopsWithConnectedClient() async throws {
      let build = try Shell.swift("build", package: package)
      // Its own warnings: a package that it depends on has a file of no use.
      let isWarned = build.output.contains(/Server\/Sources\/.*warning:/)
      #expect(build.status == 0 && !isWarned, "\(build.output)")
      let folder = try TemporaryFolder()
      let server = try RunningServer(store: folder.url.appending(path: "notes.sqlite"))

      let follower = Follower(server.address("events"))
      try await follower.wait(for: "data: []\n\n")
      try await importNotes(into: server)
      try await follower.wait(for: #"{"id":1,"title":"Note 1"}"#)
      try await readPages(of: server)
      try await readAndChangeANote(of: server)
      try await follower.wait(for: #"{"id":7,"title":"New"}"#)

      server.terminate()
      try await follower.waitForEnd()
      #expect(server.end() == 0)
    }

    private func importNotes(into server: RunningServer) async throws {
      let notes = (1...45).map {
        #"{"id": \#($0), "title": "Note \#($0)", "notebook": {"id": 1, "name": "Home"}}"#
      }
      let report = try await server.send("POST", "import", "[\(notes.joined(separator: ","))]")
      #expect(report.status == 200)
      let models = try #require(try report.object["models"] as? [String: [String: Int]])
      #expect(models["Note"]?["inserted"] == 45 && models["Notebook"]?["inserted"] == 1)
      let refused = try await server.send(
        "POST", "import", #"[{"id": 1, "title": "Other"}, {"id": 2, "title": []}]"#)
      #expect(
        refused.status == 422 && refused.text.contains("is not a valid String: a list"), "\(refused.text)")
    }

    private func readPages(of server: RunningServer) async throws {
      var path = "notes"
      var identities: [[Int]] = []
      while true {
        let page = try await server.send("GET", path)
        let notes = try #require(try page.object["notes"] as? [[String: Any]])
        identities.append(notes.compactMap { $0["id"] as? Int })
        guard let cursor = try page.object["cursor"] as? String else { break }
        path = "notes?cursor=\(cursor)"
      }
      #expect(identities == [Array(1...20), Array(21...40), Array(41...45)])
      #expect(try await server.send("GET", "notes?cursor=x").status == 400)

      let tag = try await server.send("GET", path).tag
      let same = try await server.send("GET", path, ifNoneMatch: tag)
      #expect(tag != nil && same.status == 304 && same.text.isEmpty && same.tag == tag)
      #expect(try await server.send("GET", "notes", ifNoneMatch: tag).status == 200)
    }

    private func readAndChangeANote(of server: RunningServer) async throws {
      let before = try await server.send("GET", "notes/7")
      #expect(
        before.text
          == #"{"id":7,"title":"Note 7","text":"","updated_at":null,"notebook":{"id":1,"name":"Home"}}"#)
      #expect(try await server.send("GET", "notes/46").status == 404)
      #expect(try await server.send("PATCH", "notes/46", #"{"title": "New"}"#).status == 404)
      for (body, reason) in [
        (#"{"title": []}"#, "“title” is not a valid String: a list (at title, identity 7)"),
        ("[]", "an item is an object, not a list"), ("{", "Invalid payload"),
      ] {
        let refused = try await server.send("PATCH", "notes/7", body)
        #expect(refused.status == 422 && refused.text.contains(reason), "\(refused.text)")
      }
      #expect(try await server.send("GET", "notes/7").text == before.text)

      // The path names the note.
      let changed = try await server.send("PATCH", "notes/7", #"{"id": 8, "title": "New", "notebook": null}"#)
      #expect(changed.text == #"{"id":7,"title":"New","text":"","updated_at":null,"notebook":null}"#)
      #expect(try await server.send("GET", "notes/7").text == changed.text)
    }
  }
}

/// The server as a process that listens on a free port.
private final class RunningServer {
  private let process = Process()
  private let root: URL

  init(store: URL) throws {
    process.executableURL = Shell.buildFolder.appending(path: "debug/Server")
    process.arguments = ["0", store.path]
    let log = Pipe()
    process.standardError = log
    try process.run()
    var text = ""
    while true {
      let some = Shell.readSome(log.fileHandleForReading)
      text += String(decoding: some, as: UTF8.self)
      if let port = text.firstMatch(of: /listening on 127\.0\.0\.1:(\d+)\n/)?.1 {
        root = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        return
      }
      try #require(!some.isEmpty, "\(text)")
    }
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  func address(_ path: String) -> URL { URL(string: path, relativeTo: root) ?? root }

  struct Answer {
    let status: Int
    let tag: String?
    let body: Data
    var text: String { String(decoding: body, as: UTF8.self) }
    var object: [String: Any] {
      get throws { try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any]) }
    }
  }

  func send(
    _ method: String, _ path: String, _ body: String? = nil, ifNoneMatch tag: String? = nil
  ) async throws -> Answer {
    var request = URLRequest(url: address(path), cachePolicy: .reloadIgnoringLocalCacheData)
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    request.setValue(tag, forHTTPHeaderField: "If-None-Match")
    let (data, response) = try await URLSession.shared.data(for: request)
    let answer = try #require(response as? HTTPURLResponse)
    return Answer(status: answer.statusCode, tag: answer.value(forHTTPHeaderField: "ETag"), body: data)
  }

  /// Sends SIGTERM.
  func terminate() { process.terminate() }

  /// Waits until the process exits, and returns its status.
  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// A client that follows an address.
private final class Follower: NSObject, URLSessionDataDelegate {
  /// What the server sends, until it ends the response. Throws if the connection breaks off.
  private let parts: AsyncThrowingStream<String, any Error>
  private let continuation: AsyncThrowingStream<String, any Error>.Continuation

  init(_ address: URL) {
    (parts, continuation) = AsyncThrowingStream.makeStream()
    super.init()
    let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
    session.dataTask(with: address).resume()
    session.finishTasksAndInvalidate()
  }

  /// Reads until a text comes.
  func wait(for text: String) async throws {
    var received = ""
    for try await part in parts {
      received += part
      if received.contains(text) { return }
    }
    Issue.record("“\(text)” did not come: \(received)")
  }

  /// Reads until the end.
  func waitForEnd() async throws {
    for try await _ in parts {}
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    continuation.yield(String(decoding: data, as: UTF8.self))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    continuation.finish(throwing: error)
  }
}
