import FlyingFox
import FlyingSocks
import Foundation

/// An HTTP server on this machine, with the API and the page.
enum Server {
  /// The duration of a slow response, which is longer than any user waits.
  private static let slowness = Duration.seconds(86_400)

  /// Starts the server on a free port.
  ///
  /// - Returns: the URL of the server.
  static func start(_ service: Service, page: Page) async throws -> URL {
    let server = HTTPServer(
      config: .init(
        address: try .inet(ip4: "127.0.0.1", port: 0), timeout: 86_400, logger: .disabled))
    await server.appendRoute("GET /api/projects/1/tasks") { request in
      let query = Set(request.query.map(\.name))
      if query.contains("slow") { try await _Concurrency.Task.sleep(for: slowness) }
      if query.contains("failing") { return HTTPResponse(statusCode: .serviceUnavailable) }
      return json(await service.list())
    }
    await server.appendRoute("GET /api/archive/:page") { (page: Int) in
      json(await service.archive(page: page))
    }
    await server.appendRoute("POST /api/tasks/next") { _ in
      await service.advance().map(json) ?? HTTPResponse(statusCode: .notFound)
    }
    await server.appendRoute("POST /api/tasks") { _ in json(await service.add()) }
    await server.appendRoute("POST /board/:action") { (action: String) in
      let task = action == "add" ? await service.add() : await service.advance()
      guard let task else { return HTTPResponse(statusCode: .notFound) }
      try await page.take(task)
      return json(task)
    }
    await server.appendRoute("GET /") { _ in
      HTTPResponse(
        statusCode: .ok, headers: [.contentType: "text/html; charset=utf-8"], body: Data(Page.html.utf8))
    }
    await server.appendRoute("GET /events") { _ in
      HTTPResponse(
        statusCode: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
        body: HTTPBodySequence(from: EventBytes(events: page.events)))
    }
    _Concurrency.Task { try await server.run() }
    try await server.waitUntilListening()
    guard case .ip4(_, let port) = await server.listeningAddress,
      let url = URL(string: "http://127.0.0.1:\(port)/")
    else { throw URLError(.cannotConnectToHost) }
    return url
  }

  private static func json(_ data: Data) -> HTTPResponse {
    HTTPResponse(statusCode: .ok, headers: [.contentType: "application/json"], body: data)
  }
}

/// An asynchronous sequence that encodes strings as server-sent events.
private struct EventBytes<Events: AsyncSequence & Sendable>: AsyncBufferedSequence
where Events.Element == String {
  let events: Events

  struct AsyncIterator: AsyncBufferedIteratorProtocol {
    var events: Events.AsyncIterator
    private var rest: ArraySlice<UInt8> = []

    init(_ events: Events.AsyncIterator) { self.events = events }

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
      if rest.isEmpty {
        guard let event = try await events.next() else { return nil }
        rest = ArraySlice("data: \(event)\n\n".utf8)
      }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events.makeAsyncIterator()) }
}
