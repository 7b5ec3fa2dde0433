import Syncline

/// The actions of a user. They only write to the store, where Syncline records the edits.
extension Device {
  func addList(_ name: String) async throws -> TodoList.ID {
    try await container.database.write { db in
      let id = try newID(of: TodoList.self, db)
      try TodoList(id: id, name: name).insert(db)
      return id
    }
  }

  func addLabel(_ name: String) async throws -> Label.ID {
    try await container.database.write { db in
      let id = try newID(of: Label.self, db)
      try Label(id: id, name: name).insert(db)
      return id
    }
  }

  func addTodo(_ title: String, to list: TodoList.ID) async throws -> Todo.ID {
    try await container.database.write { db in
      let id = try newID(of: Todo.self, db)
      try Todo(id: id, title: title, list: Reference(id: list)).insert(db)
      return id
    }
  }

  func edit(_ id: Todo.ID, _ change: @escaping @Sendable (inout Todo) -> Void) async throws {
    try await container.database.write { db in
      guard var todo = try Todo.fetchOne(db, id: id) else { return }
      change(&todo)
      try todo.update(db)
    }
  }

  func label(_ id: Todo.ID, with label: Label.ID) async throws {
    try await container.database.write { db in
      try Todo.membership(\.labels, of: id).insert([label], db)
    }
  }

  func delete(_ id: Todo.ID) async throws {
    _ = try await container.database.write { db in try Todo.deleteOne(db, id: id) }
  }
}

/// A temporary identity for a new row. It is negative, and the server's identity replaces it.
private func newID<Model: Resource>(of model: Model.Type, _ db: Database) throws -> Int {
  let lowest = try Int.fetchOne(db, sql: "SELECT min(id) FROM \(Model.databaseTableName)")
  return min(lowest ?? 0, 0) - 1
}
