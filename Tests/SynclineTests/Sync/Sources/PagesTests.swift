import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Lists that are loaded in pages.
@Suite struct PagesTests {
  @Test func rowsInNoPageAreDeletedAfterTheLastPage() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(0..<40), as: Tag.self)
    let server = PagedServer(5..<35)
    let report = try await store.sync(pages: server.pages(), as: Tag.self)
    #expect(report[Tag.self].unchanged == 30)
    #expect(report[Tag.self].deleted == 10)
    #expect(try store.tags() == Array(5..<35))
    #expect(await server.asked == [nil, "10", "20"])
    #expect(try await store.sync(pages: server.pages(), as: Tag.self).isUnchanged)
  }

  @Test func eachPageIsASeparateTransaction() async throws {
    let store = try makeStore()
    let server = PagedServer(0..<30)
    await server.before(offset: 20) { _ in
      let tags = try store.tags()
      #expect(tags == Array(0..<20))
    }
    try await store.sync(pages: server.pages(), as: Tag.self)
    #expect(try store.tags() == Array(0..<30))
  }

  @Test func failedPageDeletesNothingAndKeepsEarlierPages() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(90..<95), as: Tag.self)
    let server = PagedServer(0..<30)
    await server.before(offset: 20) { _ in throw PagedServer.Down() }
    await #expect(throws: PagedServer.Down.self) {
      try await store.sync(pages: server.pages(), as: Tag.self)
    }
    #expect(try store.tags() == Array(0..<20) + Array(90..<95))
  }

  @Test func invalidPageDeletesNothing() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload([1, 2, 3]), as: Tag.self)
    let pages = [SyncPage(PagedServer.payload([1])), SyncPage(#"[{"id": 2, "name": null, "x": ]"#)]
    await #expect(throws: SyncError.self) {
      try await store.sync(pages: stream(of: pages), as: Tag.self)
    }
    #expect(try store.tags() == [1, 2, 3])
  }

  /// The stream of a cancelled task ends as if there were no more pages.
  @Test func cancelledPagedSyncDeletesNothing() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(0..<5), as: Tag.self)
    let (pages, source) = AsyncStream<SyncPage>.makeStream()
    let call = _Concurrency.Task { try await store.sync(pages: pages, as: Tag.self) }
    var changes = store.changes().makeAsyncIterator()
    source.yield(SyncPage(PagedServer.payload([9])))
    #expect(try await changes.next()?[Tag.self].inserted == [9])
    call.cancel()
    await #expect(throws: SyncError.cancelled) { try await call.value }
    #expect(try store.tags() == [0, 1, 2, 3, 4, 9])
  }

  @Test func pagesEndingWithACursorDeleteNothing() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(0..<5), as: Tag.self)
    let page = SyncPage(PagedServer.payload([7]), cursor: "more")
    let report = try await store.sync(pages: stream(of: [page]), as: Tag.self)
    #expect(report.deleted == 0)
    #expect(try store.tags() == [0, 1, 2, 3, 4, 7])
  }

  @Test func emptyPageSequenceDeletesNothing() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(0..<5), as: Tag.self)
    #expect(try await store.sync(pages: stream(of: []), as: Tag.self).isUnchanged)
    #expect(try store.tags() == Array(0..<5))
  }

  @Test func emptyPagesDeleteAllRowsUnlessNonEmptyIsRequired() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(0..<5), as: Tag.self)
    let pages = [SyncPage("[]"), SyncPage("[]")]
    let kept = try await store.sync(
      pages: stream(of: pages), as: Tag.self, requireNonEmptyFullSlice: true)
    #expect(kept.actions == [.deletedNothing])
    #expect(try store.tags().count == 5)
    let report = try await store.sync(pages: stream(of: pages), as: Tag.self)
    #expect(report.deleted == 5)
    #expect(try store.tags() == [])
  }

  @Test func pagedSyncWithPolicyNoneDeletesNothing() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(0..<5), as: Tag.self)
    try await store.sync(pages: PagedServer(7..<9).pages(), as: Tag.self, deletionPolicy: .none)
    #expect(try store.tags() == [0, 1, 2, 3, 4, 7, 8])
  }

  @Test func repeatedAndShuffledPagesGiveTheSameResult() async throws {
    var random = SeededGenerator(seed: 14_100)
    for _ in 0..<20 {
      let store = try makeStore()
      try await store.sync(payload: PagedServer.payload(0..<60), as: Tag.self)
      let rows = (0..<60).filter { _ in random.chance(70) }
      var pages: [SyncPage] = []
      for start in stride(from: 0, to: rows.count, by: 7) {
        pages.append(SyncPage(PagedServer.payload(rows[start..<min(rows.count, start + 7)])))
      }
      pages += pages.filter { _ in random.chance(30) }
      pages.shuffle(using: &random)
      let report = try await store.sync(pages: stream(of: pages), as: Tag.self)
      #expect(report.deleted == 60 - rows.count)
      #expect(try store.tags() == rows)
    }
  }

  /// Rows that other calls store while pages are read are newer than the list.
  @Test func rowsInsertedDuringAPagedSyncAreKept() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload([1, 2]), as: Tag.self)
    let server = PagedServer(10..<30)
    await server.before(offset: 10) { _ in
      try store.database.write { try Tag(id: 77, name: "mine").insert($0) }
    }
    try await store.sync(pages: server.pages(), as: Tag.self)
    #expect(try store.tags() == Array(10..<30) + [77])
  }

  @Test func rowNestedInAnotherPageIsNotDeleted() async throws {
    let store = try makeStore()
    let categories = #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}]"#
    try await store.sync(payload: categories, as: Category.self)
    let pages = [
      SyncPage(#"[{"id": 1, "name": "a", "parent": {"id": 2, "name": "b"}}]"#), SyncPage("[]"),
    ]
    try await store.sync(pages: stream(of: pages), as: Category.self)
    #expect(try store.pick(Category.self, "id") == [["1"], ["2"]])
  }

  @Test func linkToARowOfALaterPageIsResolved() async throws {
    let store = try makeStore()
    let pages = [
      SyncPage(#"[{"id": 1, "name": "a", "parent_id": "2"}, {"id": 3, "name": "c", "parent_id": "9"}]"#),
      SyncPage(#"[{"id": 2, "name": "b"}]"#),
    ]
    let report = try await store.sync(pages: stream(of: pages), as: Category.self)
    #expect(report.waiting.map(\.targetIdentity) == ["9"])
    #expect(report.waitingCount == 1)
    #expect(try store.pick(Category.self, "id", "parent") == [["1", "2"], ["2", nil], ["3", nil]])
  }

  /// The report lists a thousand of the links.
  @Test func linksToARowOfALaterPageAreNotCounted() async throws {
    let store = try makeStore()
    let rows = (1...1_001).map { "{\"id\": \"c\($0)\", \"name\": \"c\", \"parent_id\": \"p\"}" }
    let pages = [
      SyncPage("[\(rows.joined(separator: ","))]"), SyncPage(#"[{"id": "p", "name": "p"}]"#),
    ]
    #expect(try await store.sync(pages: stream(of: pages), as: Category.self).waitingCount == 0)
  }

  @Test func pagedSyncDeletesOnlyRowsOfTheParent() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P"}, {"id": 2, "name": "Q"}]"#, as: Project.self)
    try await store.sync(
      payload: #"""
        [{"id": 1, "title": "A", "project_id": 1}, {"id": 2, "title": "B", "project_id": 1},
         {"id": 3, "title": "C", "project_id": 2}, {"id": 4, "title": "D"}]
        """#, as: Task.self)
    let pages = [SyncPage(#"[{"id": 2, "title": "B"}]"#), SyncPage(#"[{"id": 5, "title": "E"}]"#)]
    let report = try await store.sync(
      pages: stream(of: pages), as: Task.self, parent: 1, relationship: \.project)
    #expect(report.deleted == 1)
    #expect(try store.pick(Task.self, "id", "project") == [[2, 1], [3, 2], [4, nil], [5, 1]])
  }

  @Test func parentScopedRowsAreDistinguishedInPages() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P"}, {"id": 2, "name": "Q"}]"#, as: Board.self)
    for board in 1...2 {
      try await store.sync(
        payload: #"[{"id": 1, "title": "to do"}, {"id": 2, "title": "done"}]"#, as: Column.self,
        parent: board,
        relationship: \.board)
    }
    let pages = [SyncPage(#"[{"id": 3, "title": "new"}]"#), SyncPage(#"[{"id": 1, "title": "to do"}]"#)]
    try await store.sync(pages: stream(of: pages), as: Column.self, parent: 2, relationship: \.board)
    #expect(try store.pick(Column.self, "board", "id") == [[1, 1], [2, 1], [1, 2], [2, 3]])
  }

  @Test func pagedSyncSoftDeletesAndReactivatesRows() async throws {
    let store = try makeStore()
    let rows = #"[{"id": 1, "name": "a", "rooms": []}, {"id": 2, "name": "b"}]"#
    try await store.sync(payload: rows, as: Studio.self)
    let report = try await store.sync(
      pages: stream(of: [SyncPage(#"[{"id": 2, "name": "b"}]"#)]), as: Studio.self)
    #expect(report.softDeleted == 1)
    let again = try await store.sync(
      pages: stream(of: [SyncPage(#"[{"id": 2, "name": "b"}]"#)]), as: Studio.self)
    #expect(again.isUnchanged)
    let back = try await store.sync(pages: stream(of: [SyncPage(rows)]), as: Studio.self)
    #expect(back.reactivated == 1)
  }

  /// A row that is missing in one list may be in a later page, so a run that fails deletes nothing.
  @Test func rowsRemovedFromNestedListsAreDeletedAfterTheLastPage() async throws {
    let store = try makeStore()
    let orders = #"[{"id": 1, "lines": [{"id": 1}, {"id": 2}]}, {"id": 2, "lines": [{"id": 3}]}]"#
    try await store.sync(payload: orders, as: Order.self)
    let first = SyncPage(#"[{"id": 1, "lines": [{"id": 1}]}]"#, cursor: "2")
    try await store.sync(pages: stream(of: [first]), as: Order.self)
    #expect(try store.rows(of: OrderLine.self).count == 3)
    let second = SyncPage(#"[{"id": 2, "lines": [{"id": 2}]}]"#)
    let report = try await store.sync(pages: stream(of: [first, second]), as: Order.self)
    #expect(report[OrderLine.self].deleted == 1)
    #expect(try store.pick(OrderLine.self, "id", "order") == [[1, 1], [2, 2]])
  }

  @Test func listOfALaterPageReplacesThatOfAnEarlierPage() async throws {
    let store = try makeStore()
    let orders = #"[{"id": 1, "lines": [{"id": 1}, {"id": 2}]}, {"id": 2, "lines": [{"id": 3}, {"id": 4}]}]"#
    try await store.sync(payload: orders, as: Order.self)
    let pages = [
      SyncPage(#"[{"id": 1, "lines": [{"id": 1}]}, {"id": 2, "lines": []}]"#),
      // The first list is the stored one, the second another one.
      SyncPage(#"[{"id": 1, "lines": [{"id": 1}, {"id": 2}]}, {"id": 2, "lines": [{"id": 3}]}]"#),
    ]
    let report = try await store.sync(pages: stream(of: pages), as: Order.self)
    #expect(report[OrderLine.self].deleted == 1)
    #expect(try store.pick(OrderLine.self, "id", "order") == [[1, 1], [2, 1], [3, 2]])
  }

  /// A store with two tasks, each with tags 1 and 2.
  private func taggedTasks() async throws -> SyncContainer {
    let store = try makeStore()
    let tags = #"[{"id": 1, "name": "x"}, {"id": 2, "name": "y"}]"#
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "tags": \#(tags)}, {"id": 2, "title": "B", "tags": \#(tags)}]"#,
      as: Task.self)
    return store
  }

  /// Syncs each page as the tags of one task.
  private func sync(_ pages: [(task: Int, tags: String)], in store: SyncContainer) async throws -> SyncReport
  {
    try await store.sync(
      pages: stream(
        of: pages.map { SyncPage(#"[{"id": \#($0.task), "title": "T", \#($0.tags)}]"#) }), as: Task.self,
      children: [.policy(\.tags, .hardDeleteMissing)])
  }

  @Test func rowsRemovedFromAllListsAreDeletedAfterTheLastPage() async throws {
    let store = try await taggedTasks()
    let report = try await sync([(1, #""tag_ids": [1]"#), (2, #""tag_ids": [1]"#)], in: store)
    #expect(report[Tag.self].deleted == 1)
    #expect(try store.pick(Task.self, "id", "tags") == [[1, [1]], [2, [1]]])
  }

  @Test(arguments: [[0, 1], [1, 0]]) func rowInAnotherPagesListIsUnlinkedNotDeleted(_ order: [Int])
    async throws
  {
    for tags in [#""tag_ids": [1, 2]"#, #""tags": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}]"#] {
      let store = try await taggedTasks()
      let pages = [(task: 1, tags: #""tag_ids": [1]"#), (task: 2, tags: tags)]
      let report = try await sync(order.map { pages[$0] }, in: store)
      #expect(report[Tag.self].deleted == 0)
      #expect(try store.pick(Task.self, "id", "tags") == [[1, [1]], [2, [1, 2]]])
    }
  }

  @Test func repeatedListReplacesTheEarlierOne() async throws {
    let store = try await taggedTasks()
    let pages = [(1, #""tag_ids": [1]"#), (2, #""tag_ids": [1]"#), (1, #""tag_ids": [1, 2]"#)]
    #expect(try await sync(pages, in: store)[Tag.self].deleted == 0)
    #expect(try store.pick(Task.self, "id", "tags") == [[1, [1, 2]], [2, [1]]])
  }

  @Test func rowInAnotherListOfThePageIsUnlinkedNotDeleted() async throws {
    let store = try await taggedTasks()
    let page = #"""
      [{"id": 1, "title": "A", "tags": [{"id": 1, "name": "x"}]},
       {"id": 2, "title": "B", "tags": [{"id": 2, "name": "y"}]}]
      """#
    try await store.sync(
      pages: stream(of: [SyncPage(page)]), as: Task.self, children: [.policy(\.tags, .hardDeleteMissing)])
    #expect(try store.pick(Task.self, "id", "tags") == [[1, [1]], [2, [2]]])
  }

  @Test func otherSyncsCanRunBetweenPages() async throws {
    let store = try makeStore()
    let server = PagedServer(0..<20)
    let pages = SyncPages { cursor in
      if cursor == "10" { try await store.sync(item: #"{"id": 1, "name": "P"}"#, as: Project.self) }
      return try await server.page(cursor)
    }
    try await store.sync(pages: pages, as: Tag.self)
    #expect(try store.rows(of: Project.self).count == 1)
  }

  @Test func repeatedCursorEndsThePages() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload([1]), as: Tag.self)
    let pages = SyncPages { _ in SyncPage(PagedServer.payload([2]), cursor: "again") }
    try await store.sync(pages: pages, as: Tag.self)
    #expect(try store.tags() == [1, 2])
  }

  @Test func unknownModelThrowsBeforeAnyPageIsRequested() async throws {
    let store = try SyncContainer(for: Category.self)
    let server = PagedServer(0..<5)
    await #expect(throws: SyncError.self) { try await store.sync(pages: server.pages(), as: Tag.self) }
    #expect(await server.asked == [])
  }
}

/// A stream of existing pages.
func stream(of pages: [SyncPage]) -> AsyncStream<SyncPage> {
  AsyncStream { source in
    for page in pages { source.yield(page) }
    source.finish()
  }
}
