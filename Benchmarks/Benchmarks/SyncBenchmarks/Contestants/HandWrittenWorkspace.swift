import Foundation
import GRDB

/// The workspace as Swift developers typically write it for GRDB: records, transfer objects, and hand-written code for links.
struct UserRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "User"
  var id: Int
  var name: String
  var email: String?
}

struct TagRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "Tag"
  var id: Int
  var name: String
}

struct TaskRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "Task"
  var id: Int
  var title: String
  var details: String?
  var state: String
  var updatedAt: Date
  var project: Int?
  var assignee: Int?
}

struct BoardRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "Board"
  var id: Int
  var name: String
}

struct CardRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "Card"
  var id: Int
  var title: String
  var position: Int
  var isDone: Bool
  var board: Int?
}

struct TaskTransferObject: Codable {
  struct State: Codable { let id: String }

  let id: Int
  let title: String
  let description: String?
  let state: State
  let updatedAt: Date
  let projectID: Int?
  let assignee: UserRecord?
  let tags: [TagRecord]?
  let watchers: [UserRecord]?
  let tagIDs: [Int]?

  enum CodingKeys: String, CodingKey {
    case id, title, description, state, assignee, tags, watchers
    case updatedAt = "updated_at"
    case projectID = "project_id"
    case tagIDs = "tag_ids"
  }

  var record: TaskRecord {
    TaskRecord(
      id: id, title: title, details: description, state: state.id, updatedAt: updatedAt, project: projectID,
      assignee: assignee?.id)
  }

  /// Upserts the task and its nested objects, and writes the links that differ.
  func save(_ db: Database) throws {
    try assignee?.upsert(db)
    for tag in tags ?? [] { try tag.upsert(db) }
    for watcher in watchers ?? [] { try watcher.upsert(db) }
    try record.upsert(db)
    if let tags = tags?.map(\.id) ?? tagIDs { try Links.set(tags, of: id, in: "Task.tags", db) }
    if let watchers = watchers?.map(\.id) { try Links.set(watchers, of: id, in: "Task.watchers", db) }
  }
}

struct BoardTransferObject: Codable {
  let id: Int
  let name: String
  let cards: [CardTransferObject]
}

struct CardTransferObject: Codable {
  let id: Int
  let title: String
  let position: Int
  let isDone: Bool

  enum CodingKeys: String, CodingKey {
    case id, title, position
    case isDone = "is_done"
  }

  func record(of board: Int) -> CardRecord {
    CardRecord(id: id, title: title, position: position, isDone: isDone, board: board)
  }
}

/// The rows of a join table.
enum Links {
  static func set(_ targets: [Int], of source: Int, in table: String, _ db: Database) throws {
    let stored = try Set(
      Int.fetchAll(
        db.cachedStatement(sql: "SELECT target FROM \"\(table)\" WHERE source = ?"), arguments: [source]))
    let wanted = Set(targets)
    let insertion = try db.cachedStatement(sql: "INSERT INTO \"\(table)\" (source, target) VALUES (?, ?)")
    for target in wanted.subtracting(stored) { try insertion.execute(arguments: [source, target]) }
    let deletion = try db.cachedStatement(sql: "DELETE FROM \"\(table)\" WHERE source = ? AND target = ?")
    for target in stored.subtracting(wanted) { try deletion.execute(arguments: [source, target]) }
  }
}

extension HandWritten {
  /// Syncs the tasks of a project, and deletes missing ones.
  static func sync(tasks payload: Data, project: Int, in store: Store) async throws {
    let tasks = try decoder.decode([TaskTransferObject].self, from: payload)
    try await store.database.write { db in
      for task in tasks { try task.save(db) }
      let named = Set(tasks.map(\.id))
      let stored = try Int.fetchAll(
        db.cachedStatement(sql: "SELECT id FROM Task WHERE project = ?"), arguments: [project])
      _ = try TaskRecord.deleteAll(db, keys: stored.filter { !named.contains($0) })
    }
  }

  static func sync(tasks payload: Data, in store: Store) async throws {
    let tasks = try decoder.decode([TaskTransferObject].self, from: payload)
    try await store.database.write { db in for task in tasks { try task.save(db) } }
  }

  static func sync(task payload: Data, in store: Store) async throws {
    let task = try decoder.decode(TaskTransferObject.self, from: payload)
    try await store.database.write { db in try task.save(db) }
  }

  static func sync(user payload: Data, in store: Store) async throws {
    let user = try decoder.decode(UserRecord.self, from: payload)
    try await store.database.write { db in try user.upsert(db) }
  }

  static func sync(boards payload: Data, in store: Store) async throws {
    let boards = try decoder.decode([BoardTransferObject].self, from: payload)
    try await store.database.write { db in
      let members = try db.cachedStatement(sql: "SELECT id FROM Card WHERE board = ?")
      for board in boards {
        try BoardRecord(id: board.id, name: board.name).upsert(db)
        for card in board.cards { try card.record(of: board.id).upsert(db) }
        let named = Set(board.cards.map(\.id))
        let missing = try Int.fetchAll(members, arguments: [board.id]).filter { !named.contains($0) }
        if !missing.isEmpty { _ = try CardRecord.deleteAll(db, keys: missing) }
      }
    }
  }

  static func sync(cards payload: Data, board: Int, in store: Store) async throws {
    let cards = try decoder.decode([CardTransferObject].self, from: payload)
    try await store.database.write { db in
      for card in cards { try card.record(of: board).upsert(db) }
      let named = Set(cards.map(\.id))
      let stored = try Int.fetchAll(
        db.cachedStatement(sql: "SELECT id FROM Card WHERE board = ?"), arguments: [board])
      let missing = stored.filter { !named.contains($0) }
      if !missing.isEmpty { _ = try CardRecord.deleteAll(db, keys: missing) }
    }
  }

  /// The tasks of a project with all nested objects, as JSON.
  static func export(project: Int, from store: Store) async throws -> Data {
    let tasks = try await store.database.read { db in
      try TaskRecord.filter(Column("project") == project).order(Column("id")).fetchAll(db).map { task in
        let tags = try TagRecord.fetchAll(
          db.cachedStatement(
            sql:
              "SELECT * FROM Tag WHERE id IN (SELECT target FROM \"Task.tags\" WHERE source = ?) ORDER BY id"),
          arguments: [task.id])
        let watchers = try UserRecord.fetchAll(
          db.cachedStatement(
            sql:
              "SELECT * FROM User WHERE id IN (SELECT target FROM \"Task.watchers\" WHERE source = ?) ORDER BY id"
          ),
          arguments: [task.id])
        let assignee = try task.assignee.flatMap { try UserRecord.fetchOne(db, key: $0) }
        return TaskTransferObject(
          id: task.id, title: task.title, description: task.details, state: .init(id: task.state),
          updatedAt: task.updatedAt, projectID: task.project, assignee: assignee, tags: tags,
          watchers: watchers,
          tagIDs: nil)
      }
    }
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    return try encoder.encode(tasks)
  }
}
