import Syncline

/// Keeps a store up to date with the server.
struct IssueSync: Sendable {
  let api: IssuesAPI
  let container: SyncContainer

  /// Syncs the issues. Depending on the stored cursor, it requests only the changes, the remaining pages of
  /// an interrupted run, or all pages.
  func issues() async throws -> SyncReport {
    let cursor = try await container.cursor(for: Issue.self)
    guard let token = cursor.flatMap(IssuesAPI.token(in:)) else { return try await pages(from: cursor) }
    // If the server no longer knows the token, all pages are requested.
    guard let changes = try await api.changes(since: token) else { return try await pages(from: nil) }
    return try await container.sync(changes: changes, as: Issue.self)
  }

  private func pages(from cursor: String?) async throws -> SyncReport {
    try await container.sync(pages: api.issues(from: cursor), as: Issue.self)
  }

  /// Syncs the users, if they have changed on the server.
  func users() async throws -> SyncReport {
    let validator = try await container.validator(for: User.self)
    guard let response = try await api.users(newerThan: validator) else { return SyncReport() }
    return try await container.sync(payload: response, as: User.self)
  }
}
