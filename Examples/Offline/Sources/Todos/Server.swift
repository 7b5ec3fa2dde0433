import FlyingFox
import FlyingSocks
import Foundation

/// Serves the API on this machine.
enum Server {
  /// Starts to serve at any free port.
  ///
  /// - Returns: the address.
  static func start(_ service: Service) async throws -> URL {
    let server = HTTPServer(
      config: .init(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled))
    await server.appendRoute("*") { request in
      let body = try await request.bodyData
      let answer = await service.answer(
        Service.Request(
          method: request.method.rawValue, path: request.path, body: body,
          key: request.headers[HTTPHeader("Idempotency-Key")],
          version: request.headers[HTTPHeader("If-Match")]))
      let status = HTTPStatusCode(answer.status, phrase: answer.status < 400 ? "OK" : "Error")
      return HTTPResponse(statusCode: status, body: answer.body)
    }
    Task { try await server.run() }
    try await server.waitUntilListening()
    guard case .ip4(_, let port) = await server.listeningAddress,
      let url = URL(string: "http://127.0.0.1:\(port)/")
    else { throw URLError(.cannotConnectToHost) }
    return url
  }
}
