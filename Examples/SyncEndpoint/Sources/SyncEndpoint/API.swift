import Foundation
import Syncline

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A model whose edits can be sent to the server.
protocol Editable: SyncUpdatableModel where SyncID == Int {
  /// The server's name for the rows of the model.
  static var list: String { get }
}

extension Project: Editable {
  static let list = "projects"
}

extension Task: Editable {
  static let list = "tasks"
}

/// A client of the server's only endpoint, over HTTP.
struct API: Sendable {
  /// The body of a response, with the values that the client needs before it syncs the body.
  struct Changes: Sendable {
    let body: Data
    /// The token for the next request, with which the server sends only later changes.
    let token: String?
    /// Whether the body contains all rows, and not only changed ones.
    let isFull: Bool
  }

  private let root: URL

  init(root: URL) { self.root = root }

  /// Requests the changes since a token, or all rows if the token is nil.
  func changes(since token: String?) async throws -> Changes {
    let (body, status) = try await respond(to: request("GET", token.map { "sync?token=\($0)" } ?? "sync"))
    guard status == 200, let members = try SyncJSON(parsing: body).object else {
      throw URLError(.badServerResponse)
    }
    for (key, value) in members { print("  \(key): \(value)") }
    return Changes(
      body: body, token: members["sync_token"]?.string, isFull: members["full_sync"]?.bool ?? false)
  }

  /// Sends an edit as a command. If it throws, the same edit is sent again later, with the same key.
  func send<Model: Editable>(_ change: SyncPendingChange<Model>) async throws -> SyncPushOutcome<Model> {
    var command = SyncJSONObject()
    // With the key, the server recognizes a command that it has already applied.
    command["key"] = .string(change.key)
    command["action"] = .string(change.kind.rawValue)
    command["list"] = .string(Model.list)
    if change.kind != .insert { command["id"] = SyncJSON(change.id) }
    if change.kind != .delete { command["values"] = try SyncJSON(parsing: change.body) }
    var request = try request("POST", "sync")
    request.httpBody = try SyncJSON.object(command).data()
    let (body, status) = try await respond(to: request)
    let words = ["action", "list", "id", "values"].compactMap { key in
      command[key].map { $0.string ?? $0.description }
    }
    print("  \(words.joined(separator: " ")): \(status) \(String(decoding: body, as: UTF8.self))")
    guard status == 200 else { return SyncPushOutcome(status: status, body: body, for: change) }
    // The response contains no rows, and for a new row only the identity.
    guard change.kind == .insert, let id = try SyncJSON(parsing: body)["id"]?.int else { return .confirmed }
    return .confirmedAs(id)
  }

  // MARK: HTTP

  private func request(_ method: String, _ address: String) throws -> URLRequest {
    guard let url = URL(string: address, relativeTo: root)?.absoluteURL else { throw URLError(.badURL) }
    var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    request.httpMethod = method
    return request
  }

  private func respond(to request: URLRequest) async throws -> (body: Data, status: Int) {
    let (body, answer) = try await URLSession.shared.data(for: request)
    guard let status = (answer as? HTTPURLResponse)?.statusCode else { throw URLError(.badServerResponse) }
    return (body, status)
  }
}
