import Foundation
import GRDB
import Syncline

/// A million rows in pages of a thousand, from a file with one row per line; and the waiting time of a concurrent writer.
enum Pages {
  private static let rows = 1_000_000

  static func register() {
    let lines: @Sendable () async throws -> Store = {
      let store = try Store()
      try ArticleData.writeLines(rows: 1...rows, to: store.file("rows.ndjson"))
      return store
    }
    let filled: @Sendable () async throws -> Store = {
      let store = try await lines()
      try await sync(store)
      return store
    }
    pagedWorkload("24 1M rows in pages of 1,000", .syncline, iterations: 2, prepare: lines, work: sync)
    pagedWorkload(
      "24 the same again", .syncline, iterations: 2, prepare: filled, work: sync)
    foreignWorkload("24 the longest of 100 waits of another writer", .syncline, iterations: 2, prepare: lines)
    {
      try await waitWhileSyncing($0)
    }
  }

  @Sendable private static func sync(_ store: Store) async throws {
    try await store.container.sync(pages: SyncLinePages(of: store.file("rows.ndjson")), as: Article.self)
  }

  /// - Returns: the 99th percentile of the waiting time, in nanoseconds.
  private static func waitWhileSyncing(_ store: Store) async throws -> Int {
    let pages = _Concurrency.Task { try await sync(store) }
    let writer = _Concurrency.Task {
      var waits: [Duration] = []
      while !_Concurrency.Task.isCancelled {
        let start = ContinuousClock.now
        try await store.database.write {
          try $0.execute(sql: "INSERT OR REPLACE INTO User VALUES (1, 'u', NULL)")
        }
        waits.append(ContinuousClock.now - start)
        try? await _Concurrency.Task.sleep(for: .milliseconds(5))
      }
      return waits.sorted()
    }
    try await pages.value
    writer.cancel()
    let waits = try await writer.value
    return waits.isEmpty ? 0 : Int(waits[waits.count * 99 / 100] / .nanoseconds(1))
  }
}
