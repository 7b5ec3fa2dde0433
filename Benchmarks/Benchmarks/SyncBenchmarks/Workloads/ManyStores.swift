import Benchmark
import Foundation
import GRDB
import Syncline

/// A store for each of a thousand users, of which at most 32 are open. One is opened and synced.
enum ManyStores {
  static let count = 1_000
  static let open = 32

  static func register() {
    let name = "30 one of 1,000 stores is opened and synced"
    let items = Lazy { [false, true].map { ArticleData.item(50, isChanged: $0) } }
    let folder = Lazy { try StoreFolder() }
    registerRound(name, .syncline, folder) { file in
      try SyncContainer(for: SyncBenchmarksSchema.self, storage: .file(file))
    } sync: { store, iteration in
      try await store.sync(item: items.value()[iteration / count % 2], as: Article.self)
    } close: {
      try $0.database.close()
    }
    registerRound(name, .floor, folder) { file in
      try DatabasePool(path: file.path)
    } sync: { pool, iteration in
      try await pool.write { db in
        try db.execute(sql: "UPDATE Article SET title = ? WHERE id = 50", arguments: ["title \(iteration)"])
      }
    } close: {
      try $0.close()
    }
  }

  private static func registerRound<Opened: Sendable>(
    _ name: String, _ contestant: Contestant, _ folder: Lazy<StoreFolder>,
    open: @escaping @Sendable (URL) throws -> Opened,
    sync: @escaping @Sendable (Opened, Int) async throws -> Void,
    close: @escaping @Sendable (Opened) throws -> Void
  ) {
    let opened = OpenStores<Opened>()
    Benchmark("\(name) · \(contestant.rawValue)", configuration: configuration(2 * count)) { benchmark in
      let folder = try folder.value()
      let iteration = opened.next()
      // Each store is used once in a thousand iterations, far from the previous one.
      let file = folder.file(iteration * 617 % count)
      benchmark.startMeasurement()
      if let oldest = opened.oldest(beyond: ManyStores.open - 1) { try close(oldest) }
      let store = try open(file)
      opened.add(store)
      try await sync(store, iteration)
      benchmark.stopMeasurement()
    } teardown: {
      while let store = opened.oldest(beyond: 0) { try close(store) }
    }
  }
}

/// The open stores, oldest first.
private final class OpenStores<Opened: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var stores: [Opened] = []
  private var number = 0

  func next() -> Int {
    lock.withLock {
      defer { number += 1 }
      return number
    }
  }

  func oldest(beyond count: Int) -> Opened? {
    lock.withLock { stores.count > count ? stores.removeFirst() : nil }
  }

  func add(_ store: Opened) { lock.withLock { stores.append(store) } }
}

/// A thousand stores in files, closed.
private final class StoreFolder: Sendable {
  private let folder: BenchmarkFolder

  init() throws {
    folder = try BenchmarkFolder()
    let first = file(0)
    let store = try SyncContainer(for: SyncBenchmarksSchema.self, storage: .file(first))
    try store.database.write { try $0.execute(sql: ArticleData.insertion(of: 100)) }
    try store.database.close()
    for number in 1..<ManyStores.count { try FileManager.default.copyItem(at: first, to: file(number)) }
    // Otherwise the first commits would wait until all copies are on the disk.
    sync()
  }

  func file(_ number: Int) -> URL { folder.file("\(number).sqlite") }
}
