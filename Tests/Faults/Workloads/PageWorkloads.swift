import Foundation
import Syncline
import TestSupport

/// Syncs of pages, each with its own transaction and cursor.
extension Workload {
  static let pageCalls = [
    Workload(
      // The cancelled task asks whether there is another page.
      name: "page", schema: Payloads.schema, mayBeCancelledWhenDone: true,
      prepare: { try await $0.sync(list: Payloads.documents(0..<50, titled: "first"), as: "Document") },
      call: { site in
        let page = SyncPage(Payloads.documents(30..<150, titled: "second"), cursor: "behind a page")
        return try await sync([page], at: site, deletionPolicy: DeletionPolicy.none)
      }),
    // The first rows are not in the pages, so the end of the run deletes them.
    Workload(
      name: "pages", schema: Payloads.schema,
      prepare: { try await $0.sync(list: Payloads.documents(0..<60, titled: "first"), as: "Document") },
      call: { site in
        let pages = (1...10).map { number in
          SyncPage(
            Payloads.documents(number * 20..<number * 20 + 20, titled: "second"),
            cursor: number < 10 ? "page \(number + 1)" : nil)
        }
        return try await sync(pages, at: site, deletionPolicy: .hardDeleteMissing)
      }),
  ]

  private static func sync(
    _ pages: [SyncPage], at site: Site, deletionPolicy: DeletionPolicy
  ) async throws -> String {
    let store = try site.open()
    func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> String {
      try await store.container.sync(
        pages: RequestedPages(pages: pages, site: site, store: store), as: model,
        deletionPolicy: deletionPolicy
      ).text()
    }
    return try await sync(store.model("Document"))
  }
}

/// Pages that are requested one by one. A request for a page shows that the previous page is stored.
private struct RequestedPages: AsyncSequence, Sendable {
  let pages: [SyncPage]
  let site: Site
  let store: TextStore

  struct AsyncIterator: AsyncIteratorProtocol {
    let list: RequestedPages
    var index = 0

    mutating func next() async throws -> SyncPage? {
      // If the run ends with the last page, another transaction follows.
      if index > 0, index < list.pages.count || list.pages[index - 1].isLast {
        try await list.site.didCommit(list.store)
      }
      guard index < list.pages.count else { return nil }
      defer { index += 1 }
      return list.pages[index]
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(list: self) }
}
