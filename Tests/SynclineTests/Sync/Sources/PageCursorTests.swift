import Foundation
import GRDB
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Cursors of paged lists, with which an interrupted run continues.
@Suite(.enabled(if: TestKind.thorough.runs))
struct PageCursorTests {
  @Test func runContinuesAfterTheLastStoredPage() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(90..<95), as: Tag.self)
    let server = PagedServer(0..<40)
    await server.before(offset: 20) { _ in throw PagedServer.Down() }
    await #expect(throws: PagedServer.Down.self) {
      try await store.sync(pages: server.pages(), as: Tag.self)
    }
    #expect(try await store.cursor(for: Tag.self) == "20")
    let pages = server.pages(from: try await store.cursor(for: Tag.self))
    let report = try await store.sync(pages: pages, as: Tag.self)
    #expect(await server.asked == [nil, "10", "20", "20", "30"])
    // Rows that the first part of the run has seen are not missing. Rows that neither part has seen are.
    #expect(report.deleted == 5)
    #expect(try store.tags() == Array(0..<40))
    #expect(try await store.cursor(for: Tag.self) == nil)
  }

  @Test func runContinuesInAReopenedStore() async throws {
    let folder = TemporaryFolder()
    let file = try folder.file()
    let server = PagedServer(0..<40)
    do {
      let store = try openStore(at: file)
      try await store.sync(payload: PagedServer.payload(90..<95), as: Tag.self)
      await server.before(offset: 30) { _ in throw PagedServer.Down() }
      _ = try? await store.sync(pages: server.pages(), as: Tag.self)
      try store.database.close()
    }
    let store = try openStore(at: file)
    let cursor = try #require(try await store.cursor(for: Tag.self))
    try await store.sync(pages: server.pages(from: cursor), as: Tag.self)
    #expect(try store.tags() == Array(0..<40))
  }

  /// Rows that were inserted between the two parts of a run do not count as missing.
  @Test func rowsInsertedBetweenPartsOfARunAreKept() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload([90]), as: Tag.self)
    let server = PagedServer(0..<40)
    await server.before(offset: 20) { _ in throw PagedServer.Down() }
    _ = try? await store.sync(pages: server.pages(), as: Tag.self)
    try await store.sync(item: #"{"id": 50, "name": "pushed"}"#, as: Tag.self)
    try await store.sync(pages: server.pages(from: "20"), as: Tag.self)
    #expect(try store.tags() == Array(0..<40) + [50])
  }

  /// SQLite's strings may contain NUL, which ends a C string.
  @Test func cursorsAndTheirNamesCanContainNUL() async throws {
    let store = try makeStore()
    let names = ["", "a", "a\0", "a\0b", "\0"]
    for (index, name) in names.enumerated() {
      try await store.sync(
        pages: stream(of: [SyncPage(#"[{"id": \#(index), "name": "t"}]"#, cursor: "c\0\(index)")]),
        as: Tag.self,
        cursor: name, deletionPolicy: .none)
    }
    for (index, name) in names.enumerated() {
      #expect(try await store.cursor(for: Tag.self, name) == "c\0\(index)")
    }
    // A continued run is identified by the exact bytes of its name and cursor.
    let server = PagedServer(0..<40)
    await server.before(offset: 20) { _ in throw PagedServer.Down() }
    _ = try? await store.sync(pages: server.pages(), as: Tag.self, cursor: "a\0b")
    #expect(try await store.cursor(for: Tag.self, "a\0b") == "20")
    #expect(try await store.cursor(for: Tag.self, "a\0") == "c\02")
    let pages = server.pages(from: "20")
    try await store.sync(pages: pages, as: Tag.self, cursor: "a\0b")
    #expect(try store.tags() == Array(0..<40))
    #expect(try await store.cursor(for: Tag.self, "a\0b") == nil)
    #expect(try await store.cursor(for: Tag.self, "a") == "c\01")
  }

  /// Pages that begin elsewhere are not a complete list.
  @Test func pagesFromAnUnknownCursorDeleteNothing() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(0..<40), as: Tag.self)
    let server = PagedServer(0..<40)
    let report = try await store.sync(pages: server.pages(from: "20"), as: Tag.self)
    #expect(report.isUnchanged)
    #expect(report.unchanged == 20)
    #expect(try store.tags() == Array(0..<40))
  }

  @Test func runFromTheStartDiscardsAnInterruptedRun() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(0..<40), as: Tag.self)
    let server = PagedServer(0..<40)
    await server.before(offset: 30) { _ in throw PagedServer.Down() }
    _ = try? await store.sync(pages: server.pages(), as: Tag.self)
    // The run has seen these rows, but they no longer exist.
    await server.change { $0.removeFirst(5) }
    try await store.sync(pages: server.pages(), as: Tag.self)
    #expect(try store.tags() == Array(5..<40))
    #expect(try await store.cursor(for: Tag.self) == nil)
  }

  @Test func lastPageCanStoreTheCursorOfTheNextRun() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload([90]), as: Tag.self)
    let whole = [
      SyncPage(PagedServer.payload([1]), cursor: "2"),
      SyncPage(PagedServer.payload([2]), cursor: "since-7", isLast: true),
    ]
    try await store.sync(pages: stream(of: whole), as: Tag.self)
    #expect(try store.tags() == [1, 2])
    #expect(try await store.cursor(for: Tag.self) == "since-7")
    let changed = [SyncPage(PagedServer.payload([3]), cursor: "since-8", isLast: true)]
    try await store.sync(
      pages: stream(of: changed), as: Tag.self, startingAt: "since-7", deletionPolicy: .none)
    #expect(try store.tags() == [1, 2, 3])
    #expect(try await store.cursor(for: Tag.self) == "since-8")
    // This applies even if the caller does not say that the pages are incomplete.
    try await store.sync(
      pages: stream(of: [SyncPage(PagedServer.payload([4]))]), as: Tag.self, startingAt: "since-8")
    #expect(try store.tags() == [1, 2, 3, 4])
  }

  @Test func namedListsOfOneModelHaveSeparateCursors() async throws {
    let store = try makeStore()
    let page = { SyncPage(PagedServer.payload([$0]), cursor: $1) }
    try await store.sync(pages: stream(of: [page(1, "a")]), as: Tag.self, cursor: "first")
    try await store.sync(pages: stream(of: [page(2, "b")]), as: Tag.self, cursor: "second")
    #expect(try await store.cursor(for: Tag.self, "first") == "a")
    #expect(try await store.cursor(for: Tag.self, "second") == "b")
    #expect(try await store.cursor(for: Tag.self) == nil)
    #expect(try await store.cursor(for: User.self, "first") == nil)
  }

  /// The rows seen in one list do not affect another list.
  @Test func runOfOneParentIsNotContinuedForAnother() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P"}, {"id": 2, "name": "Q"}]"#, as: Project.self)
    let tasks = (1...4).map { #"{"id": \#($0), "title": "T", "project_id": \#(1 + $0 % 2)}"# }
    try await store.sync(payload: "[\(tasks.joined(separator: ","))]", as: Task.self)
    let page = SyncPage(#"[{"id": 2, "title": "T"}]"#, cursor: "2")
    try await store.sync(pages: stream(of: [page]), as: Task.self, parent: 1, relationship: \.project)
    let last = SyncPage(#"[{"id": 9, "title": "T"}]"#)
    try await store.sync(
      pages: stream(of: [last]), as: Task.self, parent: 2, relationship: \.project, startingAt: "2")
    #expect(try store.pick(Task.self, "id") == [[1], [2], [3], [4], [9]])
  }

  @Test func laterOfTwoConcurrentRunsSetsTheCursor() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(90..<95), as: Tag.self)
    let server = PagedServer(0..<30)
    let pages = SyncPages { cursor in
      if cursor == "20" {
        let page = SyncPage(PagedServer.payload([0]), cursor: "later")
        try await store.sync(pages: stream(of: [page]), as: Tag.self)
      }
      return try await server.page(cursor)
    }
    try await store.sync(pages: pages, as: Tag.self)
    // The first run itself knows the rows that it has seen.
    #expect(try store.tags() == Array(0..<30))
    #expect(try await store.cursor(for: Tag.self) == "later")
  }

  /// The rows that were stored before do not contain the new property.
  @Test func pageCursorIsIgnoredUnderAnotherKeyStyle() async throws {
    let folder = TemporaryFolder()
    let file = try folder.file()
    let page = SyncPage(#"[{"id": 1, "title": "T", "project": {"id": 1, "name": "P"}}]"#, cursor: "2")
    let store = try openStore(at: file)
    try await store.sync(pages: stream(of: [page]), as: Task.self)
    try await store.sync(pages: stream(of: [SyncPage("[]", cursor: "3")]), as: Tag.self)
    let camel = try SyncContainer(
      for: SynclineTestsSchema.self, storage: .file(file),
      configuration: SyncConfiguration(keyStyle: .camelCase))
    #expect(try await store.cursor(for: Task.self) == "2")
    #expect(try await camel.cursor(for: Task.self) == nil)
    #expect(try await store.cursor(for: Tag.self) == "3")
  }

  /// A copy of a store at any moment, as a killed process leaves it, has no cursor that is ahead of its rows. A run that
  /// continues from the cursor has the same result.
  @Test func aCursorIsNeverAheadOfItsRows() async throws {
    let folder = TemporaryFolder()
    let file = try folder.file()
    let copies = Copies(of: file)
    let server = PagedServer(0..<440, pageSize: 2)
    do {
      let store = try openStore(at: file)
      try await store.sync(payload: PagedServer.payload(390..<500), as: Tag.self)
      store.database.add(transactionObserver: copies, extent: .observerLifetime)
      try await store.sync(pages: server.pages(), as: Tag.self)
    }
    #expect(copies.files.count >= 500)
    for (number, copy) in copies.files.enumerated() where Soak.takes(number) {
      let store = try openStore(at: copy)
      let tags = try store.tags()
      let cursor = try await store.cursor(for: Tag.self)
      if let cursor = cursor.flatMap(Int.init) {
        #expect(Set(tags).isSuperset(of: 0..<cursor))
      }
      guard number.isMultiple(of: 50) else { continue }
      try await store.sync(pages: PagedServer(0..<440, pageSize: 100).pages(from: cursor), as: Tag.self)
      #expect(try store.tags() == Array(0..<440))
    }
  }

  /// Copies the files of a store before and after each commit, and within transactions.
  private final class Copies: TransactionObserver, @unchecked Sendable {
    private let file: URL
    private(set) var files: [URL] = []
    private var changes = 0

    init(of file: URL) { self.file = file }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {
      changes += 1
      if changes % 7 == 0 { copy() }
    }
    func databaseWillCommit() throws { copy() }
    func databaseDidCommit(_ db: Database) { copy() }
    func databaseDidRollback(_ db: Database) {}

    private func copy() {
      let copy = file.deletingLastPathComponent().appending(path: "copy-\(files.count).sqlite")
      for suffix in ["", "-wal"] {
        let source = URL(fileURLWithPath: file.path + suffix)
        try? FileManager.default.copyItem(at: source, to: URL(fileURLWithPath: copy.path + suffix))
      }
      files.append(copy)
    }
  }

  private func openStore(at file: URL) throws -> SyncContainer {
    try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
  }
}

/// Runs of pages during which other calls change the store.
@Suite struct PageEdgeCaseTests {
  private func page(_ rows: [Int], _ cursor: String?, isLast: Bool? = nil) -> SyncPage {
    SyncPage(PagedServer.payload(rows), cursor: cursor, isLast: isLast)
  }

  private func store(of rows: some Sequence<Int>) async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(rows), as: Tag.self)
    return store
  }

  /// Syncs pages from a source that fails after them.
  private func fail(
    _ store: SyncContainer, behind pages: [SyncPage], from cursor: String? = nil, requiresRows: Bool = false
  ) async {
    let stream = AsyncThrowingStream<SyncPage, any Error> { source in
      for page in pages { source.yield(page) }
      source.finish(throwing: PagedServer.Down())
    }
    await #expect(throws: PagedServer.Down.self) {
      try await store.sync(
        pages: stream, as: Tag.self, startingAt: cursor, requireNonEmptyFullSlice: requiresRows)
    }
  }

  @Test func pageValidatorsDoNotPreventContinuingARun() async throws {
    let store = try await store(of: 0..<50)
    let pages = (0..<4).map { number in
      let validator = number == 1 ? SyncValidator(etag: "e") : nil
      return SyncPage(
        SyncResponse(Data(PagedServer.payload(number * 10..<number * 10 + 10).utf8), validator: validator),
        cursor: "\(number + 1)")
    }
    await fail(store, behind: pages)
    #expect(try await store.cursor(for: Tag.self) == "4")
    let report = try await store.sync(
      pages: stream(of: [page(Array(40..<50), nil)]), as: Tag.self, startingAt: "4")
    #expect(report.deleted == 0)
    #expect(try store.tags() == Array(0..<50))
  }

  @Test func rowsOfPagesWithoutACursorAreNotDeleted() async throws {
    let store = try await store(of: 0..<6)
    await fail(
      store, behind: [page([0, 1], nil, isLast: false), page([2, 3], "x"), page([4], nil, isLast: false)])
    try await store.sync(pages: stream(of: [page([4, 5], nil)]), as: Tag.self, startingAt: "x")
    #expect(try store.tags() == Array(0..<6))
  }

  // Rows that other calls read from the same cursor were not seen by the run.
  @Test func runIsNotContinuedFromACursorOfAnotherCall() async throws {
    for other in 0..<3 {
      let store = try await store(of: 0..<6)
      await fail(store, behind: [page([0, 1], "1")])
      switch other {
      case 0:
        try await store.sync(
          pages: stream(of: [page([2, 3], "2")]), as: Tag.self, startingAt: "1", deletionPolicy: .none)
      case 1:
        try await store.sync(pages: stream(of: [page([2, 3], "2")]), as: Tag.self, startingAt: "elsewhere")
      default:
        try await store.sync(changes: SyncResponse(Data(#"{"created": []}"#.utf8), cursor: "2"), as: Tag.self)
      }
      #expect(try await store.cursor(for: Tag.self) == "2")
      try await store.sync(pages: stream(of: [page([4, 5], nil)]), as: Tag.self, startingAt: "2")
      #expect(try store.tags() == Array(0..<6), "\(other)")
    }
  }

  @Test func rowMovedToAnotherParentDuringTheRunIsKept() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P"}, {"id": 2, "name": "Q"}]"#, as: Project.self)
    try await store.sync(payload: #"[{"id": 5, "title": "T", "project_id": 1}]"#, as: Task.self)
    try await store.sync(
      pages: stream(of: [SyncPage("[]")]), as: Task.self, parent: 1, relationship: \.project,
      confirm: { missing in
        try await store.sync(item: #"{"id": 5, "title": "T", "project_id": 2}"#, as: Task.self)
        return missing
      })
    #expect(try store.pick(Task.self, "id", "project") == [[5, 2]])
  }

  @Test func rowRemovedFromOneListButInAnotherIsNotDeleted() async throws {
    let store = try makeStore()
    try await store.sync(
      payload:
        #"[{"id": 1, "title": "A", "tags": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}]}, {"id": 2, "title": "B"}]"#,
      as: Task.self)
    let rows =
      #"[{"id": 1, "title": "A", "tags": [{"id": 1, "name": "x"}]}, {"id": 2, "title": "B", "tags": [{"id": 2, "name": "y"}]}]"#
    try await store.sync(
      pages: stream(of: [SyncPage(rows)]), as: Task.self, children: [.policy(\.tags, .hardDeleteMissing)])
    #expect(try store.tags() == [1, 2])
    // The other call syncs the next page, or the previous one.
    for order in [[0, 1], [1, 0]] {
      try await store.sync(
        payload:
          #"[{"id": 1, "title": "A", "tags": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}]}, {"id": 2, "title": "B", "tags": []}]"#,
        as: Task.self)
      let pages = [
        SyncPage(#"[{"id": 1, "title": "A", "tags": [{"id": 1, "name": "x"}]}]"#),
        SyncPage(#"[{"id": 2, "title": "B", "tags": [{"id": 2, "name": "y"}]}]"#),
      ]
      try await store.sync(
        pages: stream(of: order.map { pages[$0] }), as: Task.self,
        children: [.policy(\.tags, .hardDeleteMissing)])
      #expect(try store.tags() == [1, 2])
    }
    try await store.sync(
      pages: stream(of: [SyncPage(#"[{"id": 1, "title": "A", "tags": []}, {"id": 2, "title": "B"}]"#)]),
      as: Task.self, children: [.policy(\.tags, .hardDeleteMissing)])
    #expect(try store.tags() == [2])
  }

  /// Only the run itself knows which rows its lists no longer contain. A continued run would not delete them.
  @Test func cursorIsNotStoredWhileNestedRowsAwaitDeletion() async throws {
    let store = try makeStore()
    let orders = #"[{"id": 1, "lines": [{"id": 1}, {"id": 2}]}, {"id": 2, "lines": [{"id": 3}]}]"#
    try await store.sync(payload: orders, as: Order.self)
    let first = SyncPage(#"[{"id": 1, "lines": [{"id": 1}]}]"#, cursor: "2")
    try await store.sync(pages: stream(of: [first]), as: Order.self)
    #expect(try await store.cursor(for: Order.self) == nil)
    // Each page of changes is independent.
    try await store.sync(pages: stream(of: [first]), as: Order.self, deletionPolicy: .none)
    #expect(try await store.cursor(for: Order.self) == "2")
    #expect(try store.pick(OrderLine.self, "id") == [[1], [3]])
  }

  @Test func softDeletedRowsAreNotReportedMissingAgain() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, as: Studio.self)
    let pages = [SyncPage(#"[{"id": 2, "name": "b"}]"#)]
    for run in 0..<4 {
      let report = try await store.sync(pages: stream(of: pages), as: Studio.self, absences: 2) { missing in
        #expect(run == 1 && missing == ["1"])
        return missing
      }
      #expect(report.softDeleted == (run == 1 ? 1 : 0))
    }
  }

  @Test func completeRunResetsAbsencesOfEarlierRuns() async throws {
    let store = try await store(of: [1, 2])
    func run(_ rows: [Int], absences: Int) async throws -> Int {
      try await store.sync(pages: stream(of: [page(rows, nil)]), as: Tag.self, absences: absences).deleted
    }
    #expect(try await run([1], absences: 2) == 0)
    #expect(try await run([1, 2], absences: 1) == 0)
    #expect(try await run([1], absences: 2) == 0)
  }

  @Test func mappedPagesFromACursorDeleteNothing() async throws {
    let store = try await store(of: 0..<40)
    let server = PagedServer(0..<40)
    try await store.sync(pages: server.pages(from: "20").map { $0 }, as: Tag.self)
    #expect(try store.tags() == Array(0..<40))
  }

  @Test func lastPageOfAContinuedRunCanBeEmpty() async throws {
    let store = try await store(of: [1, 2, 9])
    await fail(store, behind: [page([1, 2], "1")])
    let report = try await store.sync(
      pages: stream(of: [page([], nil)]), as: Tag.self, startingAt: "1", requireNonEmptyFullSlice: true)
    #expect(report.deleted == 1)
    #expect(try store.tags() == [1, 2])
  }

  @Test func rowsOfEarlierPartsCountForRequiredRows() async throws {
    let store = try await store(of: [9])
    await fail(store, behind: [page([1, 2], "1")], requiresRows: true)
    let report = try await store.sync(
      pages: stream(of: [page([], nil)]), as: Tag.self, startingAt: "1", requireNonEmptyFullSlice: true)
    #expect(report.deleted == 1)
    #expect(try store.tags() == [1, 2])
  }

  /// The stored token of an earlier run is passed by mistake.
  @Test func pagesThatBeginAtTheStartAreTheWholeList() async throws {
    let store = try await store(of: [1, 2])
    let pages = SyncPages { _ in SyncPage(PagedServer.payload([2])) }
    let report = try await store.sync(pages: pages, as: Tag.self, startingAt: "t")
    #expect(report.deleted == 1)
  }

  @Test(arguments: [true, false], ["", "x"])
  func cursorOfAResponseIsThatOfItsPage(isRepeated: Bool, name: String) async throws {
    let store = try await store(of: [1, 2, 9])
    let pages = SyncPages { cursor in
      let next = ["0": "1", "1": "2"][cursor ?? "0"]
      let body = PagedServer.payload([(Int(cursor ?? "") ?? 0) + 1])
      return SyncPage(
        SyncResponse(Data(body.utf8), name: name, cursor: next), cursor: isRepeated ? next : nil)
    }
    let report = try await store.sync(pages: pages, as: Tag.self, cursor: name)
    #expect(report.deleted == 1)
    #expect(try store.tags() == [1, 2, 3])
    #expect(try await store.cursor(for: Tag.self, name) == nil)
  }

  @Test func circularCursorsEndTheRunAndAreRemoved() async throws {
    let store = try await store(of: [1])
    let pages = SyncPages { cursor in
      SyncPage(PagedServer.payload([2]), cursor: cursor == "a" ? "b" : "a")
    }
    try await store.sync(pages: pages, as: Tag.self)
    #expect(try store.tags() == [1, 2])
    #expect(try await store.cursor(for: Tag.self) == nil)
  }

  /// Each store has its own connection, which caches the list of tables.
  @Test func twoContainersOfOneFileShareTheirCursors() async throws {
    let folder = TemporaryFolder()
    let file = try folder.file()
    let (one, other) = (
      try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file)),
      try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    )
    try await one.sync(pages: stream(of: [page([1], nil)]), as: Tag.self)
    try await other.sync(pages: stream(of: [page([1], "a")]), as: Tag.self)
    try await one.sync(pages: stream(of: [page([1], "b")]), as: Tag.self)
    #expect(try await other.cursor(for: Tag.self) == "b")
    try await one.sync(pages: stream(of: [page([1], nil)]), as: Tag.self)
    #expect(try await other.cursor(for: Tag.self) == nil)
  }

  @Test func cursorTableIsRecreatedAfterARollback() async throws {
    let store = try await store(of: [1])
    final class Denial: TransactionObserver {
      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
      func databaseDidChange(with event: DatabaseEvent) {}
      func databaseWillCommit() throws { throw PagedServer.Down() }
      func databaseDidCommit(_ db: Database) {}
      func databaseDidRollback(_ db: Database) {}
    }
    let denial = Denial()
    store.database.add(transactionObserver: denial, extent: .observerLifetime)
    await #expect(throws: PagedServer.Down.self) {
      try await store.sync(pages: stream(of: [page([2], "a")]), as: Tag.self)
    }
    store.database.remove(transactionObserver: denial)
    try await store.sync(pages: stream(of: [page([2], "a")]), as: Tag.self)
    #expect(try await store.cursor(for: Tag.self) == "a")
  }

  @Test func pathWithPagesOfLinesIsRejected() async throws {
    let store = try await store(of: [1])
    let folder = TemporaryFolder()
    let file = try folder.file("a.ndjson")
    try #"{"id": 2, "name": "b"}"#.write(to: file, atomically: true, encoding: .utf8)
    let error = await #expect(throws: SyncError.self) {
      try await store.sync(pages: SyncLinePages(of: file), at: "x", as: Tag.self)
    }
    #expect(error?.description.contains("a path cannot be combined with lines") == true)
  }
}
