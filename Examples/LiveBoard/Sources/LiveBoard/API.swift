import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The API, asked over HTTP.
struct API: Sendable {
  let root: URL

  /// What the server answered in place of what was asked for.
  struct Failure: LocalizedError {
    let status: Int
    var errorDescription: String? { "the server answered \(status)" }
  }

  /// How the server is to answer.
  enum Mood: String {
    case normal = ""
    case slow = "?slow"
    case failing = "?failing"
  }

  func tasks(_ mood: Mood) async throws -> Data {
    try await send("GET", "api/projects/1/tasks\(mood.rawValue)")
  }
  func archive(page: Int) async throws -> Data { try await send("GET", "api/archive/\(page)") }
  func advance() async throws -> Data { try await send("POST", "api/tasks/next") }
  func add() async throws -> Data { try await send("POST", "api/tasks") }

  private func send(_ method: String, _ path: String) async throws -> Data {
    guard let url = URL(string: path, relativeTo: root) else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.httpMethod = method
    // A slow answer takes as long as the user has patience.
    request.timeoutInterval = 86_400
    let (data, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { throw Failure(status: status) }
    return data
  }
}
