import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client of the API over HTTP.
struct API: Sendable {
  let root: URL

  /// The error of a response that does not contain the requested rows.
  struct Failure: LocalizedError {
    let status: Int
    var errorDescription: String? { "the server answered \(status)" }
  }

  /// How the server should respond to the next request.
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
    // A slow response never ends by itself: the user has to cancel the request.
    request.timeoutInterval = 86_400
    let (data, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { throw Failure(status: status) }
    return data
  }
}
