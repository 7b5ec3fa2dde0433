import Foundation

#if Server
  import AsyncHTTPClient
#endif
#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An HTTP client.
protocol HTTP: Sendable {
  /// Requests a URL.
  ///
  /// - Returns: the response, with any status.
  /// - Throws: the transport's error if there is no response.
  func get(_ url: URL, fields: [(name: String, value: String)]) async throws -> Response
}

/// A response of the server.
struct Response: Sendable {
  let status: Int
  let body: Data
  private let fields: [String: String]

  /// - Parameter fields: the names and values of the header fields. The values of a repeated field are joined
  ///   by commas.
  init(status: Int, fields: [(String, String)], body: Data) {
    self.status = status
    self.body = body
    self.fields = Dictionary(
      fields.map { ($0.0.lowercased(), $0.1) }, uniquingKeysWith: { "\($0), \($1)" })
  }

  /// The value of a header field, ignoring the letter case of its name.
  subscript(name: String) -> String? { fields[name.lowercased()] }
}

/// An HTTP client for apps, based on `URLSession`.
struct SessionHTTP: HTTP {
  func get(_ url: URL, fields: [(name: String, value: String)]) async throws -> Response {
    // The store already contains the previous response. Another cache would hide the status 304.
    var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    for field in fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
    let (body, answer) = try await URLSession.shared.data(for: request)
    guard let response = answer as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    return Response(
      status: response.statusCode, fields: response.allHeaderFields.map { ("\($0.key)", "\($0.value)") },
      body: body)
  }
}

#if Server
  /// An HTTP client for servers, based on AsyncHTTPClient.
  struct AsyncHTTP: HTTP {
    /// The maximum size of a page, in bytes.
    private static let limit = 16 << 20

    func get(_ url: URL, fields: [(name: String, value: String)]) async throws -> Response {
      var request = HTTPClientRequest(url: url.absoluteString)
      for field in fields { request.headers.add(name: field.name, value: field.value) }
      let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
      // The body is read even if the request failed, so that the connection can be reused.
      let body = try await response.body.collect(upTo: AsyncHTTP.limit)
      return Response(
        status: Int(response.status.code), fields: response.headers.map { ($0.name, $0.value) },
        body: Data(body.readableBytesView))
    }
  }
#endif
