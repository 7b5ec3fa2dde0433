import Foundation
import GRDB
import Syncline

/// All rows of a table as the text of a JSON array.
enum Exports {
  static func register() {
    let name = "9 export of 100k rows"
    let filled: @Sendable () async throws -> Store = { try await Filled.articles(100_000) }
    sharedWorkload(name, .syncline, prepare: filled) { store, _ in
      _ = try await store.container.exportData(as: Article.self)
    }
    sharedWorkload(name, .floor, prepare: filled) { store, _ in
      try await Floor.select("Article", in: store)
    }
    sharedWorkload(name, .handWritten, iterations: 3, prepare: filled) { store, _ in
      _ = try await HandWritten.export(Int.self, from: store)
    }
  }
}
