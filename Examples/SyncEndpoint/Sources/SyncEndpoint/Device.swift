import Foundation
import Syncline

/// A device with a store of its own.
struct Device: Sendable {
  let api: API
  let container: SyncContainer

  init(server root: URL) throws {
    api = API(root: root)
    // In an app, use a file, so that rows, edits and the token are still there after a restart.
    container = try SyncContainer(for: SyncEndpointSchema.self, storage: .inMemory)
  }

  /// Sends the edits, and then requests the changes. The server may have changed the edited rows, too.
  func sync() async throws {
    try await push()
    try await pull()
  }

  /// Requests and syncs the changes since the last call.
  ///
  /// - Returns: the report of the sync.
  @discardableResult
  func pull() async throws -> SyncReport {
    // The token of the whole body is stored for the model of the first part below.
    let token = try await container.cursor(for: Task.self)
    let moment = container.moment
    let changes = try await api.changes(since: token)
    let response = SyncResponse(changes.body, cursor: changes.token)
    let report = try await container.sync(payload: response, requestedAt: moment) {
      if changes.isFull {
        // The body contains all tasks, so missing ones are deleted.
        $0.list("tasks.created", as: Task.self)
      } else {
        $0.changes("tasks", as: Task.self)
      }
      // These parts are absent if they have not changed, which deletes nothing.
      $0.list("projects", as: Project.self)
      $0.item("user", as: User.self)
    }
    show(report)
    return report
  }

  /// Sends all edits. Syncline chooses the order: a new project before its tasks, deletions last.
  func push() async throws {
    let report = try await container.drainPendingChanges {
      SyncPush(Project.self) { try await api.send($0) }
      SyncPush(Task.self) { try await api.send($0) }
    }
    print("  → \(report.confirmed) confirmed\n")
  }

  private func show(_ report: SyncReport) {
    let counts = [
      (report.inserted, "inserted"), (report.updated, "updated"), (report.unchanged, "unchanged"),
      (report.deleted, "deleted"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    print("  → \(counts.isEmpty ? "nothing new" : counts.joined(separator: ", "))\n")
  }
}
