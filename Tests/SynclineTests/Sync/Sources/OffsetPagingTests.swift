import GRDB
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Servers with offset-based pages. If rows change between two requests, a page may skip or repeat rows.
@Suite struct OffsetPagingTests {
  /// The server changes between pages. The sync never deletes a row that still exists, and eventually deletes every other one.
  @Test func confirmedDeletionsNeverDeleteARowOnTheServer() async throws {
    try await simulate(runs: Soak.seeds(14_200_000, count: 200), perRun: 5) { store, server, _ in
      try await store.sync(pages: server.pages(), as: Tag.self) { missing in
        let living = await Set(server.rows)
        return missing.filter { !living.contains($0) }
      }
    }
  }

  /// A row that one run skips by chance is found in the next run, whose offsets differ.
  @Test(.enabled(if: TestKind.thorough.runs)) func rowMissedByOneRunIsNotDeletedWithTwoAbsences() async throws
  {
    try await simulate(runs: Soak.seeds(14_300_000, count: 200), perRun: 5, changesEveryRun: false) {
      store, server, _ in
      try await store.sync(pages: server.pages(), as: Tag.self, absences: 2)
    }
  }

  @Test func absencesAreCountedWhenTheConditionMoves() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 9, "name": "z"}]"#, as: Tag.self)
    func run(from name: String) async throws -> [Int] {
      try await store.sync(
        pages: stream(of: [SyncPage(#"[{"id": 9, "name": "z"}]"#)]), as: Tag.self, absences: 2,
        within: Tag.Columns.name >= name)
      return try store.tags()
    }
    #expect(try await run(from: "b") == [1, 2, 9])
    #expect(try await run(from: "a") == [1, 9])
    // The row is outside of the condition, so the run does not count for it.
    #expect(try await run(from: "z") == [1, 9])
    #expect(try await run(from: "a") == [9])
    let counts = try await store.database.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM syncline_absence")
    }
    #expect(counts == 0)
  }

  /// Runs a thousand random sequences of requests and changes.
  private func simulate(
    runs seeds: Range<Int>, perRun: Int, changesEveryRun: Bool = true,
    _ sync: (SyncContainer, PagedServer, Int) async throws -> SyncReport
  ) async throws {
    var skips = 0
    for seed in seeds {
      var random = SeededGenerator(seed: seed)
      let store = try SyncContainer(for: Tag.self, User.self, Task.self, Project.self, Item.self)
      let server = PagedServer(0..<60)
      var next = 60
      for run in 0..<perRun {
        let isChanging = changesEveryRun || run.isMultiple(of: 2)
        for offset in stride(from: 0, to: 60, by: 10) where isChanging && random.chance(60) {
          let (removed, added) = (random.chance(70) ? Int.random(in: 0..<20, using: &random) : nil, next)
          next += 1
          let adds = random.chance(50)
          await server.before(offset: offset) { rows in
            if let removed, removed < rows.count { rows.remove(at: removed) }
            if adds { rows.insert(added, at: 0) }
          }
        }
        let before = try Set(store.tags())
        let report = try await sync(store, server, run)
        let (stored, living) = (try Set(store.tags()), Set(await server.rows))
        let lost = before.subtracting(stored).intersection(living)
        #expect(lost.isEmpty, "seed \(seed), run \(run)")
        if report[Tag.self].unchanged < before.intersection(living).count { skips += 1 }
      }
      // After the server stops changing, the store equals it.
      _ = try await sync(store, server, perRun)
      _ = try await sync(store, server, perRun + 1)
      let rows = await server.rows
      #expect(try store.tags() == rows.sorted(), "seed \(seed)")
    }
    // With enough seeds, some rows must have been skipped.
    #expect(skips > 0 || seeds.count < 200)
  }

  @Test func rowIsDeletedAfterTheGivenNumberOfAbsences() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload([1, 2]), as: Tag.self)
    func run(_ rows: [Int]) async throws -> Int {
      try await store.sync(
        pages: stream(of: [SyncPage(PagedServer.payload(rows))]), as: Tag.self, absences: 3
      ).deleted
    }
    #expect(try await run([1]) == 0)
    #expect(try await run([1]) == 0)
    // After it was seen, it is counted from the start.
    #expect(try await run([1, 2]) == 0)
    #expect(try await run([1]) == 0)
    #expect(try await run([1]) == 0)
    #expect(try await run([1]) == 1)
    #expect(try store.tags() == [1])
  }

  @Test func onlyConfirmedMissingRowsAreDeleted() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(1...5), as: Tag.self)
    let pages = [SyncPage(PagedServer.payload([1, 2]))]
    let report = try await store.sync(pages: stream(of: pages), as: Tag.self) { missing in
      #expect(missing == [3, 4, 5])
      return [4, 1, 99]
    }
    #expect(report.deleted == 1)
    #expect(try store.tags() == [1, 2, 3, 5])
    // No page is requested if nothing is missing.
    try await store.sync(payload: PagedServer.payload([1]), as: Tag.self)
    try await store.sync(pages: stream(of: [SyncPage(PagedServer.payload([1]))]), as: Tag.self) { _ in
      Issue.record("nothing is missing")
      return []
    }
  }

  @Test func failedConfirmationDeletesNothing() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(1...5), as: Tag.self)
    await #expect(throws: PagedServer.Down.self) {
      try await store.sync(pages: stream(of: [SyncPage("[]")]), as: Tag.self) { _ in
        throw PagedServer.Down()
      }
    }
    #expect(try store.tags() == [1, 2, 3, 4, 5])
  }
}
