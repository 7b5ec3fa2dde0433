import FlyingFox
import FlyingSocks
import Foundation

/// An HTTP server on this machine, with the API.
enum Server {
  /// Starts the server on a free port.
  ///
  /// - Returns: the URL of the server.
  static func start(_ service: Service) async throws -> URL {
    let server = HTTPServer(
      config: .init(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled))
    await server.appendRoute("GET /issues") { request in
      let page = number("page", in: request) ?? 1
      let length = number("per_page", in: request) ?? 30
      switch await service.fault(ofPage: page) {
      case .busy:
        var fields = HTTPHeaders()
        fields[HTTPHeader("Retry-After")] = "0"
        return HTTPResponse(statusCode: .serviceUnavailable, headers: fields)
      case .broken: return HTTPResponse(statusCode: .internalServerError)
      case nil: break
      }
      let (body, count) = await service.page(page, length: length)
      var fields = HTTPHeaders()
      if page < count {
        let address = { (page: Int) in "</issues?page=\(page)&per_page=\(length)>" }
        fields[HTTPHeader("Link")] = #"\#(address(page + 1)); rel="next", \#(address(count)); rel="last""#
      } else {
        fields[HTTPHeader("Sync-Token")] = await service.token
      }
      return answer(request, body, fields)
    }
    await server.appendRoute("GET /issues/changes") { request in
      guard let body = await service.changes(since: request.query["since"] ?? "") else {
        return HTTPResponse(statusCode: .gone)
      }
      return answer(request, body)
    }
    await server.appendRoute("GET /users") { request in answer(request, await service.allUsers()) }
    _Concurrency.Task { try await server.run() }
    try await server.waitUntilListening()
    guard case .ip4(_, let port) = await server.listeningAddress,
      let url = URL(string: "http://127.0.0.1:\(port)/")
    else { throw URLError(.cannotConnectToHost) }
    return url
  }

  private static func number(_ name: String, in request: HTTPRequest) -> Int? {
    request.query[name].flatMap { Int($0) }.map { max(1, $0) }
  }

  /// A response with the body, or with status 304 if the client already has the same body.
  private static func answer(
    _ request: HTTPRequest, _ body: Data, _ fields: HTTPHeaders = [:]
  ) -> HTTPResponse {
    let tag = #""\#(fingerprint(body))""#
    var fields = fields
    fields[.eTag] = tag
    if request.headers[.ifNoneMatch] == tag {
      return HTTPResponse(statusCode: .notModified, headers: fields)
    }
    fields[.contentType] = "application/json"
    return HTTPResponse(statusCode: .ok, headers: fields, body: body)
  }

  /// A hash of the bytes, as a string (FNV-1a).
  private static func fingerprint(_ bytes: Data) -> String {
    let hash = bytes.reduce(into: UInt64(14_695_981_039_346_656_037)) { hash, byte in
      hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211
    }
    return String(hash, radix: 16)
  }
}
