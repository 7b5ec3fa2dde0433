import Foundation
import Syncline
import Testing

extension CountedWork {
  /// Counts how often observed queries are fetched. The tests wait for notifications without a time limit.
  @Suite struct Fetches {
    private let folder = TemporaryFolder()

    /// An observed query of tasks, with the number of its fetches.
    private struct Observed {
      let store: SyncContainer
      private let count: Count
      private var values: AsyncValueObservation<[String]>.AsyncIterator

      /// The closure of an observation runs on the queues of the database.
      private final class Count: @unchecked Sendable {
        private let lock = NSLock()
        private var value = 0

        func increment() { lock.withLock { value += 1 } }
        var current: Int { lock.withLock { value } }
      }

      init(in folder: TemporaryFolder, _ fetch: @escaping @Sendable (Database) throws -> [String])
        async throws
      {
        store = try await makeTracker(20, in: folder)
        let count = Count()
        self.count = count
        let observation = ValueObservation.tracking { database in
          count.increment()
          return try fetch(database)
        }
        values = observation.values(in: store.database).makeAsyncIterator()
        // An observation of a pool fetches twice at its start if there are no snapshots. A change after the first fetch is
        // included in the second.
        _ = try await values.next()
        try await change(to: "started")
      }

      /// Changes a task, and waits until the query has returned the change.
      mutating func change(to title: String) async throws {
        try await store.sync(item: #"{"id": 7, "title": "\#(title)"}"#, as: Task.self)
        while let titles = try await values.next(), !titles.contains(title) {}
      }

      /// The number of fetches for a sync. A real change follows, which causes one more fetch.
      mutating func fetches(for sync: (SyncContainer) async throws -> Void) async throws -> Int {
        let start = count.current
        try await sync(store)
        try await change(to: "changed \(UUID())")
        return count.current - start - 1
      }
    }

    private let allTitles: @Sendable (Database) throws -> [String] = { database in
      try Task.order(Task.Columns.id).fetchAll(database).map(\.title)
    }

    @Test func aSyncOfAnotherModelFetchesNothing() async throws {
      var observed = try await Observed(in: folder, allTitles)
      #expect(
        try await observed.fetches { try await $0.sync(item: #"{"id": 1, "color": "red"}"#, as: Flag.self) }
          == 0)
      #expect(
        try await observed.fetches { try await $0.sync(item: #"{"id": 1, "name": "new"}"#, as: User.self) }
          == 0)
      #expect(
        try await observed.fetches { try await $0.sync(item: #"{"id": 9, "name": "new"}"#, as: Project.self) }
          == 0)
    }

    @Test func anUnchangedSyncFetchesNothing() async throws {
      var observed = try await Observed(in: folder, allTitles)
      let rows = payload(1...20) { $0 == 7 ? #"{"id": 7}"# : trackerTask($0) }
      #expect(try await observed.fetches { try await $0.sync(payload: rows, as: Task.self) } == 0)
      #expect(try await observed.fetches { try await $0.sync(item: trackerTask(3), as: Task.self) } == 0)
    }

    @Test func changeOfManyRowsIsFetchedOnce() async throws {
      var observed = try await Observed(in: folder, allTitles)
      let rows = payload(1...20) { trackerTask($0, title: "all") }
      #expect(try await observed.fetches { try await $0.sync(payload: rows, as: Task.self) } == 1)
    }

    @Test func aChangeOfOtherColumnsFetchesNothing() async throws {
      var observed = try await Observed(in: folder) { database in
        try Task.select(Task.Columns.title, as: String.self).fetchAll(database)
      }
      let rows = payload(1...20) { #"{"id": \#($0), "estimate": 99, "project_id": 2}"# }
      #expect(try await observed.fetches { try await $0.sync(payload: rows, as: Task.self) } == 0)
    }

    @Test func aChangeOfOtherRowsFetchesNothing() async throws {
      var observed = try await Observed(in: folder) { database in
        try Task.filter(key: 7).fetchAll(database).map(\.title)
      }
      let rows = payload(1...20) { $0 == 7 ? #"{"id": 7}"# : trackerTask($0, title: "others") }
      #expect(try await observed.fetches { try await $0.sync(payload: rows, as: Task.self) } == 0)
    }
  }
}
