import Foundation
import Syncline

/// A device with a store of its own. Its user reads and edits the store, with or without a connection.
struct Device: Sendable {
  let api: API
  let container: SyncContainer

  init(server root: URL) throws {
    api = API(root: root)
    var configuration = SyncConfiguration()
    // Called if both the user and the server have changed a value. For notes the server's value is kept,
    // otherwise the edit.
    configuration.conflict = { conflict in
      print("  \(conflict.property): \(conflict.local) here, \(conflict.remote) on the server")
      return conflict.property == "note" ? .remote : .local
    }
    // In an app, use a file, so that edits are still there after a restart.
    container = try SyncContainer(
      for: TodosSchema.self, storage: .inMemory, configuration: configuration)
  }

  /// Syncs all rows: lists and labels before the to-dos that refer to them.
  ///
  /// - Returns: whether the store already had the same rows as the server.
  @discardableResult
  func pull() async throws -> Bool {
    let lists = try await pull(TodoList.self)
    let labels = try await pull(Label.self)
    let todos = try await pull(Todo.self)
    return lists.isUnchanged && labels.isUnchanged && todos.isUnchanged
  }

  private func pull<Model: Resource>(_ model: Model.Type) async throws -> SyncReport {
    let rows = try await api.rows(at: Model.path)
    let report = try await container.sync(payload: rows, as: model)
    let counts = report[model]
    let words = text([
      (counts.inserted, "inserted"), (counts.updated, "updated"), (counts.unchanged, "unchanged"),
      (counts.deleted, "deleted"), (counts.kept, "with edits that stay"),
      (counts.conflicts, "values in conflict"),
    ])
    print("  \(Model.path): \(words)")
    return report
  }

  /// Sends all edits. Syncline chooses the order: a new list before its to-dos, deletions last.
  func push() async throws {
    let report = try await container.drainPendingChanges(retry: .exponential(first: .milliseconds(10))) {
      SyncPush(TodoList.self) { try await api.send($0) }
      SyncPush(Label.self) { try await api.send($0) }
      SyncPush(Todo.self) { try await api.send($0) }
    }
    let words = text([
      (report.confirmed, "confirmed"), (report.conflicts, "in conflict"), (report.rejected, "rejected"),
      (report.unanswered, "lost"),
    ])
    print("  answers: \(words)")
  }

  /// The numbers that are not zero, each with its label.
  private func text(_ counts: [(Int, String)]) -> String {
    counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
