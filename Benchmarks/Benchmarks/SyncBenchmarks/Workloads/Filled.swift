import Foundation
import GRDB
import Syncline

/// Stores that are filled before the measured work.
enum Filled {
  /// Inserts articles in chunks, so that no large payload is in memory.
  static func articles(_ count: Int) async throws -> Store {
    let store = try Store()
    for start in stride(from: 1, through: count, by: 100_000) {
      let payload = ArticleData.payload(rows: start...min(count, start + 99_999))
      try await store.container.sync(payload: payload, as: Article.self, deletionPolicy: .none)
    }
    return store
  }

  /// Boards with a hundred cards each, with the given total number of cards.
  static func cards(_ count: Int) async throws -> Store {
    let store = try Store()
    for start in stride(from: 1, through: count / 100, by: 1_000) {
      let boards = start...min(count / 100, start + 999)
      try await store.container.sync(
        payload: WorkspaceData.boards(boards, cards: 100), as: Board.self, deletionPolicy: .none)
    }
    return store
  }

  /// Cards whose titles are sorted differently than their numbers. Cards with even numbers are not done.
  static func plainCards(_ count: Int, perBoard: Int) async throws -> Store {
    let store = try Store()
    try await store.database.write { db in
      for board in 1...count / perBoard {
        try db.execute(
          sql: "INSERT INTO Board (id, name) VALUES (?, ?)", arguments: [board, "Board \(board)"])
      }
      let statement = try db.makeStatement(
        sql: "INSERT INTO Card (id, title, position, isDone, board) VALUES (?, ?, ?, ?, ?)")
      for card in 1...count {
        try statement.execute(arguments: [
          card, title(card * 7_919 % 1_000_003), card % 100, card % 2 == 1, 1 + (card - 1) / perBoard,
        ])
      }
    }
    return store
  }

  static func title(_ number: Int) -> String { String(format: "Card %07d – été", number) }

  /// A workspace with the given number of tasks, users and tags.
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
