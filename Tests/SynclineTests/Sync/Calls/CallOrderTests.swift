import Foundation
@testable import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Syncs on one store run in the order in which they were called.
@Suite struct CallOrderTests {
  private let folder = TemporaryFolder()

  /// The stored identities by `rowid`. Labels and items have string identities, so the `rowid` shows the order of insertion.
  private func storedOrder(_ container: SyncContainer, _ table: String = "Label") throws -> [String] {
    try container.database.read { try String.fetchAll($0, sql: "SELECT id FROM \(table) ORDER BY rowid") }
  }

  private static func label(_ number: Int) -> SyncJSON { ["id": .string("\(number)"), "name": "n"] }

  /// An actor that makes calls without waiting for the previous one.
  private actor Caller {
    private var called: [String] = []

    func call(_ count: Int, _ sync: @Sendable @escaping (isolated Caller, Int) async throws -> Void)
      async throws
      -> [String]
    {
      let tasks = (0..<count).map { number in
        _Concurrency.Task {
          called.append("\(number)")
          try await sync(self, number)
        }
      }
      for task in tasks { try await task.value }
      return called
    }
  }

  @Test func callsOfAnActorRunInTheirOrder() async throws {
    let container = try makeStore()
    let called = try await Caller().call(2_000) { _, number in
      try await container.sync(item: CallOrderTests.label(number), as: Label.self)
    }
    #expect(try storedOrder(container) == called)
  }

  @MainActor @Test func callsOfTheMainActorRunInTheirOrder() async throws {
    let container = try makeStore()
    var called: [String] = []
    let tasks = (0..<2_000).map { number in
      _Concurrency.Task { @MainActor in
        called.append("\(number)")
        try await container.sync(item: CallOrderTests.label(number), as: Label.self)
      }
    }
    for task in tasks { try await task.value }
    #expect(try storedOrder(container) == called)
  }

  @Test func callsOfAllKindsRunInTheirOrder() async throws {
    let container = try makeStore()
    try await container.sync(payload: #"[{"id": 1, "title": "T"}]"#, as: Task.self)
    let task = try #require(try await container.database.read { db in try Task.fetchOne(db) })
    let called = try await Caller().call(900) { _, number in
      let row: SyncJSON = ["id": .string("\(number)"), "title": "I", "task_id": 1]
      let keep: DeletionPolicy? = .some(.none)
      switch number % 9 {
      case 0: try await container.sync(payload: [row] as SyncJSON, as: Item.self, deletionPolicy: keep)
      case 1: try await container.sync(payload: [row] as SyncJSON, as: Item.self, deletionPolicy: .none)
      case 2:
        try await container.sync(
          payload: [row] as SyncJSON, as: Item.self, parent: 1, relationship: \.task, deletionPolicy: keep)
      case 3:
        try await container.sync(
          payload: [row] as SyncJSON, as: Item.self, parent: task, relationship: \.task, deletionPolicy: keep)
      case 4:
        try await container.sync(
          payload: [row] as SyncJSON, as: Item.self, parent: 1, relationship: \.task, deletionPolicy: .none)
      case 5:
        try await container.sync(
          payload: [row] as SyncJSON, as: Item.self, parent: task, relationship: \.task, deletionPolicy: .none
        )
      case 6: try await container.sync(item: row, as: Item.self)
      case 7: try await container.sync(item: row, as: Item.self, parent: 1, relationship: \.task)
      default: try await container.sync(item: row, as: Item.self, parent: task, relationship: \.task)
      }
    }
    #expect(try storedOrder(container, "Item") == called)
  }

  /// Makes calls on several containers of one file, one after the other.
  private func expectOneOrder(_ containers: [SyncContainer], _ count: Int = 400) async throws {
    let called = try await Caller().call(count) { _, number in
      try await containers[number % containers.count].sync(item: CallOrderTests.label(number), as: Label.self)
    }
    for container in containers { #expect(try storedOrder(container) == called) }
  }

  @Test func callsOnTwoContainersOfOneFileRunInTheirOrder() async throws {
    let storage = SyncStorage.file(try folder.file("a.sqlite"))
    try await expectOneOrder(
      (0..<2).map { _ in try SyncContainer(for: SynclineTestsSchema.self, storage: storage) })
  }

  @Test func symbolicAndHardLinksToAFileShareOneStore() async throws {
    let file = try folder.file("a.sqlite")
    let first = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    let (soft, hard) = (try folder.file("soft.sqlite"), try folder.file("hard.sqlite"))
    try FileManager.default.createSymbolicLink(at: soft, withDestinationURL: file)
    try FileManager.default.linkItem(at: file, to: hard)
    try await expectOneOrder(
      [first]
        + [soft, hard].map { try SyncContainer(for: SynclineTestsSchema.self, storage: .file($0)) })
    #expect(try await first.check().isIntact)
  }

  @Test func userSuppliedDatabaseSharesStoreOfItsFile() async throws {
    let file = try folder.file("a.sqlite")
    let first = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    let pool = try DatabasePool(path: file.path)
    let second = try SyncContainer(for: SynclineTestsSchema.self, storage: .database(pool))
    #expect(first.store.queue === second.store.queue)
    try await expectOneOrder([first, second])
  }

  @Test func containersOfOneDatabaseInMemoryAreOneStore() async throws {
    let database = try DatabaseQueue()
    let writers: [any DatabaseWriter] = [database, AnyDatabaseWriter(database)]
    try await expectOneOrder(
      writers.map { try SyncContainer(for: SynclineTestsSchema.self, storage: .database($0)) })
  }

  @Test func eachStoreHasItsOwnCallQueue() async throws {
    let stores = [try makeStore(), try makeStore(), try makeStore(in: folder), try makeStore(in: folder)]
    #expect(Set(stores.map { ObjectIdentifier($0.store.queue) }).count == 4)
    // One store is blocked in its queue. The other stores do not wait for it.
    let place = stores[0].store.queue.take()
    for store in stores.dropFirst() { try await store.sync(item: CallOrderTests.label(1), as: Label.self) }
    place.leave()
  }

  @Test func nextCallDoesNotWaitForActorOfPreviousCall() async throws {
    let container = try makeStore()
    let actor = QueueActor()
    let write = await HeldWrite(in: container.database)
    let payload = AnnouncedPayload(CallOrderTests.label(1))
    let first = _Concurrency.Task {
      try await actor.run { _ in try await container.sync(item: payload, as: Label.self) }
    }
    await payload.isRead()
    let isDone = DispatchSemaphore(value: 0)
    let block = _Concurrency.Task { await actor.block(until: isDone) }
    write.end()
    // The first call is finished, but its actor cannot continue.
    try await container.sync(item: CallOrderTests.label(2), as: Label.self)
    isDone.signal()
    await block.value
    _ = try await first.value
    #expect(try storedOrder(container) == ["1", "2"])
  }

  @Test func callsOfAnActorWithCustomExecutorRunInTheirOrder() async throws {
    let container = try makeStore()
    let numbers = try await QueueActor().run { actor in
      let tasks = (0..<500).map { number in
        _Concurrency.Task {
          _ = actor
          try await container.sync(item: CallOrderTests.label(number), as: Label.self)
        }
      }
      for task in tasks { try await task.value }
      return (0..<500).map { "\($0)" }
    }
    #expect(try storedOrder(container) == numbers)
  }

  @Test func callWithFailingPayloadLeavesTheQueue() async throws {
    struct Failing: SyncPayloadConvertible {
      struct Failure: Error {}
      func toSyncPayload() throws -> SyncJSON { throw Failure() }
    }
    let container = try makeStore()
    await #expect(throws: Failing.Failure.self) { try await container.sync(item: Failing(), as: Label.self) }
    await #expect(throws: SyncError.self) { try await container.sync(item: "{", as: Label.self) }
    try await container.sync(item: CallOrderTests.label(1), as: Label.self)
    #expect(container.store.queue.count == 0)
  }

  @Test func callIsQueuedBeforeItsPayloadIsRead() async throws {
    struct Payload: SyncPayloadConvertible {
      let container: SyncContainer
      func toSyncPayload() -> SyncJSON { ["id": .string("\(container.store.queue.count)"), "name": "n"] }
    }
    let container = try makeStore()
    try await container.sync(item: Payload(container: container), as: Label.self)
    #expect(try storedOrder(container) == ["1"])
  }

  @Test func closedStoreIsRemovedFromOpenStores() throws {
    let file = try folder.file("a.sqlite")
    var container: SyncContainer? = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    #expect(OpenStores.shared.openPath(of: file.path) != nil)
    container = nil
    #expect(OpenStores.shared.openPath(of: file.path) == nil)
    _ = container
  }

  /// A deadlock would block the test.
  @Test func storeMayCloseWhileItsFileIsLookedUp() throws {
    let file = try folder.file("a.sqlite")
    try Data().write(to: file)
    let identity = try #require(FileIdentity(path: file.path))
    let group = DispatchGroup()
    for opens in [true, true, false, false] {
      group.enter()
      Thread.detachNewThread {
        for _ in 0..<100_000 {
          if opens {
            _ = OpenStores.shared.queue(of: .file(identity), path: file.path)
          } else {
            _ = OpenStores.shared.openPath(of: file.path)
          }
        }
        group.leave()
      }
    }
    group.wait()
    #expect(OpenStores.shared.openPath(of: file.path) == nil)
  }

  /// A decoded moment may contain any number.
  @Test func momentsStillIncreaseAfterLargestMoment() async throws {
    let last = try JSONDecoder().decode(SyncMoment.self, from: Data(#"{"number": 9223372036854775807}"#.utf8))
    let file = try folder.file()
    // Later moments of all containers with the same clock would be as large.
    var configuration = SyncConfiguration()
    configuration.sources = .seeded(1)
    for _ in 1...2 {
      let container = try SyncContainer(
        for: SynclineTestsSchema.self, storage: .file(file), configuration: configuration)
      try await container.sync(item: #"{"id": "1", "name": "a"}"#, as: Label.self, requestedAt: last)
      let (first, second) = (container.moment, container.moment)
      #expect(first < second)
      try container.database.close()
    }
  }
}
