import Foundation
import GRDB
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Cursors of lists that come in pages: how a run that was interrupted goes on.
@Suite struct PageCursorTests {
  @Test func aRunGoesOnBehindTheLastStoredPage() async throws {
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
    // What the first part of the run has seen is not missing, and what neither has is.
    #expect(report.deleted == 5)
    #expect(try store.tags() == Array(0..<40))
    #expect(try await store.cursor(for: Tag.self) == nil)
  }

  @Test func aRunGoesOnInAnotherProcess() async throws {
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

  /// Rows that came to be between the two parts of a run were never missing.
  @Test func rowsThatCameBetweenTheTwoPartsOfARunStay() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload([90]), as: Tag.self)
    let server = PagedServer(0..<40)
    await server.before(offset: 20) { _ in throw PagedServer.Down() }
    _ = try? await store.sync(pages: server.pages(), as: Tag.self)
    try await store.sync(item: #"{"id": 50, "name": "pushed"}"#, as: Tag.self)
    try await store.sync(pages: server.pages(from: "20"), as: Tag.self)
    #expect(try store.tags() == Array(0..<40) + [50])
  }

  /// Pages from anywhere else are no whole list.
  @Test func pagesFromAnotherCursorDeleteNothing() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(0..<40), as: Tag.self)
    let server = PagedServer(0..<40)
    let report = try await store.sync(pages: server.pages(from: "20"), as: Tag.self)
    #expect(report.isUnchanged)
    #expect(report.unchanged == 20)
    #expect(try store.tags() == Array(0..<40))
  }

  @Test func aRunFromTheStartForgetsTheOneThatWasLeftOff() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(0..<40), as: Tag.self)
    let server = PagedServer(0..<40)
    await server.before(offset: 30) { _ in throw PagedServer.Down() }
    _ = try? await store.sync(pages: server.pages(), as: Tag.self)
    // These were seen by that run, and are gone by now.
    await server.change { $0.removeFirst(5) }
    try await store.sync(pages: server.pages(), as: Tag.self)
    #expect(try store.tags() == Array(5..<40))
    #expect(try await store.cursor(for: Tag.self) == nil)
  }

  @Test func theLastPageMaySayWhereTheNextRunBegins() async throws {
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
    // Even where nobody says that these pages are no whole list.
    try await store.sync(
      pages: stream(of: [SyncPage(PagedServer.payload([4]))]), as: Tag.self, startingAt: "since-8")
    #expect(try store.tags() == [1, 2, 3, 4])
  }

  @Test func listsOfOneModelHaveCursorsOfTheirOwn() async throws {
    let store = try makeStore()
    let page = { SyncPage(PagedServer.payload([$0]), cursor: $1) }
    try await store.sync(pages: stream(of: [page(1, "a")]), as: Tag.self, cursor: "first")
    try await store.sync(pages: stream(of: [page(2, "b")]), as: Tag.self, cursor: "second")
    #expect(try await store.cursor(for: Tag.self, "first") == "a")
    #expect(try await store.cursor(for: Tag.self, "second") == "b")
    #expect(try await store.cursor(for: Tag.self) == nil)
    #expect(try await store.cursor(for: User.self, "first") == nil)
  }

  /// The seen rows of one list say nothing of another's.
  @Test func aCursorOfOneParentIsNotGoneOnWithForAnother() async throws {
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

  @Test func aCursorOfTwoRunsAtOnceIsThatOfTheLater() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(90..<95), as: Tag.self)
    let server = PagedServer(0..<30)
    await server.before(offset: 20) { _ in
      let done = DispatchSemaphore(value: 0)
      _Concurrency.Task.detached {
        let page = SyncPage(PagedServer.payload([0]), cursor: "later")
        _ = try? await store.sync(pages: stream(of: [page]), as: Tag.self)
        done.signal()
      }
      done.wait()
    }
    try await store.sync(pages: server.pages(), as: Tag.self)
    // The first run knows by itself what it has seen.
    #expect(try store.tags() == Array(0..<30))
    #expect(try await store.cursor(for: Tag.self) == "later")
  }

  /// What was stored before lacks what is read now.
  @Test func aCursorIsForgottenWhenAModelOfItsPagesIsReadInAnotherWay() async throws {
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

  /// A store that was copied at any moment has no cursor that is ahead of its rows, and goes on from it to the same end: that is what
  /// a process leaves behind that is killed.
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
    for copy in copies.files {
      let store = try openStore(at: copy)
      let tags = try store.tags()
      let cursor = try await store.cursor(for: Tag.self)
      if let cursor = cursor.flatMap(Int.init) {
        #expect(Set(tags).isSuperset(of: 0..<cursor))
      }
      guard copies.files.firstIndex(of: copy).map({ $0 % 25 == 0 }) ?? false else { continue }
      try await store.sync(pages: PagedServer(0..<440, pageSize: 100).pages(from: cursor), as: Tag.self)
      #expect(try store.tags() == Array(0..<440))
    }
  }

  /// Copies the files of a store as they are before and behind each of its commits, and within transactions.
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
