import Syncline
import SynclineTesting
import TestRuns
import Testing

/// Compares random syncs with a small model of the contract.
@Suite(.enabled(if: TestKind.random.runs))
struct OracleTests {
  private let identities = 0..<8

  private func subset(_ percent: Int, _ random: inout SeededGenerator) -> [Int] {
    identities.filter { _ in random.chance(percent) }.shuffled(using: &random)
  }

  private func tasks(_ random: inout SeededGenerator) -> [TrackerOracle.TaskRow] {
    subset(60, &random).map { id in
      var row = TrackerOracle.TaskRow(id: id, title: "t\(Int.random(in: 0..<3, using: &random))")
      switch Int.random(in: 0..<4, using: &random) {
      case 0: break
      case 1: row.project = .null
      default: row.project = .key(Int.random(in: identities, using: &random))
      }
      if random.chance(60) { row.tags = subset(30, &random) }
      return row
    }
  }

  /// Projects without common tasks in their lists.
  private func projects(_ random: inout SeededGenerator) -> [TrackerOracle.ProjectRow] {
    var free = Array(identities).shuffled(using: &random)
    return subset(60, &random).map { id in
      var row = TrackerOracle.ProjectRow(id: id, name: "p\(Int.random(in: 0..<3, using: &random))")
      if random.chance(60) {
        row.tasks = Array(free.prefix(Int.random(in: 0..<4, using: &random)))
        free.removeFirst(min(free.count, row.tasks?.count ?? 0))
      }
      return row
    }
  }

  @Test(arguments: Soak.seeds(1, count: 20))
  func randomSyncsMatchTheReferenceModel(seed: Int) async throws {
    var random = SeededGenerator(seed: seed)
    let store = try makeStore()
    var oracle = TrackerOracle()
    for step in 1...25 {
      let payload: SyncJSON
      let sync: (SyncJSON) async throws -> SyncReport
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        let rows = tasks(&random)
        oracle.sync(rows)
        payload = .array(rows.map(\.json))
        sync = { try await store.sync(payload: $0, as: Task.self) }
      case 1:
        let rows = projects(&random)
        oracle.sync(rows)
        payload = .array(rows.map(\.json))
        sync = { try await store.sync(payload: $0, as: Project.self) }
      default:
        var rows: [Int: String] = [:]
        for id in subset(60, &random) { rows[id] = "n\(Int.random(in: 0..<3, using: &random))" }
        oracle.sync(tags: rows)
        payload = .array(
          rows.sorted { $0.key < $1.key }.map { id, name in
            ["id": .number(SyncNumber(id)), "name": .string(name)]
          })
        sync = { try await store.sync(payload: $0, as: Tag.self) }
      }
      _ = try await sync(payload)
      #expect(
        try store.pick(Task.self, "id", "title", "project", "tags") == oracle.taskRows,
        "step \(step) \(payload)")
      #expect(
        try store.pick(Project.self, "id", "name", "tasks") == oracle.projectRows, "step \(step) \(payload)")
      #expect(try store.pick(Tag.self, "id", "name", "tasks") == oracle.tagRows, "step \(step) \(payload)")
      let writes = try store.writes()
      let again = try await sync(payload)
      #expect(again.isUnchanged, "step \(step) \(again)")
      #expect(try store.writes() == writes, "step \(step)")
      if step % 5 == 0 {
        // Pending links are exported, too. They must remain pending, which later steps show.
        let waiting = try await store.waitingLinks()
        for report in [
          try await store.sync(payload: SyncJSON.array(store.export(as: Task.self)), as: Task.self),
          try await store.sync(payload: SyncJSON.array(store.export(as: Project.self)), as: Project.self),
          try await store.sync(payload: SyncJSON.array(store.export(as: Tag.self)), as: Tag.self),
          try await store.sync(payload: store.exportData(as: Task.self), as: Task.self),
          try await store.sync(payload: store.exportData(as: Project.self), as: Project.self),
        ] {
          #expect(report.isUnchanged, "step \(step) \(report)")
        }
        #expect(try await store.waitingLinks() == waiting, "step \(step)")
      }
    }
  }
}
