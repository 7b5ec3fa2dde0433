import Foundation
import GRDB
import OfflineModels
import Syncline

/// The overhead of recording local edits: each workload runs on a model with `@Offline`, and on the same model without it, which
/// is listed as the floor.
enum Offline {
  private static let rows = 100_000
  private static let pending = 1_000
  private static let list = Lazy { ArticleData.payload(rows: 1...rows) }
  private static let changed = Lazy { ArticleData.payload(rows: 1...rows, changedEvery: 1) }
  private static let items = Lazy { [false, true].map { ArticleData.item(rows / 2, isChanged: $0) } }

  static func register() {
    register(Draft.self, .syncline, OfflineStores.drafts)
    register(Print.self, .floor, OfflineStores.prints)
    for (name, edits) in [("nothing", 0), ("1,000 rows", pending)] {
      sharedWorkload("25 asking what is pending, \(name)", .syncline, iterations: 100) {
        try await filled(Draft.self, OfflineStores.drafts, edits: edits)
      } work: { store, _ in
        _ = try await store.container.hasPendingChanges()
      }
    }
    sharedWorkload("25 listing 1,000 pending rows", .syncline, iterations: 20) {
      try await filled(Draft.self, OfflineStores.drafts, edits: pending)
    } work: { store, _ in
      _ = try await store.container.pendingChanges(for: Draft.self)
    }
    for count in [1_000, 10_000] {
      workload("25 draining \(Single.short(count)) edits", .syncline, iterations: 3) {
        try await filled(Draft.self, OfflineStores.drafts, edits: count)
      } work: { store in
        try await store.container.drainPendingChanges { SyncPush(Draft.self) { _ in .confirmed } }
      }
    }
  }

  private static func register<Model: SyncUpdatableModel>(
    _ model: Model.Type, _ contestant: Contestant, _ models: OfflineStores
  ) {
    let empty: @Sendable () async throws -> Store = { try Store(of: models.schema) }
    let full: @Sendable () async throws -> Store = { try await filled(model, models, edits: 0) }
    // Without `@Offline`, these are ordinary edits.
    let edited: @Sendable () async throws -> Store = { try await filled(model, models, edits: pending) }
    workload("25 first sync of 100k rows", contestant, prepare: empty) {
      try await $0.container.sync(payload: list.value(), as: model)
    }
    sharedWorkload("25 the same again, nothing pending", contestant, prepare: full) { store, _ in
      try await store.container.sync(payload: list.value(), as: model)
    }
    workload("25 all rows changed, nothing pending", contestant, prepare: full) {
      try await $0.container.sync(payload: changed.value(), as: model)
    }
    sharedWorkload("25 the same again, 1,000 rows pending", contestant, prepare: edited) { store, _ in
      try await store.container.sync(payload: list.value(), as: model)
    }
    sharedWorkload("25 one changed item, nothing pending", contestant, iterations: 200, prepare: full) {
      try await $0.container.sync(item: items.value()[$1 % 2], as: model)
    }
    sharedWorkload("25 one changed item, 1,000 rows pending", contestant, iterations: 50, prepare: edited) {
      try await $0.container.sync(item: items.value()[$1 % 2], as: model)
    }
    sharedWorkload("25 1,000 edits, each the first of its row", contestant, iterations: 50, prepare: full) {
      let first = ($1 * 1_000) % (rows - 1_000)
      try await edit($0, model, first + 1...first + 1_000)
    }
    sharedWorkload("25 1,000 edits of one row", contestant, iterations: 50, prepare: full) { store, _ in
      try await edit(store, model, 7...7, times: 1_000)
    }
  }

  private static func filled<Model: SyncUpdatableModel>(
    _ model: Model.Type, _ models: OfflineStores, edits: Int
  ) async throws -> Store {
    let store = try Store(of: models.schema)
    try await store.container.sync(payload: list.value(), as: model)
    if edits > 0 { try await edit(store, model, 1...edits) }
    return store
  }

  /// Edits rows like an app: each by a separate statement, in one transaction.
  private static func edit<Model: SyncUpdatableModel>(
    _ store: Store, _ model: Model.Type, _ rows: ClosedRange<Int>, times: Int = 1
  ) async throws {
    try await store.database.write { database in
      let statement = try database.cachedStatement(
        sql: "UPDATE \(model.databaseTableName) SET title = ? WHERE id = ?")
      for number in 0..<times {
        for row in rows { try statement.execute(arguments: ["edited \(number)", row]) }
      }
    }
  }
}
