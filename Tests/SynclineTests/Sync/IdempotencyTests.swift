import Foundation
import Syncline
import SynclineTesting
import Testing

/// The second sync of any payload changes nothing, and order does not matter where nothing contradicts.
@Suite struct IdempotencyTests {
  /// A random task with whatever a payload may say of it, also against itself.
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
  func aRepeatChangesNothingWhateverThePayloadSays(seed: Int) async throws {
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

  /// A payload of each model that contradicts no other.
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
  func shuffledRowsAndShuffledSyncsEndEqual(seed: Int) async throws {
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
