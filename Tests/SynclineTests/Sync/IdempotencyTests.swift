import Foundation
import Syncline
import SynclineTesting
import TestRuns
import Testing

/// A repeated sync of any payload changes nothing, and the order of rows is irrelevant if there are no contradictions.
@Suite(.enabled(if: TestKind.random.runs))
struct IdempotencyTests {
  /// A random task with arbitrary statements, which may contradict each other.
  private func task(_ depth: Int, _ random: inout SeededGenerator) -> SyncJSON {
    func id() -> SyncJSON { .number(SyncNumber(Int.random(in: 1...4, using: &random))) }
    var object = SyncJSONObject([
      ("id", id()), ("title", .string("t\(Int.random(in: 0..<3, using: &random))")),
    ])
    if random.chance(30) { object["project_id"] = random.chance(25) ? .null : id() }
    if depth > 0, random.chance(35) { object["project"] = project(depth - 1, &random) }
    if random.chance(25) { object["tag_ids"] = .array((0..<2).map { _ in id() }) }
    if depth > 0, random.chance(25) {
      object["tags"] = .array([
        ["id": id(), "name": .string("n\(Int.random(in: 0..<3, using: &random))")]
      ])
    }
    return .object(object)
  }

  private func project(_ depth: Int, _ random: inout SeededGenerator) -> SyncJSON {
    func id() -> SyncJSON { .number(SyncNumber(Int.random(in: 1...3, using: &random))) }
    var object = SyncJSONObject([
      ("id", id()), ("name", .string("p\(Int.random(in: 0..<3, using: &random))")),
    ])
    if random.chance(25) {
      object["task_ids"] = .array(
        (0..<2).map { _ in .number(SyncNumber(Int.random(in: 1...4, using: &random))) })
    }
    if depth > 0, random.chance(50) {
      object["tasks"] = .array(
        (0..<Int.random(in: 0...2, using: &random)).map { _ in task(depth - 1, &random) })
    }
    return .object(object)
  }

  @Test(arguments: Soak.seeds(1, count: 40))
  func repeatedSyncOfRandomPayloadChangesNothing(seed: Int) async throws {
    var random = SeededGenerator(seed: seed)
    let store = try makeStore()
    for _ in 1...6 {
      let isTask = random.chance(50)
      let payload: SyncJSON = .array(
        (0..<Int.random(in: 1...4, using: &random)).map { _ in isTask ? task(3, &random) : project(3, &random)
        })
      func sync() async throws -> SyncReport {
        isTask
          ? try await store.sync(payload: payload, as: Task.self)
          : try await store.sync(payload: payload, as: Project.self)
      }
      _ = try await sync()
      let first = try store.everything()
      let report = try await sync()
      let text = String(decoding: try payload.data(), as: UTF8.self)
      #expect(report.isUnchanged, "\(text)\n\(report)")
      #expect(try store.everything() == first, "\(text)")
    }
  }

  /// Rows of a list occur repeatedly, also in lists of other owners. For each owner its last list is decisive, and for each row
  /// the last of these lists that contains it. Objects of owners may be incomplete, and contain their rows as objects or keys.
  @Test(arguments: Soak.seeds(301, count: 60))
  func lastListOfEachOwnerDecidesAmongConflictingLists(seed: Int) async throws {
    var random = SeededGenerator(seed: seed)
    let store = try makeStore()
    var owners: [Int: Int] = [:]
    try await store.sync(
      payload: #"[{"id": 1, "title": "T"}, {"id": 2, "title": "T"}, {"id": 3, "title": "T"}]"#, as: Task.self)
    for _ in 1...4 {
      var lists: [(owner: Int, tasks: [Int])] = []
      var rows: [SyncJSON] = []
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let owner = Int.random(in: 1...3, using: &random)
        let tasks = (1...3).filter { _ in random.chance(40) }
        lists.append((owner, tasks))
        var row = SyncJSONObject([("id", .number(SyncNumber(owner)))])
        if random.chance(70) { row["name"] = "P" }
        if random.chance(60) {
          row["task_ids"] = .array(tasks.map { .number(SyncNumber($0)) })
        } else {
          row["tasks"] = .array(tasks.map { ["id": .number(SyncNumber($0)), "title": "T"] })
        }
        rows.append(.object(row))
      }
      for owner in Set(lists.map(\.owner)) { rows.append(["id": .number(SyncNumber(owner)), "name": "P"]) }
      let last = Dictionary(lists.enumerated().map { ($1.owner, $0) }, uniquingKeysWith: max)
      for task in 1...3 {
        let list = lists.indices.last { last[lists[$0].owner] == $0 && lists[$0].tasks.contains(task) }
        owners[task] = list.map { lists[$0].owner }
      }
      let payload = SyncJSON.array(rows)
      let text = String(decoding: try payload.data(), as: UTF8.self)
      try await store.sync(payload: payload, as: Project.self)
      let first = try store.everything()
      let ended = try await store.database.read { database in
        try Task.fetchAll(database).reduce(into: [Int: Int]()) { $0[$1.id] = $1.project?.id }
      }
      #expect(ended == owners, "\(text)")
      let report = try await store.sync(payload: payload, as: Project.self)
      #expect(report.isUnchanged, "\(text)\n\(report)")
      #expect(try store.everything() == first, "\(text)")
    }
  }

  /// A payload for each model, without contradictions between them.
  private static let syncs: [(String, [String])] = [
    (
      "Task",
      [
        #"{"id": 1, "title": "A", "project_id": 1, "tag_ids": [1, 2], "watcher_ids": [1]}"#,
        #"{"id": 2, "title": "B", "project_id": 2, "assignee_id": 1, "tag_ids": [2]}"#,
        #"{"id": 3, "title": "C", "assignee_id": 9}"#,
      ]
    ),
    ("Project", [#"{"id": 1, "name": "P"}"#, #"{"id": 2, "name": "Q", "task_ids": [2, 4]}"#]),
    ("Tag", [#"{"id": 1, "name": "T", "task_ids": [1]}"#, #"{"id": 2, "name": "S"}"#]),
    ("User", [#"{"id": 1, "name": "U", "watched_ids": [1]}"#, #"{"id": 2, "name": "V"}"#]),
  ]

  @Test(arguments: Soak.seeds(1, count: 15))
  func shuffledRowsAndSyncsGiveTheSameResult(seed: Int) async throws {
    func fill(_ syncs: [(String, [String])]) async throws -> [String: [SyncJSON]] {
      let store = try makeStore()
      for (model, rows) in syncs {
        let payload = "[\(rows.joined(separator: ", "))]"
        switch model {
        case "Task": try await store.sync(payload: payload, as: Task.self)
        case "Project": try await store.sync(payload: payload, as: Project.self)
        case "Tag": try await store.sync(payload: payload, as: Tag.self)
        default: try await store.sync(payload: payload, as: User.self)
        }
      }
      return try store.everything()
    }
    var random = SeededGenerator(seed: seed)
    let shuffled = Self.syncs.shuffled(using: &random).map { ($0.0, $0.1.shuffled(using: &random)) }
    #expect(try await fill(shuffled) == fill(Self.syncs))
  }
}
