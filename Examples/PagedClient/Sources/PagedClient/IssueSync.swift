import Syncline

/// Keeps a store as the server is.
struct IssueSync: Sendable {
  let api: IssuesAPI
  let container: SyncContainer

  /// Brings the issues up to date, as the stored cursor allows: by what has changed, by the rest of a run
  /// that was interrupted, or by all pages.
  func issues() async throws -> SyncReport {
    let cursor = try await container.cursor(for: Issue.self)
    guard let token = cursor.flatMap(IssuesAPI.token(in:)) else { return try await pages(from: cursor) }
    // What a server cannot tell any more is seen by reading all.
    guard let changes = try await api.changes(since: token) else { return try await pages(from: nil) }
    return try await container.sync(changes: changes, as: Issue.self)
  }

  private func pages(from cursor: String?) async throws -> SyncReport {
    try await container.sync(pages: api.issues(from: cursor), as: Issue.self)
  }

  /// Brings the users up to date, where the server has newer ones than those that are stored.
  func users() async throws -> SyncReport {
    let validator = try await container.validator(for: User.self)
    guard let response = try await api.users(newerThan: validator) else { return SyncReport() }
    return try await container.sync(payload: response, as: User.self)
  }
}
