import Foundation
import Synchronization
import SynclineTesting
import TestSupport
import Testing

@testable import Syncline

/// Notices of the changes of commits.
@Suite struct ChangesTests {
  private let folder = TemporaryFolder()

  private func makeTasks(inFile: Bool) async throws -> SyncContainer {
    let store = try makeStore(in: inFile ? folder : nil)
    try await store.sync(
      payload: """
        [{"id": 1, "title": "a", "tags": [{"id": 7, "name": "t"}, {"id": 8, "name": "u"}],
          "items": [{"id": "x", "title": "i"}, {"id": "y", "title": "j"}]},
         {"id": 2, "title": "b"}]
        """, as: Task.self)
    return store
  }

  @Test(arguments: [true, false])
  func syncPublishesItsChanges(inFile: Bool) async throws {
    let store = try await makeTasks(inFile: inFile)
    var notices = store.changes().makeAsyncIterator()
    try await store.sync(
      payload:
        #"[{"id": 1, "title": "other", "updated_at": "2024-01-01"}, {"id": 3, "title": "c", "items": [{"id": "z", "title": "k"}]}]"#,
      as: Task.self)
    let changes = try #require(try await notices.next())
    #expect(changes[Task.self].inserted == [3])
    #expect(changes[Task.self].updated == [1])
    #expect(changes[Task.self].deleted == [2])
    #expect(changes[Task.self].columns == ["title", "updatedAt"])
    #expect(changes[Item.self].inserted == ["z"])
    #expect(changes[Tag.self].isEmpty && changes[Project.self].isEmpty)
    #expect(changes.tables.keys.sorted() == ["Item", "Task"])
    #expect(changes.description == "Item: 1 inserted; Task: 1 inserted, 1 updated, 1 deleted")
  }

  @Test(arguments: [true, false])
  func directWritesPublishTheirChanges(inFile: Bool) async throws {
    let store = try await makeTasks(inFile: inFile)
    var notices = store.changes().makeAsyncIterator()
    try await store.database.write { database in
      var task = try #require(try Task.fetchOne(database, key: 2))
      task.title = "by a record"
      try task.update(database)
      try Tag(id: 9, name: "new").insert(database)
    }
    var changes = try #require(try await notices.next())
    #expect(changes[Task.self].updated == [2] && changes[Tag.self].inserted == [9])
    #expect(changes[Task.self].columns.contains("title"))
    try await store.database.write { database in
      try database.execute(
        sql: "UPDATE Item SET position = 5 WHERE id = 'x'; DELETE FROM Item WHERE id = 'y'")
    }
    changes = try #require(try await notices.next())
    #expect(changes[Item.self].updated == ["x"] && changes[Item.self].deleted == ["y"])
    #expect(changes[Item.self].columns == ["position"])
    // Deletion of whole tables, and of rows by foreign keys.
    try await store.database.write { _ = try Task.deleteAll($0) }
    changes = try #require(try await notices.next())
    #expect(changes[Task.self].deleted == [1, 2] && changes[Item.self].deleted == ["x"])
    #expect(changes[Tag.self].updated == [7, 8] && changes[Tag.self].columns == ["tasks"])
  }

  @Test(arguments: [true, false])
  func writesWithoutEffectPublishNoChanges(inFile: Bool) async throws {
    let store = try await makeTasks(inFile: inFile)
    var notices = store.changes().makeAsyncIterator()
    // The same payload again.
    try await store.sync(item: #"{"id": 1, "title": "a", "tag_ids": [7, 8]}"#, as: Task.self)
    try await store.database.writeWithoutTransaction { database in
      try database.execute(sql: "UPDATE Task SET title = title")
      try database.execute(sql: "UPDATE Task SET title = 'none' WHERE id = 99")
      try database.inTransaction {
        try database.execute(sql: "DELETE FROM Task")
        return .rollback
      }
      try database.inTransaction {
        try database.execute(sql: "INSERT INTO Tag (id, name) VALUES (50, 'x')")
        try database.execute(sql: "DELETE FROM Tag WHERE id = 50")
        try database.inSavepoint {
          try database.execute(sql: "UPDATE Item SET title = 'undone'")
          return .rollback
        }
        // The statement fails at its second row, after the first was written.
        try? database.execute(sql: "INSERT INTO Tag (id, name) VALUES (60, 'x'), (7, 'y')")
        return .commit
      }
      try database.execute(sql: "CREATE TABLE own (id INTEGER PRIMARY KEY, text TEXT)")
      try database.execute(sql: "INSERT INTO own (text) VALUES ('not a model')")
    }
    try await store.database.write { try $0.execute(sql: "UPDATE Tag SET name = 'last' WHERE id = 7") }
    let changes = try await notices.next()
    #expect(changes?.description == "Tag: 1 updated")
  }

  @Test(arguments: [true, false])
  func identityChangeIsADeletionAndAnInsertion(inFile: Bool) async throws {
    let store = try await makeTasks(inFile: inFile)
    var notices = store.changes().makeAsyncIterator()
    try await store.database.write { database in
      try database.execute(sql: "UPDATE Tag SET id = 20 WHERE id = 8")
      try database.execute(sql: "UPDATE \"Tag.tasks\" SET source = 20 WHERE source = 8")
      try database.execute(sql: "UPDATE Item SET id = 'w' WHERE id = 'x'")
    }
    let changes = try #require(try await notices.next())
    #expect(changes[Item.self].deleted == ["x"] && changes[Item.self].inserted == ["w"])
    #expect(changes[Tag.self].inserted == [20])
    #expect(changes[Tag.self].deleted == [8])
  }

  @Test(arguments: [true, false])
  func triggerWritesDuringASyncArePublished(inFile: Bool) async throws {
    let store = try await makeTasks(inFile: inFile)
    try await store.database.write { database in
      try database.execute(
        sql: "CREATE TRIGGER log AFTER UPDATE ON Task BEGIN UPDATE Tag SET name = new.title WHERE id = 7; END"
      )
    }
    var notices = store.changes().makeAsyncIterator()
    try await store.sync(item: #"{"id": 2, "title": "logged"}"#, as: Task.self)
    let changes = try #require(try await notices.next())
    #expect(changes[Task.self].updated == [2] && changes[Tag.self].updated == [7])
    #expect(changes[Tag.self].columns == ["name"])
  }

  @Test func rowThatIsDeletedAndInsertedAgainHasChangedInAllColumns() async throws {
    let store = try await makeTasks(inFile: true)
    var notices = store.changes().makeAsyncIterator()
    try await store.database.write { database in
      let tag = try #require(try Tag.fetchOne(database, key: 7))
      try Tag.deleteOne(database, key: 7)
      try Tag(id: 7, name: tag.name + "!").insert(database)
    }
    let changes = try #require(try await notices.next())
    #expect(changes[Tag.self].updated == [7] && changes[Tag.self].columns.contains("name"))
  }

  @Test func linkChangesAreChangesOfTheLinkedRows() async throws {
    let store = try await makeTasks(inFile: true)
    var notices = store.changes().makeAsyncIterator()
    // A sync reports the row that states its links.
    let report = try await store.sync(item: #"{"id": 2, "tag_ids": [7]}"#, as: Task.self)
    var changes = try #require(try await notices.next())
    #expect(report[Task.self].updated == 1 && report[Tag.self].updated == 0)
    #expect(changes[Task.self].updated == [2] && changes[Tag.self].isEmpty)
    #expect(changes[Task.self].columns == ["tags"])
    // SQL does not show which row states the links, so both ends are changed.
    try await store.database.write { try $0.execute(sql: "DELETE FROM \"Tag.tasks\" WHERE target = 2") }
    changes = try #require(try await notices.next())
    #expect(changes[Task.self].updated == [2] && changes[Tag.self].updated == [7])
    #expect(changes[Task.self].columns == ["tags"] && changes[Tag.self].columns == ["tasks"])
  }

  @Test func eachCommitIsPublishedSeparatelyInOrder() async throws {
    let store = try await makeTasks(inFile: true)
    var notices = store.changes().makeAsyncIterator()
    for id in 10..<40 { try await store.sync(item: #"{"id": \#(id), "title": "t"}"#, as: Task.self) }
    for id in 10..<40 { #expect(try await notices.next()?[Task.self].inserted == [id]) }
  }

  /// A commit that one task did not wait for is delivered to the next task that asks.
  @Test func cancellingOneTaskDoesNotLoseNotices() async throws {
    let store = try await makeTasks(inFile: false)
    let notices = store.changes()
    let (waits, wait) = AsyncStream.makeStream(of: Void.self)
    let cancelled = _Concurrency.Task {
      var iterator = notices.makeAsyncIterator()
      wait.yield()
      return try await iterator.next()
    }
    for await _ in waits { break }
    cancelled.cancel()
    #expect(try await cancelled.value == nil)
    let other = _Concurrency.Task {
      var iterator = notices.makeAsyncIterator()
      return try await iterator.next()
    }
    try await store.sync(item: #"{"id": 9, "title": "new"}"#, as: Task.self)
    #expect(try await other.value?[Task.self].inserted == [9])
    // The notice is also delivered after a cancelled task has asked for it.
    try await store.sync(item: #"{"id": 10, "title": "new"}"#, as: Task.self)
    let late = _Concurrency.Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var iterator = notices.makeAsyncIterator()
      return try await iterator.next()
    }
    #expect(try await late.value == nil)
    var iterator = notices.makeAsyncIterator()
    #expect(try await iterator.next()?[Task.self].inserted == [10])
  }

  @Test func unreadNoticesAreMergedBeyondTheLimit() async throws {
    let buffer = SyncChangeNotices.makeBuffer()
    func notice(_ id: Int64, _ kind: SyncChanges.Kind) -> Result<SyncChanges, any Error> {
      var changes = SyncChanges()
      changes.tables["Task", default: .init()].rows[.init(id: .integer(id))] = kind
      return .success(changes)
    }
    for id in 0..<Int64(SyncChangeNotices.limit) { buffer.add(notice(id, .inserted)) }
    let last = Int64(SyncChangeNotices.limit)
    for kind in [SyncChanges.Kind.inserted, .updated] { buffer.add(notice(last, kind)) }
    buffer.add(notice(last + 1, .deleted))
    buffer.add(notice(last + 1, .inserted))
    buffer.add(notice(last + 2, .inserted))
    buffer.add(notice(last + 2, .deleted))
    for id in 0..<SyncChangeNotices.limit - 1 {
      #expect(try buffer.takeFirst()?.get()[Task.self].inserted == [id])
    }
    let changes = try #require(try buffer.takeFirst()?.get())
    #expect(
      changes[Task.self].inserted == [Int(last) - 1, Int(last)]
        && changes[Task.self].updated == [Int(last) + 1])
    #expect(changes[Task.self].deleted == [])
  }

  @Test(.enabled(if: TestKind.thorough.runs)) func veryManyChangesAreReportedWithoutIdentities() async throws
  {
    let store = try makeStore(in: folder)
    var notices = store.changes().makeAsyncIterator()
    try await store.database.write { database in
      try database.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100001)
          INSERT INTO Tag (id, name) SELECT i, 't' FROM n
          """)
    }
    var changes = try #require(try await notices.next())
    #expect(changes[Tag.self].isMany && changes[Tag.self].inserted == [])
    #expect(changes.description == "Tag: many rows")
    try await store.sync(payload: "[]", as: Tag.self)
    changes = try #require(try await notices.next())
    #expect(changes[Tag.self].isMany && changes[Tag.self].deleted == [])
  }

  @Test(arguments: [true, false])
  func listenerAddedInATransactionReceivesItsChanges(inFile: Bool) async throws {
    let store = try await makeTasks(inFile: inFile)
    // Commits are observed because a follower exists.
    var rows = store.values(of: User.self).makeAsyncIterator()
    _ = try await rows.next()
    try await store.database.write { _ in }
    var notices = try await store.database.write { database in
      try database.execute(sql: "UPDATE Tag SET name = 'x' WHERE id = 7")
      return store.changes()
    }.makeAsyncIterator()
    var changes = try #require(try await notices.next())
    // In a file, the stored rows before the commit can still be read.
    #expect(changes[Tag.self].isMany == !inFile && changes[Tag.self].updated == (inFile ? [7] : []))
    try await store.database.write { try $0.execute(sql: "UPDATE Tag SET name = 'y' WHERE id = 8") }
    changes = try #require(try await notices.next())
    #expect(changes[Tag.self].updated == [8] && !changes[Tag.self].isMany)
  }

  /// The known rows are those of the last commit, even if nobody observed it.
  @Test(arguments: [true, false])
  func changesAreRelativeToTheLastCommitEvenIfUnobserved(inFile: Bool) async throws {
    let store = try await makeTasks(inFile: inFile)
    let former = Mutex<SyncChangeNotices?>(store.changes())
    try await store.database.write { _ in }
    var notices = try await store.database.writeWithoutTransaction { database in
      // The last listener leaves and the next one arrives before the writer's queue is free.
      former.withLock { $0 = nil }
      try database.execute(sql: "UPDATE Tag SET name = 'x' WHERE id = 7")
      return store.changes()
    }.makeAsyncIterator()
    try await store.database.write { try $0.execute(sql: "UPDATE Tag SET name = 't' WHERE id = 7") }
    try await store.database.write { try $0.execute(sql: "UPDATE Tag SET name = 'y' WHERE id = 8") }
    #expect(try await notices.next()?[Tag.self].updated == [7])
  }

  @Test func releasedNoticesStopListening() async throws {
    let store = try await makeTasks(inFile: true)
    do {
      let notices = store.changes()
      #expect(store.hub.isListenedTo)
      withExtendedLifetime(notices) {}
    }
    #expect(!store.hub.isListenedTo && !store.hub.isFollowed)
  }
}
