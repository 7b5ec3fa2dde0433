import Foundation

#if Server
  import AsyncHTTPClient
#endif
#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the client needs of HTTP.
protocol HTTP: Sendable {
  /// Asks for what is at an address.
  ///
  /// - Returns: the answer, whatever its status is.
  /// - Throws: the transport's error where there is no answer.
  func get(_ url: URL, fields: [(name: String, value: String)]) async throws -> Response
}

/// What a server answered.
struct Response: Sendable {
  let status: Int
  let body: Data
  private let fields: [String: String]

  /// - Parameter fields: names and values. One that comes more than once is joined by commas.
  init(status: Int, fields: [(String, String)], body: Data) {
    self.status = status
    self.body = body
    self.fields = Dictionary(
      fields.map { ($0.0.lowercased(), $0.1) }, uniquingKeysWith: { "\($0), \($1)" })
  }

  /// The value of a field, in any letter case of its name.
  subscript(name: String) -> String? { fields[name.lowercased()] }
}

/// HTTP by `URLSession`, as apps use it.
struct SessionHTTP: HTTP {
  func get(_ url: URL, fields: [(name: String, value: String)]) async throws -> Response {
    // The store has what was answered before. A cache beside it would answer itself, and hide a 304.
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
  /// HTTP by AsyncHTTPClient, as servers use it.
  struct AsyncHTTP: HTTP {
    /// How many bytes a page may have.
    private static let limit = 16 << 20

    func get(_ url: URL, fields: [(name: String, value: String)]) async throws -> Response {
      var request = HTTPClientRequest(url: url.absoluteString)
      for field in fields { request.headers.add(name: field.name, value: field.value) }
      let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
      // Also the body of a failure is read, so that the connection can be used again.
      let body = try await response.body.collect(upTo: AsyncHTTP.limit)
      return Response(
        status: Int(response.status.code), fields: response.headers.map { ($0.name, $0.value) },
        body: Data(body.readableBytesView))
    }
  }
#endif
