import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Syncs, reads, exports and cancellations of many tasks on one store at once.
@Suite(.enabled(if: TestKind.random.runs))
struct ConcurrencyTests {
  private static let writers = 0..<4

  /// Each writer syncs its own people one after the other. A read sees, of each writer, those up to some number; in
  /// the end all are there but the ones whose sync was cancelled.
  @Test func readersSeeWhatWasCommitted() async throws {
    for seed in Soak.seeds(9_000_000, count: 3) {
      let folder = TemporaryFolder()
      let store = try MachineTestsSchema.makeStore(in: folder)
      let kept = try await withThrowingTaskGroup(of: Set<String>.self) { group in
        for writer in Self.writers {
          group.addTask { try await write(30, writer: writer, seed: seed, to: store) }
        }
        for _ in 0..<3 {
          group.addTask {
            try await read(40, of: store)
            return []
          }
          group.addTask {
            try await export(20, from: store)
            return []
          }
        }
        return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
      }
      let stored = try await store.database.read { try String.fetchSet($0, sql: "SELECT id FROM Person") }
      #expect(stored == kept, "seed \(seed)")
      let problems = try await store.database.read {
        try String.fetchAll($0, sql: "PRAGMA integrity_check")
          + String.fetchAll($0, sql: "PRAGMA foreign_key_check")
      }
      #expect(problems == ["ok"], "seed \(seed)")
    }
  }

  /// Syncs rows in order, and gives up on some; returns those that were kept.
  private func write(_ count: Int, writer: Int, seed: Int, to store: SyncContainer) async throws -> Set<
    String
  > {
    var random = SeededGenerator(seed: seed * Self.writers.count + writer)
    var kept: Set<String> = []
    for number in 0..<count {
      let id = "\(writer)-\(number)"
      let item: SyncJSON = [
        "id": .string(id), "name": .string("\(number)"),
        "skills": [
          ["skill_uuid": .string("C3E7A1B2-1001-4000-8000-00000000000\(writer)"), "title": .string(id)]
        ],
      ]
      let task = _Concurrency.Task { try await store.sync(item: item, as: Person.self) }
      if random.chance(20) {
        for _ in 0..<Int.random(in: 0..<20, using: &random) { await _Concurrency.Task.yield() }
        task.cancel()
      }
      do {
        _ = try await task.value
        kept.insert(id)
      } catch SyncError.cancelled {
        continue
      }
    }
    return kept
  }

  /// Reads again and again; what was there once stays.
  private func read(_ count: Int, of store: SyncContainer) async throws {
    var seen: Set<String> = []
    for _ in 0..<count {
      let now = try await store.database.read { try String.fetchSet($0, sql: "SELECT id FROM Person") }
      #expect(now.isSuperset(of: seen))
      seen = now
      await _Concurrency.Task.yield()
    }
  }

  /// Exports again and again, each time what was there at one moment: a skill has the title that the last of its
  /// people gave it, in one transaction.
  private func export(_ count: Int, from store: SyncContainer) async throws {
    for _ in 0..<count {
      for skill in try SyncJSON(parsing: await store.exportData(as: Skill.self)).array ?? [] {
        let people = skill["people"]?.array?.compactMap { $0["id"] } ?? []
        #expect(people.contains(skill["title"] ?? .null), "\(skill)")
      }
    }
  }
}
