import Foundation
import GRDB
import TestSupport

@testable import Syncline

/// A store that is synced, edited by random SQL, and compared with a copy of its tables.
final class History {
  /// The rows of the models' tables by their keys, each value by its column; a list as text.
  typealias Tables = [String: [String: [String: DatabaseValue]]]

  static let triggers = [
    """
    CREATE TRIGGER counts AFTER UPDATE OF title ON Task
    BEGIN UPDATE Task SET votes = votes + 1 WHERE id = NEW.id; END
    """,
    """
    CREATE TRIGGER welcomes AFTER INSERT ON Project BEGIN
      INSERT INTO Note (text) VALUES ('project ' || NEW.id);
      UPDATE Project SET name = name || '*' WHERE id = NEW.id;
    END
    """,
    """
    CREATE TRIGGER follows AFTER DELETE ON Passport
    BEGIN UPDATE Project SET name = 'without' WHERE id = OLD.project; END
    """,
    """
    CREATE TRIGGER precedes BEFORE UPDATE OF text ON Step
    BEGIN UPDATE Task SET votes = votes + 10 WHERE id = OLD.task; END
    """,
    // It numbers the tasks that are made without an identity.
    """
    CREATE TRIGGER numbers AFTER INSERT ON Task
    BEGIN UPDATE Task SET votes = NEW.id WHERE id = NEW.id AND votes = 0; END
    """,
  ]
  static let triggerNames = ["counts", "welcomes", "follows", "precedes", "numbers"]

  private(set) var store: SyncContainer
  /// The tables after the sync, and the rows as they are printed.
  private(set) var copy: Tables = [:]
  private(set) var bases: [String: String] = [:]
  private(set) var log: [String] = []
  private let folder = TemporaryFolder()
  private let path: String
  private let other: DatabaseQueue

  init() throws {
    path = try folder.file().path
    let empty = try makeStore()
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    let file = try DatabaseQueue(path: path, configuration: configuration)
    try empty.database.backup(to: file)
    store = try SyncContainer(for: OfflineTestsSchema.self, storage: .database(file))
    other = try DatabaseQueue(path: path, configuration: configuration)
  }

  // MARK: The base

  static let tasks = """
    {"id": 1, "title": "task 1", "project_id": 1, "tag_ids": [1, 2], "updated_at": "2026-01-01T00:00:00Z"},
    {"id": 2, "title": "task 2", "project_id": 1, "details": {"a": 1}, "updated_at": "2026-01-01T00:00:00Z"},
    {"id": 3, "title": "task 3", "project_id": 3, "tag_ids": [3], "due": "2025-01-01T00:00:00Z"},
    {"id": 4, "title": "task 4"}, {"id": 5, "title": "task 5", "tag_ids": [1, 2, 3]}
    """
  static let projects = """
    {"id": 1, "name": "project 1"}, {"id": 2, "name": "project 2"}, {"id": 3, "name": "project 3"}
    """
  static let passports = """
    {"id": "a", "number": "1", "project_id": 1}, {"id": "b", "number": "2", "project_id": 2},
    {"id": "c", "number": "3"}
    """
  static let notes = #"{"id": 1, "text": "note 1"}, {"id": 2, "text": "note 2"}, {"id": 3, "text": "note 3"}"#
  static let steps = [(1, 1), (2, 2), (3, 2), (4, 3)].map { number, task in
    """
    {"id": "00000000-0000-4000-8000-00000000000\(number)", "text": "step \(number)", "task_id": \(task)}
    """
  }.joined(separator: ",")

  /// Syncs all lists, with further rows, or with other values.
  func sync(_ rows: [String: String] = [:], isChanged: Bool = false) async throws {
    func list(_ model: String, _ known: String) -> String {
      let list = "[" + known + (rows[model].map { ", " + $0 } ?? "") + "]"
      guard isChanged else { return list }
      return list.replacing(": \"\(model.lowercased()) ", with: ": \"their ")
        .replacing("\"number\": \"", with: "\"number\": \"9").replacing("2026-01-01", with: "2026-02-01")
    }
    try await store.sync(payload: list("Project", History.projects), as: Project.self)
    try await store.sync(payload: list("Task", History.tasks), as: Task.self)
    try await store.sync(payload: list("Passport", History.passports), as: Passport.self)
    try await store.sync(payload: list("Step", History.steps), as: Step.self)
    try await store.sync(payload: list("Note", History.notes), as: Note.self)
  }

  func begin() async throws {
    try await store.sync(payload: #"[{"id": 1}, {"id": 2}, {"id": 3}]"#, as: Tag.self)
    try await sync()
    for task in 1...2 {
      try await store.sync(
        payload: #"[{"id": 1, "name": "s"}, {"id": 2, "name": "t"}]"#, as: Seat.self, parent: task,
        relationship: \.task)
    }
    copy = try tables()
    bases = try printed()
  }

  /// The rows as Swift prints them.
  private func printed() throws -> [String: String] {
    try store.database.read { database in
      var rows: [String: String] = [:]
      func add<Model: SyncUpdatableModel>(_ model: Model.Type, _ key: (Model) -> String) throws {
        for row in try Model.fetchAll(database) {
          rows["\(model.databaseTableName) \(key(row))"] = String(describing: row)
        }
      }
      try add(Project.self) { "\($0.id)" }
      try add(Task.self) { "\($0.id)" }
      try add(Passport.self) { $0.id }
      try add(Step.self) { "\($0.id)" }
      try add(Seat.self) { "\($0.id) \($0.task.id)" }
      try add(Note.self) { "\($0.id)" }
      return rows
    }
  }

  // MARK: Edits

  /// Opens the container anew, after which its triggers are younger than those of the user.
  func open() throws {
    store = try SyncContainer(for: OfflineTestsSchema.self, storage: .database(store.database))
  }

  func put(_ fault: CaptureFault) throws { try store.database.write { try fault.put(in: $0) } }

  func dropTriggers() throws {
    for name in History.triggerNames { try execute("DROP TRIGGER IF EXISTS \(name)") }
  }

  func execute(_ sql: String) throws { try store.database.write { try $0.execute(sql: sql) } }

  func edit(_ count: Int, using random: inout SeededGenerator) throws {
    var statements = RandomStatements(random.fork())
    for _ in 0..<count {
      let sql = statements.next()
      let (before, after) = (statements.next(), statements.next())
      let way = Int.random(in: 0..<12, using: &random)
      do {
        switch way {
        case 0, 1:
          log.append("second connection: \(sql)")
          try other.write { try $0.execute(sql: sql) }
        case 2:
          log.append("rolled back: \(sql); \(after)")
          try store.database.writeWithoutTransaction { database in
            try database.inTransaction {
              try database.execute(sql: sql)
              try database.execute(sql: after)
              return .rollback
            }
          }
        case 3:
          log.append("\(before); savepoint rolled back: \(sql); then: \(after)")
          try store.database.write { database in
            try database.execute(sql: before)
            try database.inSavepoint {
              try database.execute(sql: sql)
              return .rollback
            }
            try database.execute(sql: after)
          }
        case 4:
          log.append("\(before); \(sql)")
          try execute(before + ";" + sql)
        default:
          log.append(sql)
          try execute(sql)
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        log[log.count - 1] += " → \(error.message ?? "")"
      }
    }
  }

  /// Pushes everything. The server accepts all of it.
  ///
  /// - Returns: the rows whose deletion was sent: `Task 1`.
  func push() async throws -> Set<String> {
    var deleted: Set<String> = []
    func send<Model: SyncUpdatableModel>(_ model: Model.Type) async throws {
      try await store.withPendingChanges(for: model) { changes in
        var outcomes: [Model.SyncID: SyncPushOutcome<Model>] = [:]
        for change in changes {
          outcomes[change.id] = .confirmed
          guard change.kind == .delete else { continue }
          deleted.insert("\(model.databaseTableName) \(History.key(of: change))")
        }
        return outcomes
      }
    }
    for _ in 0..<20 {
      guard try await store.hasPendingChanges() else { break }
      try await send(Project.self)
      try await send(Task.self)
      try await send(Passport.self)
      try await send(Step.self)
      try await send(Seat.self)
      try await send(Note.self)
    }
    return deleted
  }

  static func key<Model: SyncUpdatableModel>(of change: SyncPendingChange<Model>) -> String {
    change.rowKey.identity.description + (change.rowKey.parent.map { " \($0)" } ?? "")
  }
}
