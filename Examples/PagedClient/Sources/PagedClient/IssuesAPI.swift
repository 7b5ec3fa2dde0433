import Foundation
import Syncline

/// The API of issues: what is asked for, and how its answers are read.
struct IssuesAPI: Sendable {
  let root: URL
  let http: any HTTP

  /// What the server answered in place of what was asked for.
  struct Failure: Error, CustomStringConvertible {
    let status: Int
    var description: String { "the server answered \(status)" }
  }

  /// How often a busy server is asked, and for how many seconds it may ask to be left alone.
  private static let attempts = 3
  private static let patience = 60.0

  /// What a stored cursor begins with that is a token. The others are addresses of pages.
  private static let since = "since="

  /// The token in a cursor; nil for the address of a page.
  static func token(in cursor: String) -> String? {
    cursor.hasPrefix(since) ? String(cursor.dropFirst(since.count)) : nil
  }

  /// All issues. The cursor of a page is the address of the next one; that of the last page is a token, by
  /// which the server tells later what has changed.
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

  /// What has changed since a token was given.
  ///
  /// - Returns: nil where the server does not know that any more.
  func changes(since token: String) async throws -> SyncResponse? {
    let value = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? token
    let response = try await get("/issues/changes?since=\(value)", accepting: [410])
    if response.status == 410 { return nil }
    let next = try SyncJSON(parsing: response.body)["token"]?.string
    return SyncResponse(response.body, cursor: next.map { IssuesAPI.since + $0 })
  }

  /// All users, in one answer.
  ///
  /// - Parameter validator: that of the answer which is stored.
  /// - Returns: nil where the server has none that is newer.
  func users(newerThan validator: SyncValidator?) async throws -> SyncResponse? {
    let response = try await get("/users", fields: validator?.requestFields ?? [], accepting: [304])
    if response.status == 304 { return nil }
    return SyncResponse(
      response.body,
      validator: SyncValidator(etag: response["ETag"], lastModified: response["Last-Modified"]))
  }

  /// Asks for what is at an address, again where the server is busy and says for how long.
  ///
  /// - Parameters:
  ///   - address: it may be relative, as links of servers are.
  ///   - statuses: what the caller understands besides 200.
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
