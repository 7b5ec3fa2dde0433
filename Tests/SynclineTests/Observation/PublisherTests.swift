import Foundation
import Observation
import SynclineTesting
import Testing

@testable import Syncline

/// Observed reads for views.
@MainActor @Suite struct PublisherTests {
  private let folder = TemporaryFolder()

  private func makeTasks() async throws -> SyncContainer {
    let store = try makeStore(in: folder)
    try await store.sync(
      payload: """
        [{"id": 1, "title": "b", "project": {"id": 1, "name": "P"}}, {"id": 2, "title": "a", "project_id": 1},
         {"id": 3, "title": "c"}]
        """, as: Task.self)
    return store
  }

  /// Waits for changes of the observed values until a condition is true.
  private func wait(until condition: @escaping @MainActor () -> Bool) async {
    while true {
      let (changes, change) = AsyncStream.makeStream(of: Void.self)
      let isMet = withObservationTracking(condition) { change.yield() }
      if isMet { return }
      for await _ in changes { break }
    }
  }

  @Test func publishedRowsAreUpdatedWithTheStore() async throws {
    let store = try await makeTasks()
    let publisher = SyncQueryPublisher(
      Task.self, in: store, where: Task.Columns.id < 3, orderBy: [Task.Columns.title], limit: 5)
    #expect(!publisher.isLoaded && publisher.rows.isEmpty && publisher.error == nil)
    await wait { publisher.isLoaded }
    #expect(publisher.rows.map(\.title) == ["a", "b"])
    try await store.sync(item: #"{"id": 1, "title": "0"}"#, as: Task.self)
    await wait { publisher.rows.first?.title == "0" }
    #expect(publisher.rows.map(\.id) == [1, 2])
  }

  @Test func relatedRowsAreUpdatedWithTheStore() async throws {
    let store = try await makeTasks()
    let publisher = SyncQueryPublisher(
      Task.self, in: store, orderBy: [Task.Columns.title], relationship: \.project, relationshipID: 1)
    await wait { publisher.rows.map(\.title) == ["a", "b"] }
    try await store.sync(item: #"{"id": 3, "project_id": 1}"#, as: Task.self)
    await wait { publisher.rows.map(\.title) == ["a", "b", "c"] }
  }

  @Test func publishedRowIsUpdatedWithTheStore() async throws {
    let store = try await makeTasks()
    let publisher = SyncModelPublisher(Task.self, id: 1, in: store)
    #expect(publisher.row == nil && !publisher.isLoaded)
    await wait { publisher.row?.title == "b" }
    #expect(publisher.isLoaded)
    try await store.sync(payload: "[]", as: Task.self)
    await wait { publisher.row == nil }
  }

  @Test func rowWhoseIdentityHasANULIsFound() async throws {
    let store = try makeStore(in: folder)
    try await store.sync(
      payload: #"[{"id": "a", "name": "x"}, {"id": "a\u0000b", "name": "y"}]"#, as: Theme.self)
    let theme = SyncModelPublisher(Theme.self, id: "a\0b", in: store, readsImmediately: true)
    #expect(theme.row?.name == "y")
    try await store.sync(item: #"{"id": "a\u0000b", "name": "z"}"#, as: Theme.self)
    await wait { theme.row?.name == "z" }
  }

  @Test func firstRowsAreReadImmediatelyOnRequest() async throws {
    let store = try await makeTasks()
    let tasks = SyncQueryPublisher(
      Task.self, in: store, orderBy: [Task.Columns.title], readsImmediately: true)
    let task = SyncModelPublisher(Task.self, id: 2, in: store, readsImmediately: true)
    #expect(tasks.isLoaded && tasks.rows.map(\.title) == ["a", "b", "c"])
    #expect(task.isLoaded && task.row?.title == "a")
    // A later read in the background is not a change.
    let isChanged = Flagged()
    withObservationTracking {
      _ = (tasks.rows, task.row)
    } onChange: {
      isChanged.set()
    }
    try await store.settle()
    try await _Concurrency.Task { @MainActor in try await store.settle() }.value
    #expect(!isChanged.isSet)
    try await store.sync(item: #"{"id": 2, "title": "z"}"#, as: Task.self)
    await wait { tasks.rows.last?.title == "z" && task.row?.title == "z" }
  }

  @Test func aFailureIsShownAndTheRowsAreKept() async throws {
    let store = try await makeTasks()
    let publisher = SyncQueryPublisher(Task.self, in: store, orderBy: [Task.Columns.title])
    let row = SyncModelPublisher(Task.self, id: 1, in: store)
    await wait { publisher.isLoaded && row.isLoaded }
    try await store.database.write { try $0.execute(sql: "UPDATE Task SET updatedAt = 'never' WHERE id = 1") }
    await wait { publisher.error is SyncError && row.error is SyncError }
    #expect(publisher.rows.map(\.title) == ["a", "b", "c"] && row.row?.title == "b")
    try await store.database.write {
      try $0.execute(sql: "UPDATE Task SET updatedAt = NULL, title = 'corrected' WHERE id = 1")
    }
    await wait { publisher.error == nil && row.error == nil }
    #expect(publisher.rows.last?.title == "corrected" && row.row?.title == "corrected")
  }

  @Test func aPublisherThatIsReleasedStops() async throws {
    let store = try await makeTasks()
    var publisher: SyncQueryPublisher<Task>? = SyncQueryPublisher(Task.self, in: store)
    var row: SyncModelPublisher<Task>? = SyncModelPublisher(Task.self, id: 1, in: store)
    weak let releasedPublisher = publisher
    weak let releasedRow = row
    await wait { [publisher, row] in publisher?.isLoaded == true && row?.isLoaded == true }
    #expect(store.hub.isFollowed)
    (publisher, row) = (nil, nil)
    try await store.settle()
    #expect(releasedPublisher == nil && releasedRow == nil)
    #expect(!store.hub.isFollowed)
  }

  @Test func publisherOutlivesItsContainer() async throws {
    var store: SyncContainer? = try await makeTasks()
    let database = try #require(store).database
    let publisher = SyncQueryPublisher(Task.self, in: try #require(store))
    await wait { publisher.isLoaded }
    weak let released = store
    store = nil
    // The last call may still retain it.
    while released != nil { await _Concurrency.Task.yield() }
    #expect(publisher.rows.count == 3)
    // A remaining reference to the database can still write, and the change is observed.
    try await database.write { _ = try Task.deleteAll($0) }
    await wait { publisher.rows.isEmpty }
  }
}

private final class Flagged: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false
  func set() { lock.withLock { value = true } }
  var isSet: Bool { lock.withLock { value } }
}
