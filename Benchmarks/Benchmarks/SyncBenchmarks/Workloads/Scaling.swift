import Foundation
import Syncline

/// The same work in stores of very different sizes, for the curves in the documentation.
enum Scaling {
  static let sizes = [1_000, 10_000, 100_000, 1_000_000]

  static func register() {
    for size in sizes {
      let articles = Lazy { ArticleData.payload(rows: 1...size) }
      let changed = Lazy { ArticleData.payload(rows: 1...size, changedEvery: 100) }
      let filled: @Sendable () async throws -> Store = {
        let store = try Store()
        try await store.container.sync(payload: articles.value(), as: Article.self)
        return store
      }
      let iterations = size >= 1_000_000 ? 2 : size >= 100_000 ? 3 : 20
      func name(_ curve: String) -> String { "curve: \(curve), \(Single.short(size))" }

      workload(
        name("first sync"), .syncline, iterations: iterations,
        prepare: {
          _ = try articles.value()
          return try Store()
        }
      ) { store in
        try await store.container.sync(payload: articles.value(), as: Article.self)
      }
      sharedWorkload(name("unchanged"), .syncline, iterations: iterations, prepare: filled) { store, _ in
        try await store.container.sync(payload: articles.value(), as: Article.self)
      }
      sharedWorkload(
        name("1 % changed"), .syncline, iterations: iterations,
        prepare: {
          _ = try changed.value()
          return try await filled()
        }
      ) { store, iteration in
        let payload = try iteration % 2 == 1 ? changed.value() : articles.value()
        try await store.container.sync(payload: payload, as: Article.self)
      }
      let items = Lazy { [false, true].map { ArticleData.item(size / 2, isChanged: $0) } }
      sharedWorkload(name("one item"), .syncline, iterations: 200, prepare: filled) { store, iteration in
        try await store.container.sync(item: items.value()[iteration % 2], as: Article.self)
      }
      sharedWorkload(name("export"), .syncline, iterations: iterations, prepare: filled) { store, _ in
        _ = try await store.container.exportData(as: Article.self)
      }
      let board = max(1, size / 200)
      let lists = Lazy { [nil, 10].map { WorkspaceData.cards(of: board, changedEvery: $0) } }
      sharedWorkload(
        name("100 children"), .syncline, iterations: 100, prepare: { try await Filled.cards(size) }
      ) { store, iteration in
        try await store.container.sync(
          payload: lists.value()[iteration % 2], as: Card.self, parent: board, relationship: \.board)
      }
    }
  }
}
