import Foundation
import Syncline

/// Syncs three sets of payloads into an SQLite file, and prints the changes of each sync.
@main
struct Tracker {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../")
      .standardizedFileURL
    let file = folder.appending(path: "tracker.sqlite")
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: file.path + suffix)
    }
    let container = try SyncContainer(for: TrackerSchema.self, storage: .file(file))

    if let path = arguments.first {
      try await syncOwn(path, at: arguments.dropFirst().first, in: container)
    } else {
      try await demonstrate(folder.appending(path: "Payloads"), in: container)
    }
    print(
      """

      The store is \(file.path). Look into it with
        sqlite3 \(file.path) '.schema Task'
        sqlite3 -box \(file.path) 'SELECT id, title, state, project, assignee FROM Task'
        sqlite3 -box \(file.path) 'SELECT * FROM "Task.tags"'
      """)
  }

  private static func demonstrate(_ payloads: URL, in container: SyncContainer) async throws {
    func payload(_ name: String) throws -> Data {
      try Data(contentsOf: payloads.appending(path: name))
    }

    heading("Projects, users and tasks arrive. Rows nested in others are synced with them.")
    // The list is inside an envelope.
    print(
      try await container.sync(payload: payload("first/projects.json"), at: "data.items", as: Project.self))
    print(try await container.sync(payload: payload("first/users.json"), as: User.self))
    let first = try payload("first/tasks.json")
    print(try await container.sync(payload: first, as: Task.self, progress: ProgressBar.handler))

    heading("The same tasks again: nothing changed, so nothing is written.")
    print(try await container.sync(payload: payload("first/tasks.json"), as: Task.self))

    heading("Later: one task is new, one is gone, others changed their state, tags, project and assignee.")
    print(try await container.sync(payload: payload("later/tasks.json"), as: Task.self))

    heading("What a query reads.")
    let tasks = try await container.database.read { db in
      try Task.filter(Task.Columns.state == TaskState.open).order(Task.Columns.title).fetchAll(db)
    }
    for task in tasks { print("  \(task.id) \(task.title), project \(task.project?.id ?? 0)") }

    heading("One task as the API takes it.")
    let task = try await container.database.read { db in try Task.fetchOne(db, key: 100) }
    if let task { print(try await container.export(task).indented) }
  }

  private static func syncOwn(_ path: String, at keyPath: String?, in container: SyncContainer) async throws {
    heading("\(path), synced as tasks.")
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    print(try await container.sync(payload: data, at: keyPath, as: Task.self, progress: ProgressBar.handler))
    for task in try await container.export(as: Task.self).prefix(3) { print(task.indented) }
  }

  private static func heading(_ text: String) {
    print("\n— \(text)\n")
  }
}
