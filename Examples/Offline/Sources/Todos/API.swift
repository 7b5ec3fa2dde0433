import Foundation
import Syncline

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A model of the API.
protocol Resource: SyncUpdatableModel {
  /// The URL path of the model's rows.
  static var path: String { get }
  /// The version of the row, for the header field `If-Match`; nil if the model has no versions.
  var version: String? { get }
}

extension Resource {
  var version: String? { nil }
}

extension TodoList: Resource {
  static let path = "lists"
}

extension Label: Resource {
  static let path = "labels"
}

extension Todo: Resource {
  static let path = "todos"
  var version: String? { updatedAt.map { "\"\($0.ISO8601Format())\"" } }
}

/// A client of the API over HTTP, whose connection can fail.
actor API {
  private struct Response: Sendable {
    let status: Int
    let body: Data
  }

  private let root: URL
  private var isConnected = true
  private var losesNextAnswer = false
  private var keys: [String] = []

  init(root: URL) { self.root = root }

  /// All rows of a model, as JSON.
  func rows(at path: String) async throws -> Data {
    let response = try await respond(to: request("GET", path))
    guard response.status == 200 else { throw URLError(.badServerResponse) }
    return response.body
  }

  /// Sends a change, and returns its outcome. If it throws, the same change is sent again later.
  func send<Model: Resource>(_ change: SyncPendingChange<Model>) async throws -> SyncPushOutcome<Model> {
    let path = change.kind == .insert ? Model.path : "\(Model.path)/\(change.id)"
    var request = request(change.method, path)
    // With the key, the server recognizes a request that it has already processed.
    request.setValue(change.key, forHTTPHeaderField: "Idempotency-Key")
    // The server rejects the change if its row is newer than the version that was edited here.
    request.setValue(change.base?.version, forHTTPHeaderField: "If-Match")
    if change.kind != .delete { request.httpBody = change.body }
    let response = try await respond(to: request)
    let line = "  \(change.method) /\(path), key \(number(of: change.key)):"
    if losesNextAnswer {
      losesNextAnswer = false
      print(line, "the answer is lost")
      throw URLError(.networkConnectionLost)
    }
    print(line, response.status)
    return SyncPushOutcome(status: response.status, body: response.body, for: change)
  }

  // MARK: Failures

  func disconnect() { isConnected = false }

  func connect() { isConnected = true }

  /// Loses the response to the next change: the server applies the change, but the device does not know it.
  func loseNextAnswer() { losesNextAnswer = true }

  // MARK: HTTP

  private func request(_ method: String, _ path: String) -> URLRequest {
    var request = URLRequest(url: root.appending(path: path), cachePolicy: .reloadIgnoringLocalCacheData)
    request.httpMethod = method
    return request
  }

  private func respond(to request: URLRequest) async throws -> Response {
    // After this error, a drain sends no other change in the same round.
    guard isConnected else { throw URLError(.notConnectedToInternet) }
    return try await API.load(request)
  }

  private static func load(_ request: URLRequest) async throws -> Response {
    let (body, answer) = try await URLSession.shared.data(for: request)
    guard let status = (answer as? HTTPURLResponse)?.statusCode else { throw URLError(.badServerResponse) }
    return Response(status: status, body: body)
  }

  /// A short number to print instead of the random key.
  private func number(of key: String) -> Int {
    if let index = keys.firstIndex(of: key) { return index + 1 }
    keys.append(key)
    return keys.count
  }
}
