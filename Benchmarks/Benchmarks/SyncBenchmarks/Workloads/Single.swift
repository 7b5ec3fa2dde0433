import Foundation
import GRDB
import Syncline

/// One item, and the children of one parent, in tables of very different sizes.
enum Single {
  static let sizes = [10_000, 100_000, 1_000_000]

  static func register() {
    for size in sizes {
      registerItem(size)
      registerChildren(size)
    }
  }

  private static func registerItem(_ size: Int) {
    let name = "4 one changed item in \(short(size)) rows"
    let filled: @Sendable () async throws -> Store = { try await Filled.articles(size) }
    // The title differs in every second iteration, so that each iteration writes something.
    let items = Lazy { [false, true].map { ArticleData.item(size / 2, isChanged: $0) } }
    sharedWorkload(name, .syncline, iterations: 200, prepare: filled) { store, iteration in
      try await store.container.sync(item: items.value()[iteration % 2], as: Article.self)
    }
    sharedWorkload(name, .floor, iterations: 200, prepare: filled) { store, iteration in
      try Floor.scan(items.value()[iteration % 2])
      try await Floor.update(id: size / 2, title: iteration % 2 == 0 ? "even" : "odd", in: store)
    }
    sharedWorkload(name, .handWritten, iterations: 200, prepare: filled) { store, iteration in
      try await HandWritten.sync(item: items.value()[iteration % 2], Int.self, in: store)
    }
  }

  private static func registerChildren(_ size: Int) {
    let name = "5 100 children of one parent in \(short(size)) rows, 10 changed"
    let board = size / 200
    let filled: @Sendable () async throws -> Store = { try await Filled.cards(size) }
    let lists = Lazy { [nil, 10].map { WorkspaceData.cards(of: board, changedEvery: $0) } }
    sharedWorkload(name, .syncline, iterations: 100, prepare: filled) { store, iteration in
      try await store.container.sync(
        payload: lists.value()[iteration % 2], as: Card.self, parent: board, relationship: \.board)
    }
    sharedWorkload(name, .floor, iterations: 100, prepare: filled) { store, iteration in
      try Floor.scan(lists.value()[iteration % 2])
      try await Floor.updateCards(of: board, title: iteration % 2 == 0 ? "even" : "odd", in: store)
    }
    sharedWorkload(name, .handWritten, iterations: 100, prepare: filled) { store, iteration in
      try await HandWritten.sync(cards: lists.value()[iteration % 2], board: board, in: store)
    }
  }

  static func short(_ count: Int) -> String {
    count >= 1_000_000 ? "\(count / 1_000_000)M" : "\(count / 1_000)k"
  }
}
