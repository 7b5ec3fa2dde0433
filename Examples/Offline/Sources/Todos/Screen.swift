import Syncline

/// Prints the store as a user would see it.
extension Device {
  /// The lists with their to-dos.
  func listText() async throws -> String {
    try await container.database.read { db in
      var lines: [String] = []
      for list in try TodoList.order(TodoList.Columns.name).fetchAll(db) {
        lines.append("  \(list.name)")
        for todo in try list.todos.order(Todo.Columns.title).fetchAll(db) {
          let labels = try todo.labels.order(Label.Columns.name).fetchAll(db).map(\.name)
          let words: [String] = [
            todo.isDone ? "[x]" : "[ ]", todo.title, todo.note.map { "– \($0)" } ?? "",
            labels.isEmpty ? "" : "(\(labels.joined(separator: ", ")))",
          ]
          lines.append("    " + words.filter { !$0.isEmpty }.joined(separator: " "))
        }
      }
      return lines.joined(separator: "\n")
    }
  }

  /// Prints the edits that the server does not have, in the form in which they are sent.
  func showPending() async throws {
    try await showPending(TodoList.self)
    try await showPending(Label.self)
    try await showPending(Todo.self)
  }

  private func showPending<Model: Resource>(_ model: Model.Type) async throws {
    for change in try await container.pendingChanges(for: model) {
      let words: [String] = [
        change.method, Model.path, "\(change.id)", String(decoding: change.body, as: UTF8.self),
        change.reason.map { "rejected: \($0)" } ?? "",
      ]
      print("  " + words.filter { !$0.isEmpty }.joined(separator: " "))
    }
  }
}
