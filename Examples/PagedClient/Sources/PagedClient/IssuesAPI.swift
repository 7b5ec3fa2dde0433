import Foundation
import Syncline

/// A client of the issues API.
struct IssuesAPI: Sendable {
  let root: URL
  let http: any HTTP

  /// The error of a response that does not contain the requested rows.
  struct Failure: Error, CustomStringConvertible {
    let status: Int
    var description: String { "the server answered \(status)" }
  }

  /// The number of attempts if the server is busy, and the maximum number of seconds between two attempts.
  private static let attempts = 3
  private static let patience = 60.0

  /// The prefix of stored cursors that are tokens. All other cursors are URLs of pages.
  private static let since = "since="

  /// The token in a cursor; nil if the cursor is the URL of a page.
  static func token(in cursor: String) -> String? {
    cursor.hasPrefix(since) ? String(cursor.dropFirst(since.count)) : nil
  }

  /// The pages of all issues. The cursor of a page is the URL of the next page. The cursor of the last page
  /// is a token with which later changes can be requested.
  func issues(from cursor: String?) -> SyncPages {
    SyncPages(startingAt: cursor) { address in
      let response = try await get(address ?? "/issues?per_page=10")
      if let next = SyncHTTP.link("next", in: response["Link"]) {
        return SyncPage(response.body, cursor: next)
      }
      return SyncPage(
        response.body, cursor: response["Sync-Token"].map { IssuesAPI.since + $0 }, isLast: true)
    }
  }

  /// Requests the changes since a token.
  ///
  /// - Returns: nil if the server no longer accepts the token.
  func changes(since token: String) async throws -> SyncResponse? {
    let value = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? token
    let response = try await get("/issues/changes?since=\(value)", accepting: [410])
    if response.status == 410 { return nil }
    let next = try SyncJSON(parsing: response.body)["token"]?.string
    return SyncResponse(response.body, cursor: next.map { IssuesAPI.since + $0 })
  }

  /// Requests all users, which are in one response.
  ///
  /// - Parameter validator: the validator of the stored response.
  /// - Returns: nil if the response has not changed.
  func users(newerThan validator: SyncValidator?) async throws -> SyncResponse? {
    let response = try await get("/users", fields: validator?.requestFields ?? [], accepting: [304])
    if response.status == 304 { return nil }
    return SyncResponse(
      response.body,
      validator: SyncValidator(etag: response["ETag"], lastModified: response["Last-Modified"]))
  }

  /// Requests a URL, and repeats the request if the server is busy and states a delay.
  ///
  /// - Parameters:
  ///   - address: the URL, which may be relative.
  ///   - statuses: the statuses other than 200 that the caller handles.
  private func get(
    _ address: String, fields: [(name: String, value: String)] = [], accepting statuses: Set<Int> = []
  ) async throws -> Response {
    guard let url = URL(string: address, relativeTo: root)?.absoluteURL else { throw URLError(.badURL) }
    var attempt = 1
    while true {
      let response = try await http.get(url, fields: fields)
      print("  \(response.status) \(address)")
      if response.status == 200 || statuses.contains(response.status) { return response }
      guard [429, 503].contains(response.status), attempt < IssuesAPI.attempts,
        let delay = SyncHTTP.delay(retryAfter: response["Retry-After"]), delay <= IssuesAPI.patience
      else { throw Failure(status: response.status) }
      try await _Concurrency.Task.sleep(for: .seconds(delay))
      attempt += 1
    }
  }
}
