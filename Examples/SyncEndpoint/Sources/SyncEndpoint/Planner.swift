import Syncline

/// The screen and the actions of a user. Actions only write to the store, where Syncline records the edits.
extension Device {
  /// The projects with their tasks.
  func planText() async throws -> String {
    try await container.database.read { db in
      let user = try User.fetchOne(db)
      var lines: [String] = []
      for project in try Project.order(Project.Columns.name).fetchAll(db) {
        let isInbox = user?.inbox?.id == project.id
        lines.append(isInbox ? "  \(project.name) (the inbox of \(user?.name ?? ""))" : "  \(project.name)")
        for task in try project.tasks.order(Task.Columns.title).fetchAll(db) {
          lines.append("    \(task.isDone ? "[x]" : "[ ]") \(task.title)")
        }
      }
      return lines.joined(separator: "\n")
    }
  }

  /// Prints the edits that the server does not have, in the order in which they are sent.
  func showPending() async throws {
    for change in try await container.pendingChanges() { print("  \(change.kind.rawValue) \(change.model)") }
  }

  func addProject(_ name: String) async throws -> Project.ID {
    let project = Project(name: name)
    try await container.database.write { db in try project.insert(db) }
    return project.id
  }

  func addTask(_ title: String, to project: Project.ID) async throws {
    let task = Task(title: title, project: Reference(id: project))
    try await container.database.write { db in try task.insert(db) }
  }

  func finish(_ id: Task.ID) async throws {
    try await container.database.write { db in
      guard var task = try Task.fetchOne(db, id: id) else { return }
      task.isDone = true
      try task.update(db)
    }
  }

  func delete(_ id: Task.ID) async throws {
    _ = try await container.database.write { db in try Task.deleteOne(db, id: id) }
  }
}
