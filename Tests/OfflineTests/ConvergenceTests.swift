import Foundation
import GRDB
import TestRuns
import TestSupport
import Testing

@testable import Syncline

/// Clients edit, push and pull while requests and answers get lost: in the end all of them have what the server has, and no edit was
/// lost (contract, section 13). Everything follows from a seed.
@Suite(.enabled(if: TestKind.long.runs)) struct ConvergenceTests {
  @Test(arguments: Soak.seeds(90_000_000, count: 200)) func clientsConverge(seed: Int) async throws {
    var simulation = try Simulation(seed: seed)
    try await simulation.run(steps: 60)
    try await simulation.settle()
  }
}

/// The rows of a server that answers each key once.
private final class Server: @unchecked Sendable {
  struct Row {
    var title: String
    var votes: Int
    var project: Int?
    var tags: Set<Int>
  }

  private(set) var projects: [Int: String] = [1: "p1", 2: "p2"]
  private(set) var tasks: [Int: Row] = [:]
  private var answers: [String: Int] = [:]
  /// The titles that were applied.
  private(set) var applied: Set<String> = []

  /// Applies a request, unless it has answered its key.
  func answer<Model>(_ change: SyncPendingChange<Model>) throws -> Int {
    if let known = answers[change.key] { return known }
    let body =
      change.body.isEmpty ? [:] : try JSONSerialization.jsonObject(with: change.body) as? [String: Any] ?? [:]
    let id = change.id as? Int ?? 0
    let status =
      Model.databaseTableName == "Project"
      ? answer(project: id, change.method, body) : answer(task: id, change.method, body)
    answers[change.key] = status
    return status
  }

  private func answer(project id: Int, _ method: String, _ body: [String: Any]) -> Int {
    switch method {
    case "DELETE":
      guard projects.removeValue(forKey: id) != nil else { return 404 }
      for task in tasks.keys where tasks[task]?.project == id { tasks[task]?.project = nil }
    case "PATCH" where projects[id] == nil: return 404
    default: if let name = body["name"] as? String { projects[id] = name }
    }
    return 200
  }

  private func answer(task id: Int, _ method: String, _ body: [String: Any]) -> Int {
    if method == "DELETE" { return tasks.removeValue(forKey: id) == nil ? 404 : 200 }
    if method == "PATCH", tasks[id] == nil { return 404 }
    var task = tasks[id] ?? Row(title: "", votes: 0, project: nil, tags: [])
    if let title = body["title"] as? String {
      task.title = title
      applied.insert(title)
    }
    if let votes = body["votes"] as? Int { task.votes = votes }
    if let project = body["project_id"] {
      let key = project as? Int
      // Links to rows that others have deleted.
      task.project = key.flatMap { projects[$0] == nil ? nil : $0 }
    }
    if let tags = body["tag_ids"] as? [Int] { task.tags = Set(tags) }
    tasks[id] = task
    return 200
  }

  var projectList: String {
    "["
      + projects.sorted { $0.key < $1.key }.map { #"{"id": \#($0.key), "name": "\#($0.value)"}"# }.joined(
        separator: ",") + "]"
  }

  var taskList: String {
    "["
      + tasks.sorted { $0.key < $1.key }.map { id, task in
        """
        {"id": \(id), "title": "\(task.title)", "votes": \(task.votes), "project_id": \(task.project.map(String.init) ?? "null"), \
        "tag_ids": [\(task.tags.sorted().map(String.init).joined(separator: ","))]}
        """
      }.joined(separator: ",") + "]"
  }
}

private struct Simulation {
  private struct Lost: Error {}

  private let server = Server()
  private let clients: [SyncContainer]
  private var random: SeededGenerator
  private var count = 0
  /// The last title that each client gave each row.
  private var titles: [[Int]: String] = [:]
  private let seed: Int

  init(seed: Int) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    clients = try (0..<3).map { _ in try makeStore() }
  }

  mutating func run(steps: Int) async throws {
    for client in clients {
      try await client.sync(payload: #"[{"id": 1}, {"id": 2}, {"id": 3}]"#, as: Tag.self)
      try await pull(client)
    }
    for _ in 0..<steps {
      let index = Int.random(in: 0..<clients.count, using: &random)
      let client = clients[index]
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6: try await edit(client, index)
      case 6..<8: try await push(client)
      default: try await pull(client)
      }
    }
  }

  private mutating func edit(_ client: SyncContainer, _ index: Int) async throws {
    count += 1
    let number = count
    let ids = try await client.database.read { try Int.fetchAll($0, sql: "SELECT id FROM Task ORDER BY id") }
    let projects = try await client.database.read {
      try Int.fetchAll($0, sql: "SELECT id FROM Project ORDER BY id")
    }
    let task = ids.randomElement(using: &random)
    let project = projects.randomElement(using: &random)
    switch (Int.random(in: 0..<9, using: &random), task) {
    case (0, _), (_, nil):
      try await client.run(
        "INSERT INTO Task (id, title, votes, isExpanded, project) VALUES (?, ?, 0, 0, ?)",
        [(index + 1) * 1_000 + number, "t\(number)", project])
    case (1, let task?):
      titles[[index, task]] = nil
      try await client.run("DELETE FROM Task WHERE id = ?", [task])
    case (2, let task?): try await client.run("UPDATE Task SET project = ? WHERE id = ?", [project, task])
    case (3, let task?): try await client.run("UPDATE Task SET votes = ? WHERE id = ?", [number, task])
    case (4, let task?):
      let tag = Int.random(in: 1...3, using: &random)
      try await client.run("INSERT OR IGNORE INTO \"Task.tags\" (source, target) VALUES (?, ?)", [task, tag])
    case (5, let task?): try await client.run("DELETE FROM \"Task.tags\" WHERE source = ?", [task])
    case (6, _):
      try await client.run(
        "INSERT INTO Project (id, name) VALUES (?, ?)", [(index + 1) * 1_000 + number, "p\(number)"])
    case (7, _):
      guard projects.count > 1, let project else { return }
      try await client.run("DELETE FROM Project WHERE id = ?", [project])
    case (_, let task?):
      titles[[index, task]] = "t\(number)"
      try await client.run("UPDATE Task SET title = ? WHERE id = ?", ["t\(number)", task])
    }
  }

  private func pull(_ client: SyncContainer) async throws {
    try await client.sync(payload: server.projectList, as: Project.self)
    try await client.sync(payload: server.taskList, as: Task.self)
  }

  /// Sends what can be sent. A request or an answer may get lost, and a pull may come between.
  private mutating func push(_ client: SyncContainer, isReliable: Bool = false) async throws {
    let fates = (0..<40).map { _ in isReliable ? 9 : Int.random(in: 0..<10, using: &random) }
    try await push(client, Project.self, fates)
    try await push(client, Task.self, fates.reversed())
  }

  private func push<Model: SyncUpdatableModel>(
    _ client: SyncContainer, _ model: Model.Type, _ fates: [Int]
  ) async throws {
    do {
      try await client.withPendingChanges(for: model) { changes in
        var outcomes: [Model.SyncID: SyncPushOutcome<Model>] = [:]
        for (change, fate) in zip(changes, fates) {
          if fate == 0 { continue }
          let status = try server.answer(change)
          // It comes twice.
          if fate == 1 { #expect(try server.answer(change) == status) }
          if fate == 2 { continue }
          if fate == 3 { try await pull(client) }
          if fate == 4 { throw Lost() }
          outcomes[change.id] = SyncPushOutcome(status: status, for: change)
        }
        return outcomes
      }
    } catch is Lost {}
  }

  /// All are online until nothing is pending. Rows that others have deleted are given up.
  mutating func settle() async throws {
    for _ in 0..<12 {
      for client in clients {
        for _ in 0..<4 { try await push(client, isReliable: true) }
        for change in try await client.pendingChanges(for: Task.self) where change.state == .rejected {
          try await client.discard(change)
        }
        for change in try await client.pendingChanges(for: Project.self) where change.state == .rejected {
          try await client.discard(change)
        }
        try await pull(client)
      }
    }
    let expected = server.tasks.sorted { $0.key < $1.key }.map { id, task in
      "\(id) \(task.title) \(task.votes) \(task.project.map(String.init) ?? "-") \(task.tags.sorted().map(String.init).joined(separator: ","))"
    }
    for client in clients {
      #expect(try await !client.hasPendingChanges(), "seed \(seed)")
      let rows = try await client.rows(
        """
        SELECT id, title, votes, project, (SELECT group_concat(target) FROM
          (SELECT target FROM "Task.tags" WHERE source = id ORDER BY target)) FROM Task ORDER BY id
        """)
      #expect(
        rows.map { $0.hasSuffix(" -") && $0.split(separator: " ").count == 5 ? String($0.dropLast()) : $0 }
          == expected, "seed \(seed)")
      let projects = try await client.rows("SELECT id, name FROM Project ORDER BY id")
      #expect(
        projects == server.projects.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }, "seed \(seed)"
      )
    }
    for (place, title) in titles where server.tasks[place[1]] != nil {
      #expect(server.applied.contains(title), "seed \(seed): \(title) is lost")
    }
  }
}
