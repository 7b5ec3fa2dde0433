import Foundation
import Syncline

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A model whose edits the server accepts.
protocol Editable: SyncUpdatableModel where SyncID == Int {
  /// The name of its rows on the server.
  static var list: String { get }
}

extension Project: Editable {
  static let list = "projects"
}

extension Task: Editable {
  static let list = "tasks"
}

/// The server's one endpoint, over HTTP.
struct API: Sendable {
  /// The body of a sync, and what the client must know of it before it is synced.
  struct Changes: Sendable {
    let body: Data
    /// What the next request sends, so that the server answers with what has changed since.
    let token: String?
    /// Whether the server sent all rows, and not only those that have changed.
    let isFull: Bool
  }

  private let root: URL

  init(root: URL) { self.root = root }

  /// Requests what has changed since a token; everything if it is nil.
  func changes(since token: String?) async throws -> Changes {
    let (body, status) = try await respond(to: request("GET", token.map { "sync?token=\($0)" } ?? "sync"))
    guard status == 200, let members = try SyncJSON(parsing: body).object else {
      throw URLError(.badServerResponse)
    }
    for (key, value) in members { print("  \(key): \(value)") }
    return Changes(
      body: body, token: members["sync_token"]?.string, isFull: members["full_sync"]?.bool ?? false)
  }

  /// Sends an edit as a command. If this throws, the edit is sent again as it was, with the same key.
  func send<Model: Editable>(_ change: SyncPendingChange<Model>) async throws -> SyncPushOutcome<Model> {
    var command = SyncJSONObject()
    // By the key, the server recognizes a command that it has applied before.
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
    // The server does not answer with rows. Of a new row it says only the identity.
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
