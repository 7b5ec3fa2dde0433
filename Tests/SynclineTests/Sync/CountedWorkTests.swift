import Syncline
import TestSupport
import Testing

/// Upper bounds on the work of a sync. The work is counted, not timed, so the results are equal on each machine.
@Suite(.enabled(if: TestKind.counted.runs))
enum CountedWork {}

extension CountedWork {
  /// A sync writes only the rows and links that change.
  @Suite struct Writes {
    private let folder = TemporaryFolder()

    /// The statements that GRDB prepares for each transaction.
    private let transaction: Set = ["BEGIN IMMEDIATE TRANSACTION", "COMMIT TRANSACTION"]

    private let tasks = payload(1...300) { trackerTask($0) }

    @Test func aFirstSyncWritesEachRowAndEachLinkOnce() async throws {
      let store = try await makeTracker(300, in: folder)
      try await store.sync(payload: "[]", as: Task.self)
      let work = try await store.work { try await store.sync(payload: tasks, as: Task.self) }
      #expect(work.changes == 300 + 300 * 3, "\(work)")
      #expect(work.statements.filter { $0.key.hasPrefix("UPDATE") }.isEmpty, "\(work)")
    }

    @Test func newRowsNestedInAnotherAreWrittenOnce() async throws {
      let store = try makeStore(in: folder)
      let tasks = payload(1...10) { #"{"id": \#($0), "title": "T", "tags": [{"id": \#($0), "name": "G"}]}"# }
      let work = try await store.work {
        try await store.sync(item: #"{"id": 1, "name": "P", "tasks": \#(tasks)}"#, as: Project.self)
      }
      #expect(work.changes == 1 + 10 + 10 + 10, "the project, its tasks, their tags and links: \(work)")
    }

    @Test func anUnchangedPayloadWritesNothing() async throws {
      let store = try await makeTracker(300, in: folder)
      let second = try await store.work { try await store.sync(payload: tasks, as: Task.self) }
      #expect(second.changes == 0, "\(second)")
      #expect(second.pagesWritten == 0)
      #expect(second.logGrowth == 0)
      #expect(second.writes.isEmpty)
      // A restarted log keeps its length, so only an empty one shows all writes.
      try store.truncateLog()
      let third = try await store.work { try await store.sync(payload: tasks, as: Task.self) }
      #expect(third.changes == 0)
      #expect(try store.logSize == 0)
    }

    @Test func unchangedPayloadLeavesNoNewPreparedStatement() async throws {
      let store = try await makeTracker(300, in: folder)
      try await store.sync(payload: tasks, as: Task.self)
      let work = try await store.work { try await store.sync(payload: tasks, as: Task.self) }
      #expect(work.statementsAdded == 0)
      #expect(work.prepared == transaction)
    }

    @Test func unchangedRowsAreReadInOneScan() async throws {
      func runs(_ count: Int) async throws -> Int {
        let store = try makeStore(in: folder)
        // Identities in an order that differs from the order of insertion: rows are scanned in stored order.
        let rows = payload(1...count) { #"{"id": "\#($0 * 7_919 % 10_007)", "name": "L\#($0)"}"# }
        try await store.sync(payload: rows, as: Label.self)
        return try await store.work { try await store.sync(payload: rows, as: Label.self) }.runs
      }
      #expect(try await runs(1000) == runs(10))
    }

    /// Identities in random order change pages throughout their index. Without sorting, SQLite would write and read each page
    /// many times.
    @Test(arguments: [-2_000, 300, -40_000])
    func newRowsInRandomOrderWriteEachPageAFewTimes(size: Int) async throws {
      let store = try makeStore(in: folder)
      func cacheSize() throws -> Int? {
        try store.database.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA cache_size") }
      }
      try await store.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA cache_size = \(size)") }
      let count = 80_000
      let rows = payload(1...count) {
        #"{"id": "8f14e45f-ceea-467f-a8d1-\#($0 * 7_919 % 80_021)", "name": "L\#($0)"}"#
      }
      let work = try await store.work { try await store.sync(payload: rows, as: Label.self) }
      #expect(work.changes == count)
      let pages = try await store.database.read { try Int.fetchOne($0, sql: "PRAGMA page_count") } ?? 0
      #expect(work.pagesWritten < 3 * pages, "\(work.pagesWritten) writes of \(pages) pages")
      #expect(try cacheSize() == size, "the connection has its own cache again")
    }

    /// Rows nested in lists are read together with their list. If the lists have another order than the store, this is soon
    /// abandoned.
    @Test func unchangedNestedRowsAreReadWithTheirLists() async throws {
      func faults(_ count: Int, isReversed: Bool = false) -> String {
        payload(1...count) { fault in
          let notes = (0..<10).map { #"{"id": \#(fault * 10 + $0), "text": "N\#($0)"}"# }
          let list = (isReversed ? notes.reversed() : notes).joined(separator: ", ")
          return #"{"id": \#(fault), "title": "F", "opened_at": 1, "notes": [\#(list)]}"#
        }
      }
      let store = try makeStore(in: folder)
      try await store.sync(payload: faults(100), as: Fault.self)
      func runs(_ payload: String) async throws -> (total: Int, lists: Int) {
        let work = try await store.work {
          let report = try await store.sync(payload: payload, as: Fault.self)
          #expect(report.isUnchanged)
          #expect(report[Note.self].unchanged == 1000)
        }
        let lists = work.statements.filter { $0.key.contains(#"FROM "Note" WHERE "fault""#) }
        return (work.runs, lists.filter { $0.key.contains("text") }.values.reduce(0) { $0 + $1.runs })
      }
      let inOrder = try await runs(faults(100))
      #expect(inOrder.total < 120)
      #expect(inOrder.lists == 100)
      #expect(try await runs(faults(100, isReversed: true)).lists == 8)
    }

    /// The users and tags of many rows are looked up once, and each row with lists requires one statement.
    @Test func repeatedObjectsAreLookedUpOnce() async throws {
      let rows = payload(1...500) {
        #"""
        {"id": \#($0), "title": "T", "project": {"id": \#($0 % 5), "name": "P"},
          "tags": [{"id": \#($0 % 7), "name": "T"}, {"id": \#($0 % 7 + 7), "name": "U"}]}
        """#
      }
      let store = try makeStore(in: folder)
      try await store.sync(payload: rows, as: Task.self)
      let work = try await store.work {
        let report = try await store.sync(payload: rows, as: Task.self)
        #expect(report.isUnchanged)
        #expect(report[Tag.self].unchanged == 14)
      }
      func runs(_ table: String) -> Int {
        work.statements.filter { $0.key.contains("FROM \"\(table)\"") }.values.reduce(0) { $0 + $1.runs }
      }
      #expect(runs("Project") <= 5 + 1, "\(work)")
      #expect(runs("Tag") <= 14 + 1, "\(work)")
      #expect(work.runs <= 500 + 60, "\(work)")
    }

    /// Rows that are ordered by date or rank are read in the order of the stored rows, without looking each one up.
    @Test func rowsInAnyOrderAreReadInOneScan() async throws {
      func expectOneScan<Model: SyncUpdatableModel>(
        as model: Model.Type, _ row: (Int, String) -> String
      ) async throws {
        var random = SeededGenerator(seed: 3)
        let numbers = Array(1...5_000)
        func list(_ numbers: [Int], _ text: String) -> String {
          "[\(numbers.map { row($0, text) }.joined(separator: ","))]"
        }
        let store = try makeStore(in: folder)
        try await store.sync(payload: list(numbers, "a"), as: model)
        let sorted = try await store.work { try await store.sync(payload: list(numbers, "a"), as: model) }
        let same = list(numbers.shuffled(using: &random), "a")
        let again = try await store.work { try await store.sync(payload: same, as: model) }
        #expect(again.changes == 0)
        #expect(again.runs <= sorted.runs + 40, "\(again)")
        #expect(again.steps <= 2 * sorted.steps, "\(sorted)\n\(again)")
        let changed = list(numbers.shuffled(using: &random), "b")
        let work = try await store.work { try await store.sync(payload: changed, as: model) }
        #expect(work.changes == 5_000)
        #expect(work.runs <= 5_000 + sorted.runs + 40, "\(work)")
      }
      try await expectOneScan(as: Kinds.self) { #"{"id": \#($0), "text": "\#($1)"}"# }
      try await expectOneScan(as: Label.self) { #"{"id": "key \#($0)", "name": "\#($1)"}"# }
      // Nested rows are looked up for each row that contains them, in any order.
      try await expectOneScan(as: Task.self) {
        #"""
        {"id": \#($0), "title": "\#($1)", "project": {"id": \#($0 % 50), "name": "P"},
          "tags": [{"id": \#($0 % 7), "name": "T"}]}
        """#
      }
      try await expectOneScan(as: Category.self) {
        #"{"id": "key \#($0)", "name": "\#($1)", "parent_id": "key \#($0 / 10 + 1)"}"#
      }
    }

    /// New rows are inserted in ascending order, which fills the pages of the table.
    @Test func newRowsInAnyOrderFillThePagesOfTheTable() async throws {
      var random = SeededGenerator(seed: 5)
      func pages(_ numbers: [Int]) async throws -> (written: Int, runs: Int) {
        let store = try makeStore(in: folder)
        let rows = numbers.map { #"{"id": \#($0), "text": "\#(String(repeating: "text", count: 20))"}"# }
        let work = try await store.work {
          try await store.sync(payload: "[\(rows.joined(separator: ","))]", as: Kinds.self)
        }
        return (work.pagesWritten, work.runs)
      }
      let sorted = try await pages(Array(1...5_000))
      let shuffled = try await pages((1...5_000).shuffled(using: &random))
      #expect(shuffled.written <= sorted.written + 2)
      #expect(shuffled.runs <= sorted.runs + 4)
    }

    @Test func changedRowsWriteOnlyChangedColumns() async throws {
      let store = try await makeTracker(500, in: folder)
      let changed = payload(1...500) { trackerTask($0, title: $0 % 100 == 0 ? "changed" : "T\($0)") }
      let work = try await store.work { try await store.sync(payload: changed, as: Task.self) }
      #expect(work.changes == 5, "\(work)")
      #expect(work.writes == [#"UPDATE "Task" SET "title" = ?1 WHERE "id" = ?2"#])
    }

    @Test func aRowWhoseScalarsAndLinkChangeIsWrittenOnce() async throws {
      let store = try await makeTracker(10, in: folder)
      let item = #"{"id": 5, "title": "changed", "project_id": 2}"#
      let work = try await store.work { try await store.sync(item: item, as: Task.self) }
      #expect(work.changes == 1, "\(work)")
    }

    @Test func removingRowsWritesOnlyTheRowsAndTheirLinks() async throws {
      let store = try await makeTracker(300, in: folder)
      let rest = payload((1...300).filter { $0 % 100 != 0 }) { trackerTask($0) }
      let work = try await store.work { try await store.sync(payload: rest, as: Task.self) }
      #expect(work.changes == 3 + 3 * 3, "\(work)")
    }

    @Test func softDeletedRowsAreNotWrittenAgain() async throws {
      let store = try makeStore(in: folder)
      let studios = payload(1...50) { #"{"remote_id": "s\#($0)", "name": "S", "updated_at": "2024-01-01"}"# }
      try await store.sync(payload: studios, as: Studio.self)
      let first = try await store.work { try await store.sync(payload: "[]", as: Studio.self) }
      #expect(first.changes == 50)
      let second = try await store.work { try await store.sync(payload: "[]", as: Studio.self) }
      #expect(second.changes == 0, "\(second)")
      #expect(second.pagesWritten == 0)
    }
  }

  /// Many-to-many links, each of which is a row in a join table.
  @Suite struct Links {
    private let folder = TemporaryFolder()

    private func owners(_ range: ClosedRange<Int>, firstTag: Int) -> String {
      payload(range) { owner in
        // Tags in random order, since one end of a relationship finds its links in the order of insertion.
        let tags = (0..<20).map { "\(firstTag + owner + $0 * 7 % 20)" }.joined(separator: ", ")
        return #"{"id": \#(owner), "title": "T\#(owner)", "tag_ids": [\#(tags)]}"#
      }
    }

    private func store() async throws -> SyncContainer {
      let store = try makeStore(in: folder)
      try await store.sync(payload: payload(1...200) { #"{"id": \#($0), "name": "G"}"# }, as: Tag.self)
      try await store.sync(payload: owners(1...100, firstTag: 1), as: Task.self)
      return store
    }

    @Test func unchangedLinksAreNotWritten() async throws {
      let store = try await store()
      try store.truncateLog()
      let work = try await store.work {
        try await store.sync(payload: owners(1...100, firstTag: 1), as: Task.self)
      }
      #expect(work.changes == 0, "\(work)")
      #expect(work.pagesWritten == 0)
      #expect(try store.logSize == 0)
      // The links of each task are read once.
      let reads = work.statements.filter { $0.key.contains("Tag.tasks") || $0.key.contains("Task.tags") }
      #expect(reads.values.reduce(0) { $0 + $1.runs } == 100, "\(work)")
    }

    @Test func onlyChangedLinksAreWritten() async throws {
      let store = try await store()
      // Each task loses the first two of its twenty tags, and gains two others.
      let work = try await store.work {
        try await store.sync(payload: owners(1...100, firstTag: 3), as: Task.self)
      }
      #expect(work.changes == 100 * (2 + 2), "\(work)")
      #expect(work.writes.allSatisfy { $0.contains("Tag.tasks") }, "no row is written for its links")
    }
  }
}
