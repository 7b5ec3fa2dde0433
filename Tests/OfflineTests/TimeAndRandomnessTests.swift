import Foundation
import Syncline
import TestSupport
import Testing

/// The keys and times that pushes store come from the configuration.
@Suite struct TimeAndRandomnessTests {
  /// What a store holds after a push of which one change was answered and one was not, and the keys that were sent.
  private func state(_ seed: Int) async throws -> (keys: [String], tables: StoreDump) {
    var configuration = SyncConfiguration()
    configuration.sources = .seeded(seed, start: Double(seed) * 1_000_000)
    let store = try makeStore(configuration)
    try await store.sync(
      payload: #"[{"id": 1, "title": "one"}, {"id": 2, "title": "two"}]"#, as: Task.self,
      requestedAt: store.moment)
    try await store.run("UPDATE Task SET title = 'mine'")
    var keys: [String] = []
    try await store.withPendingChanges(for: Task.self) { changes in
      keys = changes.map(\.key)
      return [1: .confirmed]
    }
    return (keys, try StoreDump(store))
  }

  @Test func pushesWithEqualSeedsAreEqual() async throws {
    let state = try await state(1)
    #expect(state.keys.count == 2 && Set(state.keys).count == 2)
    #expect(state.keys.allSatisfy { UUID(uuidString: $0) != nil })
    let same = try await self.state(1)
    #expect(same.keys == state.keys && same.tables == state.tables)
    let other = try await self.state(2)
    #expect(Set(other.keys).isDisjoint(with: state.keys))
    #expect(other.tables.names(besides: state.tables) == ["syncline_edit_Task", "syncline_moment"])
  }

  /// The clock advances by a millisecond each time it is read.
  @Test func retryDelayOfABatchBeginsWithTheAnswer() async throws {
    var configuration = SyncConfiguration()
    configuration.sources = .seeded(1)
    let store = try makeStore(configuration)
    try await store.sync(payload: #"[{"id": 1, "title": "one"}]"#, as: Task.self)
    try await store.run("UPDATE Task SET title = 'mine'")
    func advance() { for _ in 0..<1_000 { _ = store.moment } }
    try await store.withPendingChanges(for: Task.self) { _ in
      advance()
      return [1: .retry(after: .milliseconds(500))]
    }
    let early = try await store.withPendingChanges(for: Task.self) { _ in [1: .confirmed] }
    #expect(early.sent == 0)
    advance()
    let late = try await store.withPendingChanges(for: Task.self) { _ in [1: .confirmed] }
    #expect(late.confirmed == 1)
  }

  /// A change that is not answered is sent again at once by the process that sent it; another one waits for a minute.
  @Test func pushKeyIdentifiesTheSendingProcess() async throws {
    let folder = TemporaryFolder()
    let file = try folder.file()
    func keys(of seed: Int, at seconds: Double) async throws -> [String] {
      var configuration = SyncConfiguration()
      configuration.sources = .seeded(seed, start: 1_800_000_000 + seconds)
      let store = try SyncContainer(
        for: OfflineTestsSchema.self, storage: .file(file), configuration: configuration)
      if seconds == 0 {
        try await store.sync(payload: #"[{"id": 1, "title": "one"}]"#, as: Task.self)
        try await store.run("UPDATE Task SET title = 'mine'")
      }
      var keys: [String] = []
      try await store.withPendingChanges(for: Task.self) { changes in
        keys = changes.map(\.key)
        return [:]
      }
      return keys
    }
    let sent = try await keys(of: 1, at: 0)
    #expect(sent.count == 1)
    #expect(try await keys(of: 1, at: 10) == sent)
    #expect(try await keys(of: 2, at: 20) == [])
    #expect(try await keys(of: 2, at: 100) == sent)
  }
}
