import Foundation
import Syncline

/// A file of a million rows, synced without reading it into memory.
enum Files {
  static func register() {
    let name = "11 a file of 1M rows"
    let filled: @Sendable () async throws -> Store = {
      let store = try Store()
      try ArticleData.write(rows: 1...1_000_000, to: store.file("payload.json"))
      return store
    }
    mappedWorkload(name, .syncline, iterations: 2, prepare: filled) { store in
      let payload = try Data(contentsOf: store.file("payload.json"), options: .alwaysMapped)
      try await store.container.sync(payload: payload, as: Article.self)
    }
  }
}
