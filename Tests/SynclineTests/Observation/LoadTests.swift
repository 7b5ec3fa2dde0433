import Foundation
import Observation
import SynclineTesting
import Testing

@testable import Syncline

/// Reads combined with a load, and submissions.
@MainActor @Suite struct LoadTests {
  /// A server that responds when the test says so, in the order of the requests.
  private actor Server {
    private var requests: [CheckedContinuation<String, any Error>] = []
    private var arrivals: [CheckedContinuation<Void, Never>] = []
    private(set) var count = 0
    private(set) var cancelled = 0
    /// The error of a cancelled request, which differs between libraries.
    private var cancellation: any Error = CancellationError()

    func throwWhenCancelled(_ error: any Error) { cancellation = error }

    func request() async throws -> String {
      count += 1
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          requests.append(continuation)
          for arrival in arrivals { arrival.resume() }
          arrivals = []
        }
      } onCancel: {
        _Concurrency.Task { await self.cancelFirst() }
      }
    }

    private func cancelFirst() {
      guard !requests.isEmpty else { return }
      cancelled += 1
      requests.removeFirst().resume(throwing: cancellation)
    }

    /// Waits until there is a request.
    func requested() async {
      if requests.isEmpty { await withCheckedContinuation { arrivals.append($0) } }
    }

    func answer(_ result: Result<String, any Error>) async {
      await requested()
      requests.removeFirst().resume(with: result)
    }
  }

  private struct Offline: LocalizedError {
    var errorDescription: String? { "The server cannot be reached." }
  }

  private let server = Server()
  private let folder = TemporaryFolder()

  private func makePublisher(_ store: SyncContainer) -> SyncedQueryPublisher<Tag> {
    SyncedQueryPublisher(Tag.self, in: store, orderBy: [Tag.Columns.name]) { [server] in
      try await store.sync(payload: try await server.request(), as: Tag.self)
    }
  }

  private func wait(until condition: @escaping @MainActor () -> Bool) async {
    while true {
      let (changes, change) = AsyncStream.makeStream(of: Void.self)
      if withObservationTracking(condition, onChange: { change.yield() }) { return }
      for await _ in changes { break }
    }
  }

  @Test func storedRowsAreShownWhileLoading() async throws {
    let store = try makeStore()
    try await store.sync(item: #"{"id": 1, "name": "stored"}"#, as: Tag.self)
    let publisher = makePublisher(store)
    #expect(publisher.phase == .idle)
    async let load: Void = publisher.load()
    await wait { publisher.phase == .loading && publisher.rows.map(\.name) == ["stored"] }
    await server.answer(.success(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#))
    await load
    #expect(publisher.phase == .loaded && publisher.error == nil)
    await wait { publisher.rows.map(\.name) == ["a", "b"] }
  }

  /// The reader is blocked, as if it had much to read: the load has committed, but its rows are not shown yet.
  @Test func loadEndsOnlyWhenItsRowsArePublished() async throws {
    let store = try makeStore(in: folder)
    let (commits, commit) = AsyncStream.makeStream(of: Void.self)
    let publisher = SyncedQueryPublisher(Tag.self, in: store) {
      try await store.sync(payload: #"[{"id": 1, "name": "a"}]"#, as: Tag.self)
      commit.yield()
    }
    let row = SyncedModelPublisher(Tag.self, id: 1, in: store) {
      try await store.sync(item: #"{"id": 1, "name": "b"}"#, as: Tag.self)
      commit.yield()
    }
    func expectRows(
      _ phase: @MainActor () -> SyncLoadPhase, _ load: @MainActor @escaping () async -> Void,
      _ name: @MainActor () -> String?, _ expected: String
    ) async {
      let gate = DispatchSemaphore(value: 0)
      let (holds, hold) = AsyncStream.makeStream(of: Void.self)
      let following = store.hub.follow(
        Probe {
          hold.yield()
          gate.wait()
          // The reader can continue.
          gate.signal()
        })
      for await _ in holds { break }
      let loading = _Concurrency.Task { await load() }
      for await _ in commits { break }
      for _ in 0..<100 { await _Concurrency.Task.yield() }
      #expect(phase() == .loading)
      gate.signal()
      await loading.value
      #expect(phase() == .loaded && name() == expected)
      withExtendedLifetime(following) {}
    }
    await expectRows({ publisher.phase }, { await publisher.load() }, { publisher.rows.first?.name }, "a")
    await expectRows({ row.phase }, { await row.load() }, { row.row?.name }, "b")
  }

  /// An observer of the phase sees the rows that belong to it.
  @Test(arguments: [true, false]) func rowsAndPhaseChangeTogether(inFile: Bool) async throws {
    let store = try makeStore(in: inFile ? folder : nil)
    let publisher = SyncedQueryPublisher(Tag.self, in: store) {
      try await store.sync(payload: #"[{"id": 1, "name": "a"}]"#, as: Tag.self)
    }
    async let load: Void = publisher.load()
    await wait { publisher.phase == .loaded }
    #expect(publisher.rows.map(\.name) == ["a"])
    await load
  }

  @Test func loadEndsEvenIfItsRowsCannotBeRead() async throws {
    let store = try makeStore(in: folder)
    let publisher = SyncedQueryPublisher(Tag.self, in: store) {
      try await store.sync(payload: #"[{"id": 1, "name": "a"}]"#, as: Tag.self)
      try store.database.close()
    }
    await publisher.load()
    #expect(publisher.phase == .loaded && publisher.error is DatabaseError)
  }

  @Test func aFailureIsShownAndTheRowsAreKept() async throws {
    let store = try makeStore()
    try await store.sync(item: #"{"id": 1, "name": "stored"}"#, as: Tag.self)
    let publisher = makePublisher(store)
    async let load: Void = publisher.load()
    await server.answer(.failure(Offline()))
    await load
    #expect(publisher.phase == .failed("The server cannot be reached.") && publisher.error is Offline)
    await wait { publisher.rows.map(\.name) == ["stored"] }
    // A payload that cannot be synced is also a failure.
    async let second: Void = publisher.load()
    await server.answer(.success("[1]"))
    await second
    guard case .failed(let reason) = publisher.phase else {
      Issue.record("\(publisher.phase)")
      return
    }
    #expect(reason.contains("Tag"))
    async let third: Void = publisher.load()
    await server.answer(.success(#"[{"id": 1, "name": "new"}]"#))
    await third
    #expect(publisher.phase == .loaded && publisher.error == nil)
  }

  @Test func aSecondLoadJoinsTheFirst() async throws {
    let publisher = makePublisher(try makeStore())
    async let first: Void = publisher.load()
    await server.requested()
    async let second: Void = publisher.load()
    while publisher.waiting < 2 { await _Concurrency.Task.yield() }
    await server.answer(.success("[]"))
    // A waiting task sees the phase after the load.
    await second
    #expect(publisher.phase == .loaded)
    await first
    #expect(await server.count == 1)
  }

  @Test func secondLoadReplacesTheFirstOnRequest() async throws {
    let store = try makeStore()
    let publisher = makePublisher(store)
    async let first: Void = publisher.load()
    await server.requested()
    async let second: Void = publisher.load(.replacing)
    await first
    #expect(publisher.phase == .loading)
    await server.answer(.success(#"[{"id": 2, "name": "second"}]"#))
    await second
    #expect(await server.cancelled == 1 && publisher.phase == .loaded)
    await wait { publisher.rows.map(\.name) == ["second"] }
  }

  @Test(arguments: [URLError(.cancelled), CancellationError(), SyncError.cancelled] as [any Error])
  func aCancelledLoadLeavesThePhaseAsItWas(error: any Error) async throws {
    await server.throwWhenCancelled(error)
    let publisher = makePublisher(try makeStore())
    async let first: Void = publisher.load()
    await server.requested()
    publisher.cancel()
    await first
    #expect(publisher.phase == .idle && publisher.error == nil)
    async let second: Void = publisher.load()
    await server.answer(.success("[]"))
    await second
    async let third: Void = publisher.load()
    await server.requested()
    publisher.cancel()
    await third
    #expect(publisher.phase == .loaded)
  }

  /// A cancelled load may not have ended yet when a view starts another one.
  @Test func aCancelledLoadIsNotJoined() async throws {
    let publisher = makePublisher(try makeStore())
    async let first: Void = publisher.load()
    await server.requested()
    publisher.cancel()
    async let second: Void = publisher.load()
    await first
    await server.answer(.success(#"[{"id": 1, "name": "a"}]"#))
    await second
    #expect(await server.count == 2 && publisher.phase == .loaded)
  }

  @Test func loadIsCancelledOnlyWithItsLastWaiter() async throws {
    let state = LoadState<Void> { [server] in _ = try await server.request() }
    let first = _Concurrency.Task { await state.run((), .joining) }
    await server.requested()
    let second = _Concurrency.Task { await state.run((), .joining) }
    while state.waiting < 2 { await _Concurrency.Task.yield() }
    first.cancel()
    // The load continues for the second task.
    await server.answer(.success("[]"))
    _ = await (first.value, second.value)
    #expect(state.phase == .loaded)
    let third = _Concurrency.Task { await state.run((), .joining) }
    await server.requested()
    third.cancel()
    await third.value
    #expect(await server.cancelled == 1 && state.phase == .loaded)
  }

  @Test func aPublisherThatIsReleasedStops() async throws {
    let store = try makeStore()
    var publisher: SyncedQueryPublisher<Tag>? = makePublisher(store)
    weak let released = publisher
    let load = _Concurrency.Task { [publisher] in await publisher?.load() }
    await server.requested()
    publisher = nil
    load.cancel()
    await load.value
    #expect(released == nil && !store.hub.isFollowed)
    #expect(await server.cancelled == 1)
  }

  @Test func aRowIsLoaded() async throws {
    let store = try makeStore()
    let publisher = SyncedModelPublisher(Tag.self, id: 7, in: store) { [server] in
      try await store.sync(item: try await server.request(), as: Tag.self)
    }
    async let load: Void = publisher.load()
    await wait { publisher.isLoaded && publisher.phase.isLoading }
    #expect(publisher.row == nil)
    await server.answer(.success(#"{"id": 7, "name": "seven"}"#))
    await load
    await wait { publisher.row?.name == "seven" && publisher.phase == .loaded }
  }

  @Test func aSubmissionIsSentOnceAndItsAnswerIsStored() async throws {
    let store = try makeStore()
    let saving = SyncSubmissionDriver { [server] (draft: Tag) in
      _ = try await store.export(draft)
      try await store.sync(item: try await server.request(), as: Tag.self)
    }
    #expect(saving.phase == .idle)
    async let first: Void = saving.submit(Tag(id: 1, name: "draft"))
    await server.requested()
    async let second: Void = saving.submit(Tag(id: 1, name: "draft"))
    while saving.waiting < 2 { await _Concurrency.Task.yield() }
    await server.answer(.success(#"{"id": 1, "name": "saved"}"#))
    _ = await (first, second)
    #expect(saving.phase == .loaded)
    #expect(await server.count == 1)
    #expect(try store.pick(Tag.self, "name") == [["saved"]])
    async let failing: Void = saving.submit(Tag(id: 1, name: "again"))
    await server.answer(.failure(Offline()))
    await failing
    #expect(saving.phase == .failed("The server cannot be reached."))
  }
}
