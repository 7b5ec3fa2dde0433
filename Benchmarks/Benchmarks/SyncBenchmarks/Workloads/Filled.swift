import Foundation
import Syncline

/// Stores that are filled before the measured work.
enum Filled {
  /// Articles in chunks, so that a large payload is not held.
  static func articles(_ count: Int) async throws -> Store {
    let store = try Store()
    for start in stride(from: 1, through: count, by: 100_000) {
      let payload = ArticleData.payload(rows: start...min(count, start + 99_999))
      try await store.container.sync(payload: payload, as: Article.self, deletionPolicy: .none)
    }
    return store
  }

  /// Boards of a hundred cards each, so many cards in all.
  static func cards(_ count: Int) async throws -> Store {
    let store = try Store()
    for start in stride(from: 1, through: count / 100, by: 1_000) {
      let boards = start...min(count / 100, start + 999)
      try await store.container.sync(
        payload: WorkspaceData.boards(boards, cards: 100), as: Board.self, deletionPolicy: .none)
    }
    return store
  }

  /// A workspace of so many tasks, users and tags.
  static func workspace(_ size: Int) async throws -> Store {
    let store = try Store()
    let container = store.container
    try await container.sync(payload: WorkspaceData.users(size), as: User.self)
    try await container.sync(payload: WorkspaceData.tags(size), as: Tag.self)
    try await container.sync(
      payload: WorkspaceData.projects(size / WorkspaceData.tasksPerProject), as: Project.self)
    for start in stride(from: 1, through: size, by: 1_000) {
      let tasks = WorkspaceData.tasks(start...min(size, start + 999), size: size)
      try await container.sync(payload: tasks, as: Task.self, deletionPolicy: .none)
    }
    return store
  }
}
