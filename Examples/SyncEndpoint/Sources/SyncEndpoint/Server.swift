import FlyingFox
import FlyingSocks
import Foundation

/// An HTTP server on this machine, with the endpoint.
enum Server {
  /// Starts the server on a free port.
  ///
  /// - Returns: the URL of the server.
  static func start(_ service: Service) async throws -> URL {
    let server = HTTPServer(
      config: .init(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled))
    await server.appendRoute("GET /sync") { request in
      let body = await service.changes(since: request.query["token"])
      return HTTPResponse(statusCode: .ok, headers: [.contentType: "application/json"], body: body)
    }
    await server.appendRoute("POST /sync") { request in
      let command = try await request.bodyData
      let answer = await service.answer(command)
      return HTTPResponse(
        statusCode: HTTPStatusCode(answer.status, phrase: answer.status == 200 ? "OK" : "Error"),
        headers: [.contentType: "application/json"], body: answer.body)
    }
    _Concurrency.Task { try await server.run() }
    try await server.waitUntilListening()
    guard case .ip4(_, let port) = await server.listeningAddress,
      let url = URL(string: "http://127.0.0.1:\(port)/")
    else { throw URLError(.cannotConnectToHost) }
    return url
  }
}
