import Foundation
import Syncline
import TestSupport
import Testing

/// The random numbers and the times that syncs store come from the configuration.
@Suite struct TimeAndRandomnessTests {
  private static func studios(_ range: Range<Int>) -> SyncJSON {
    .array(range.map { ["remote_id": .string("s\($0)"), "name": .string("Studio \($0)")] })
  }

  /// The studios 0 to 29, in three pages.
  private static func pages(from cursor: String?, failingAt failing: Int? = nil) -> SyncPages {
    SyncPages(startingAt: cursor) { cursor in
      let first = cursor.flatMap { Int($0) } ?? 0
      if first == failing { throw PagedServer.Down() }
      return try SyncPage(Self.studios(first..<first + 10), cursor: first < 20 ? String(first + 10) : nil)
    }
  }

  /// The contents of a store after a run of pages that fails, and after the call that continues it and marks the missing rows.
  private func states(of sources: TimeAndRandomness) async throws -> [StoreDump] {
    var configuration = SyncConfiguration()
    configuration.sources = sources
    let store = try SynclineTestsSchema.makeStore(configuration)
    try await store.sync(payload: Self.studios(0..<40), as: Studio.self)
    await #expect(throws: PagedServer.Down.self) {
      try await store.sync(pages: Self.pages(from: nil, failingAt: 20), as: Studio.self)
    }
    let failed = try StoreDump(store)
    let pages = Self.pages(from: try await store.cursor(for: Studio.self))
    let report = try await store.sync(pages: pages, as: Studio.self)
    #expect(report.softDeleted == 10)
    return [failed, try StoreDump(store)]
  }

  @Test func storesWithEqualSeedsAreEqual() async throws {
    let states = try await states(of: .seeded(1))
    #expect(try await self.states(of: .seeded(1)) == states)
    let names = try await zip(self.states(of: .seeded(2, start: 0)), states).map { $0.names(besides: $1) }
    // The seed of the run and its hashes, then the times of the soft deletions.
    #expect(names == [["syncline_mark", "syncline_run"], ["Studio"]])
  }

  @Test func softDeletesUseTheConfiguredTime() async throws {
    var configuration = SyncConfiguration()
    let time = Date(timeIntervalSince1970: 1_000_000)
    configuration.sources = TimeAndRandomness(random: { 0 }, now: { time })
    let store = try SynclineTestsSchema.makeStore(configuration)
    try await store.sync(payload: Self.studios(0..<1), as: Studio.self)
    try await store.sync(payload: "[]", as: Studio.self)
    #expect(try await store.database.read { try Studio.fetchOne($0)?.deletedAt } == time)
  }

  @Test func storesWithDefaultSourcesDiffer() async throws {
    let system = SyncConfiguration().sources
    let states = try await states(of: system)
    #expect(try await self.states(of: system)[0] != states[0])
  }
}
