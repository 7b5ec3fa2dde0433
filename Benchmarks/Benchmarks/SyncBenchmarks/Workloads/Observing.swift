import Foundation
import GRDB
import Syncline

/// From the write to the observer's rows: a scope of a hundred rows, changed by a sync.
enum Observing {
  static func register() {
    let board = 50
    let name = "10 write → observer has 100 rows"
    let lists = Lazy { [nil, 10].map { WorkspaceData.cards(of: board, changedEvery: $0) } }
    let filled: @Sendable () async throws -> Store = { try await Filled.cards(10_000) }
    let observer = Observer()
    sharedWorkload(name, .syncline, iterations: 200, prepare: filled) { store, iteration in
      try await observer.observe(store, board)
      try await store.container.sync(
        payload: lists.value()[iteration % 2], as: Card.self, parent: board, relationship: \.board)
      try await observer.next()
    }
  }
}

/// Waits for what an observation of one board's cards delivers.
private actor Observer {
  private var cancellable: AnyDatabaseCancellable?
  private var iterator: AsyncStream<Int>.AsyncIterator?
  private var observed: ObjectIdentifier?

  func observe(_ store: Store, _ board: Int) async throws {
    guard observed != ObjectIdentifier(store) else { return }
    observed = ObjectIdentifier(store)
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let observation = ValueObservation.tracking { db in
      try Card.filter(Column("board") == board).fetchAll(db)
    }
    cancellable = observation.removeDuplicates().start(
      in: store.database, scheduling: .async(onQueue: .global()), onError: { _ in continuation.finish() },
      onChange: { continuation.yield($0.count) })
    iterator = stream.makeAsyncIterator()
    try await next()
  }

  func next() async throws {
    var current = iterator
    _ = await current?.next(isolation: self)
    iterator = current
  }
}
