import Foundation
import Syncline

/// A list endpoint: first sync, the same again, some rows changed.
enum Lists {
  static let rows = 100_000

  static func register() {
    register(Article.self, Int.self, .integer, "integer keys")
    register(Document.self, String.self, .text, "text keys")
    registerChanges()
  }

  private static func register<Model: SyncUpdatableModel, ID: ArticleIdentity>(
    _ model: Model.Type, _ type: ID.Type, _ identity: ArticleData.Identity, _ label: String
  ) {
    let payload = Lazy { ArticleData.payload(rows: 1...rows, identity) }
    let records = Lazy {
      try HandWritten.decoder.decode([ArticleTransferObject<ID>].self, from: payload.value()).map(\.record)
    }
    let filled: @Sendable () async throws -> Store = {
      let store = try Store()
      try await store.container.sync(payload: payload.value(), as: Model.self)
      return store
    }
    let empty: @Sendable () async throws -> Store = {
      // Made before, not within the measured work.
      _ = try records.value()
      return try Store()
    }

    let first = "1 first sync of 100k rows, \(label)"
    workload(first, .syncline, prepare: empty) { store in
      try await store.container.sync(payload: payload.value(), as: Model.self)
    }
    workload(first, .floor, prepare: empty) { store in
      try Floor.scan(payload.value())
      try await Floor.insert(records.value(), in: store)
    }
    workload(first, .handWritten, iterations: 3, prepare: empty) { store in
      try await HandWritten.sync(payload.value(), ID.self, in: store)
    }
    workload(first, .manual, iterations: 3, prepare: empty) { store in
      try await Manual.sync(payload.value(), ID.self, in: store)
    }

    let again = "2 the same again, \(label)"
    sharedWorkload(again, .syncline, prepare: filled) { store, _ in
      try await store.container.sync(payload: payload.value(), as: Model.self)
    }
    sharedWorkload(again, .floor, prepare: filled) { store, _ in
      try Floor.scan(payload.value())
      try await Floor.select(ID.table, in: store)
    }
    sharedWorkload(again, .handWritten, iterations: 3, prepare: filled) { store, _ in
      try await HandWritten.sync(payload.value(), ID.self, in: store)
    }
    sharedWorkload(again, .manual, iterations: 3, prepare: filled) { store, _ in
      try await Manual.sync(payload.value(), ID.self, in: store)
    }
  }

  private static func registerChanges() {
    let payload = Lazy { ArticleData.payload(rows: 1...rows) }
    let changed = Lazy { ArticleData.payload(rows: 1...rows, changedEvery: 100) }
    let records = Lazy {
      try HandWritten.decoder.decode([ArticleTransferObject<Int>].self, from: payload.value()).map(\.record)
    }
    let filled: @Sendable () async throws -> Store = {
      _ = (try changed.value(), try records.value())
      let store = try Store()
      try await store.container.sync(payload: payload.value(), as: Article.self)
      return store
    }
    let name = "3 1 % of rows changed"
    workload(name, .syncline, prepare: filled) { store in
      try await store.container.sync(payload: changed.value(), as: Article.self)
    }
    workload(name, .floor, prepare: filled) { store in
      try Floor.scan(changed.value())
      try await Floor.update(every: 100, of: records.value(), in: store)
    }
    workload(name, .handWritten, iterations: 3, prepare: filled) { store in
      try await HandWritten.sync(changed.value(), Int.self, in: store)
    }
    workload(name, .manual, iterations: 3, prepare: filled) { store in
      try await Manual.sync(changed.value(), Int.self, in: store)
    }
  }
}
