import Foundation
import GRDB
import Syncline

/// The time from a write to the observer's rows, for a list of a hundred rows that a sync changes.
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
    registerReads()
  }

  /// Reads a hundred rows, again and again, while syncs of ten thousand run one after another.
  private static func registerReads() {
    let payloads = Lazy { [nil, 10].map { ArticleData.payload(rows: 1...10_000, changedEvery: $0) } }
    let syncs = Syncs()
    sharedWorkload(
      "10 100 rows read during a sync", .syncline, iterations: 1_000, countsWork: false,
      prepare: {
        let store = try await Filled.articles(10_000)
        try await syncs.start(in: store, payloads.value())
        return store
      }
    ) { store, iteration in
      let first = iteration * 97 % 9_900
      _ = try await store.database.read { db in
        try Article.filter(Article.Columns.id > first).order(Article.Columns.id).limit(100).fetchAll(db)
      }
    }
  }
}

/// Runs syncs until the store is deallocated.
private actor Syncs {
  func start(in store: Store, _ payloads: [Data]) {
    let container = store.container
    _Concurrency.Task { [weak store] in
      var round = 0
      while store != nil {
        round += 1
        try await container.sync(payload: payloads[round % 2], as: Article.self)
      }
    }
  }
}

/// Waits for the results of an observation of one board's cards.
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
