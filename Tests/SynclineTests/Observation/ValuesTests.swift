import Foundation
import SynclineTesting
import Testing

@testable import Syncline

/// Observed reads as asynchronous sequences.
@Suite struct ValuesTests {
  private let folder = TemporaryFolder()

  private func titles(_ rows: SyncRows<Task>?) -> [String]? { rows?.map(\.title) }

  private func makeTasks(in folder: TemporaryFolder?) async throws -> SyncContainer {
    let store = try makeStore(in: folder)
    try await store.sync(
      payload: """
        [{"id": 1, "title": "b", "state": {"id": "open"}, "project": {"id": 1, "name": "P"}, "tags": [{"id": 7, "name": "t"}]},
         {"id": 2, "title": "a", "state": {"id": "open"}, "project_id": 1, "tag_ids": [7]},
         {"id": 3, "title": "c", "state": {"id": "done"}, "project": {"id": 2, "name": "Q"}}]
        """, as: Task.self)
    return store
  }

  @Test(arguments: [true, false])
  func rowsAreDeliveredFirstAndAfterEachChange(inFile: Bool) async throws {
    let store = try await makeTasks(in: inFile ? folder : nil)
    let open = store.values(
      of: Task.self, where: Task.Columns.state == TaskState.open, orderBy: [Task.Columns.title])
    var values = open.makeAsyncIterator()
    #expect(titles(try await values.next()) == ["a", "b"])
    try await store.sync(item: #"{"id": 3, "state": {"id": "open"}}"#, as: Task.self)
    #expect(titles(try await values.next()) == ["a", "b", "c"])
    try await store.sync(item: #"{"id": 2, "title": "z"}"#, as: Task.self)
    #expect(titles(try await values.next()) == ["b", "c", "z"])
    try await store.database.write { _ = try Task.deleteOne($0, key: 1) }
    #expect(titles(try await values.next()) == ["c", "z"])
    try await store.database.write { try $0.execute(sql: "UPDATE Task SET title = 'd' WHERE id = 2") }
    #expect(titles(try await values.next()) == ["c", "d"])
  }

  @Test func rowWithAChangedIdentityLeavesItsParentsList() async throws {
    let store = try await makeTasks(in: nil)
    var values = store.values(
      of: Task.self, where: Task.Columns.project == 2, orderBy: [Task.Columns.title]
    ).makeAsyncIterator()
    #expect(titles(try await values.next()) == ["c"])
    // SQLite reports only the new `rowid`, which belongs to another list.
    try await store.database.write { try $0.execute(sql: "UPDATE Task SET id = 9, project = 1 WHERE id = 3") }
    #expect(titles(try await values.next()) == [])
  }

  @Test func iteratorCanBeUsedWithinAnActor() async throws {
    actor Keeper {
      private var iterator: SyncDifferences<Task>.AsyncIterator

      init(_ store: SyncContainer) {
        iterator = store.values(of: Task.self).differences.makeAsyncIterator()
      }

      func next() async throws -> [String]? {
        var current = iterator
        defer { iterator = current }
        guard #available(macOS 15, iOS 18, *) else { return [] }
        return try await current.next(isolation: self)?.rows.map(\.title)
      }
    }
    let store = try await makeTasks(in: nil)
    let keeper = Keeper(store)
    #expect(try await keeper.next() == ["b", "a", "c"])
    try await store.sync(item: #"{"id": 3, "title": "new"}"#, as: Task.self)
    #expect(try await keeper.next() == ["b", "a", "new"])
  }

  @Test func cancelledWaitDoesNotEndTheIteration() async throws {
    actor Keeper {
      private var iterator: SyncValues<SyncRows<Task>>.AsyncIterator

      init(_ store: SyncContainer) { iterator = store.values(of: Task.self).makeAsyncIterator() }

      func next() async throws -> [String]? {
        var current = iterator
        defer { iterator = current }
        guard #available(macOS 15, iOS 18, *) else { return nil }
        return try await current.next(isolation: self)?.map(\.title)
      }
    }
    let store = try await makeTasks(in: nil)
    let keeper = Keeper(store)
    #expect(try await keeper.next() == ["b", "a", "c"])
    let cancelled = _Concurrency.Task { try await keeper.next() }
    cancelled.cancel()
    #expect(try await cancelled.value == nil)
    let other = _Concurrency.Task { try await keeper.next() }
    try await store.sync(item: #"{"id": 3, "title": "new"}"#, as: Task.self)
    #expect(try await other.value == ["b", "a", "new"])
  }

  @Test(arguments: [true, false])
  func equalRowsAreNotPublishedAgain(inFile: Bool) async throws {
    let store = try await makeTasks(in: inFile ? folder : nil)
    var values = store.values(of: Task.self, where: Task.Columns.project == 1).makeAsyncIterator()
    #expect(titles(try await values.next()) == ["b", "a"])
    // An equal payload, other rows, other tables, and a change that the same transaction reverts.
    try await store.sync(item: #"{"id": 1, "title": "b"}"#, as: Task.self)
    try await store.database.write { try $0.execute(sql: "UPDATE Task SET title = title") }
    try await store.sync(item: #"{"id": 3, "title": "other"}"#, as: Task.self)
    try await store.sync(item: #"{"id": 1, "name": "other"}"#, as: User.self)
    try await store.database.write { database in
      try database.execute(sql: "DELETE FROM Task WHERE id = 2")
      try database.execute(
        sql: "INSERT INTO Task (id, title, state, internalFlag, project) VALUES (2, 'a', 'open', 0, 1)")
    }
    try await store.settle()
    try await store.sync(item: #"{"id": 2, "title": "new"}"#, as: Task.self)
    #expect(titles(try await values.next()) == ["b", "new"])
  }

  @Test func canonicallyEquivalentTextIsAChange() async throws {
    let store = try await makeTasks(in: nil)
    var values = store.value(of: Task.self, id: 1).makeAsyncIterator()
    _ = try await values.next()
    try await store.sync(item: "{\"id\": 1, \"title\": \"\u{e9}\"}", as: Task.self)
    #expect(try await values.next()??.title.utf8.count == 2)
    try await store.sync(item: "{\"id\": 1, \"title\": \"e\u{301}\"}", as: Task.self)
    #expect(try await values.next()??.title.utf8.count == 3)
  }

  @Test func aRelationshipScopesTheRows() async throws {
    let store = try await makeTasks(in: folder)
    var ofProject = store.values(of: Task.self, relationship: \.project, relationshipID: 1)
      .makeAsyncIterator()
    var tagged = store.values(
      of: Task.self, orderBy: [Task.Columns.title], relationship: \.tags, relationshipID: 7
    )
    .makeAsyncIterator()
    var projects = store.values(of: Project.self, relationship: \.tasks, relationshipID: 3)
      .makeAsyncIterator()
    #expect(titles(try await ofProject.next()) == ["b", "a"])
    #expect(titles(try await tagged.next()) == ["a", "b"])
    #expect(try await projects.next()?.map(\.name) == ["Q"])
    try await store.sync(item: #"{"id": 3, "project_id": 1, "tag_ids": [7]}"#, as: Task.self)
    #expect(titles(try await ofProject.next()) == ["b", "a", "c"])
    #expect(titles(try await tagged.next()) == ["a", "b", "c"])
    #expect(try await projects.next()?.map(\.name) == ["P"])
    try await store.sync(item: #"{"id": 1, "tag_ids": []}"#, as: Task.self)
    #expect(titles(try await tagged.next()) == ["a", "c"])
  }

  @Test func relationshipsCanBeUsedAsConditions() async throws {
    let store = try await makeTasks(in: nil)
    let ids = try await store.database.read { database in
      [
        try Task.filter(Task.related(\.tags, to: 7)).fetchAll(database).map(\.id),
        try Task.filter(Task.related(\.project, to: 2)).fetchAll(database).map(\.id),
        try Project.filter(Project.related(\.tasks, to: 3)).fetchAll(database).map(\.id),
        try Task.filter(!Task.related(\.tags, to: 7)).fetchAll(database).map(\.id),
      ]
    }
    #expect(ids == [[1, 2], [3], [2], [3]])
  }

  @Test func insertionAndDeletionOfARowAreObserved() async throws {
    let store = try makeStore(in: folder)
    var values = store.value(of: Task.self, id: 5).makeAsyncIterator()
    #expect(try await values.next() == .some(nil))
    try await store.sync(item: #"{"id": 5, "title": "A"}"#, as: Task.self)
    #expect(try await values.next()??.title == "A")
    try await store.sync(item: #"{"id": 6, "title": "B"}"#, as: Task.self)
    try await store.sync(item: #"{"id": 5, "title": "C"}"#, as: Task.self)
    #expect(try await values.next()??.title == "C")
    try await store.sync(payload: "[]", as: Task.self)
    #expect(try await values.next() == .some(nil))
  }

  @Test func customFetchIsObserved() async throws {
    let store = try await makeTasks(in: folder)
    let fetches = Counter()
    var counts = store.values { database in
      fetches.increment()
      return try Task.filter(Task.Columns.state == TaskState.open).fetchCount(database)
    }
    .makeAsyncIterator()
    #expect(try await counts.next() == 2)
    try await store.settle()
    let start = fetches.value
    // A change of rows that the query does not read.
    try await store.sync(item: #"{"id": 1, "name": "other"}"#, as: User.self)
    try await store.sync(item: #"{"id": 1, "title": "other"}"#, as: Task.self)
    try await store.settle()
    #expect(fetches.value == start)
    try await store.sync(item: #"{"id": 3, "state": {"id": "open"}}"#, as: Task.self)
    #expect(try await counts.next() == 3)
    #expect(fetches.value == start + 1)
  }

  @Test func customFetchMayReadDifferentTables() async throws {
    let store = try await makeTasks(in: nil)
    var values = store.values { database in
      try Task.fetchCount(database) > 3 ? User.fetchCount(database) : -1
    }
    .makeAsyncIterator()
    #expect(try await values.next() == -1)
    try await store.sync(item: #"{"id": 4, "title": "d"}"#, as: Task.self)
    #expect(try await values.next() == 0)
    try await store.sync(item: #"{"id": 1, "name": "u"}"#, as: User.self)
    #expect(try await values.next() == 1)
  }

  @Test(arguments: [true, false])
  func aReadThatFailsIsTriedAgainAtTheNextChange(inFile: Bool) async throws {
    let store = try await makeTasks(in: inFile ? folder : nil)
    var rows = store.values(of: Task.self, where: Task.Columns.project == 1).makeAsyncIterator()
    var fetched = store.values { try Task.filter(Task.Columns.project == 1).fetchAll($0).map(\.title) }
      .makeAsyncIterator()
    _ = try await (rows.next(), fetched.next())
    try await store.database.write { try $0.execute(sql: "UPDATE Task SET updatedAt = 'never' WHERE id = 1") }
    await #expect(throws: SyncError.self) { _ = try await rows.next() }
    await #expect(throws: SyncError.self) { _ = try await fetched.next() }
    try await store.database.write {
      try $0.execute(sql: "UPDATE Task SET updatedAt = NULL, title = 'corrected' WHERE id = 1")
    }
    #expect(titles(try await rows.next()) == ["corrected", "a"])
    #expect(try await fetched.next() == ["corrected", "a"])
  }

  @Test func unchangedRowsAreDeliveredAgainAfterAnError() async throws {
    let store = try await makeTasks(in: nil)
    var rows = store.values(of: Task.self, where: Task.Columns.project == 1).makeAsyncIterator()
    _ = try await rows.next()
    try await store.database.write { try $0.execute(sql: "UPDATE Task SET updatedAt = 'never' WHERE id = 1") }
    await #expect(throws: SyncError.self) { _ = try await rows.next() }
    try await store.database.write { try $0.execute(sql: "UPDATE Task SET updatedAt = NULL WHERE id = 1") }
    #expect(titles(try await rows.next()) == ["b", "a"])
  }

  @Test func observingUnknownModelsOrTablesThrows() async throws {
    let store = try SyncContainer(for: Flag.self)
    var tasks = store.values(of: Task.self).makeAsyncIterator()
    await #expect(throws: SyncError.self) { _ = try await tasks.next() }
    var wrong = store.values { try String.fetchAll($0, sql: "SELECT nothing FROM nowhere") }
      .makeAsyncIterator()
    await #expect(throws: DatabaseError.self) { _ = try await wrong.next() }
    var flags = store.values(of: Flag.self, where: GRDB.Column("nothing") == 1).makeAsyncIterator()
    await #expect(throws: DatabaseError.self) { _ = try await flags.next() }
  }

  @Test func refreshOnRepublishesRowsOnOtherModelsChanges() async throws {
    let store = try await makeTasks(in: folder)
    var values = store.values(of: Task.self, where: Task.Columns.id == 1, refreshOn: [Project.self])
      .makeAsyncIterator()
    let first = try await values.next()
    try await store.sync(item: #"{"id": 1, "name": "other"}"#, as: Project.self)
    #expect(try await values.next() == first)
  }

  @Test func refreshOnRepublishesRowsOnLinkChanges() async throws {
    let store = try await makeTasks(in: folder)
    var values = store.values(of: Task.self, where: Task.Columns.id == 1, refreshOn: [Tag.self])
      .makeAsyncIterator()
    let first = try await values.next()
    try await store.sync(item: #"{"id": 1, "tag_ids": []}"#, as: Task.self)
    #expect(try await values.next() == first)
  }

  @Test func subscribingDoesNotWaitForTheWriter() async throws {
    let store = try await makeTasks(in: folder)
    let write = await HeldWrite(in: store.database)
    var values = store.values(of: Task.self, where: Task.Columns.project == 1).makeAsyncIterator()
    #expect(titles(try await values.next()) == ["b", "a"])
    write.end()
    // Writes before the start of observation are included.
    try await store.sync(item: #"{"id": 1, "title": "after"}"#, as: Task.self)
    #expect(titles(try await values.next()) == ["after", "a"])
  }

  @Test func commitBeforeTheObservationStartsIsNotMissed() async throws {
    let store = try await makeTasks(in: folder)
    for round in 0..<30 {
      let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .database(store.database))
      // The write may happen after the first read, and before the observation starts.
      async let written: Void = store.database.write {
        try $0.execute(sql: "UPDATE Task SET title = 'round \(round)' WHERE id = 1")
      }
      var values = container.value(of: Task.self, id: 1).makeAsyncIterator()
      try await written
      while let task = try await values.next(), task?.title != "round \(round)" {}
    }
  }

  @Test func cancelledIterationStopsFollowing() async throws {
    let store = try await makeTasks(in: nil)
    let task = _Concurrency.Task {
      var count = 0
      for try await _ in store.values(of: Task.self) { count += 1 }
      return count
    }
    try await store.settle()
    task.cancel()
    _ = try await task.value
    try await store.settle()
    #expect(!store.hub.isFollowed)
  }

  @Test func releasedIterationStopsFollowing() async throws {
    let store = try await makeTasks(in: folder)
    do {
      var values = store.values(of: Task.self).makeAsyncIterator()
      _ = try await values.next()
      #expect(store.hub.isFollowed)
    }
    #expect(!store.hub.isFollowed)
    // The writer is no longer observed as soon as it is free.
    while store.hub.isObserving { try await store.database.writeWithoutTransaction { _ in } }
  }

  @Test func handwrittenModelsAreObserved() async throws {
    let database = try DatabaseQueue()
    try await database.write {
      try $0.execute(sql: "CREATE TABLE Gadget (id INTEGER PRIMARY KEY, name TEXT)")
    }
    let store = try SyncContainer(for: Gadget.self, storage: .database(database))
    var values = store.values(of: Gadget.self, orderBy: [GRDB.Column("name")], limit: 2).makeAsyncIterator()
    #expect(try await values.next()?.count == 0)
    try await store.sync(
      payload: #"[{"id": 1, "name": "b"}, {"id": 2, "name": "a"}, {"id": 3, "name": "c"}]"#, as: Gadget.self)
    #expect(try await values.next()?.map(\.name) == ["a", "b"])
    try await store.sync(item: #"{"id": 3, "name": "c"}"#, as: Gadget.self)
    try await store.sync(item: #"{"id": 3, "name": "0"}"#, as: Gadget.self)
    #expect(try await values.next()?.map(\.name) == ["0", "a"])
  }

  @Test func publishedStatesAreCompleteAndInOrder() async throws {
    let store = try makeStore(in: folder)
    func payload(_ round: Int) -> String {
      SynclineTests.payload(1...60) { #"{"id": \#($0), "title": "\#(round)", "details": "\#(round)"}"# }
    }
    try await store.sync(payload: payload(0), as: Task.self)
    let last = 60
    async let seen: [Int] = {
      var seen: [Int] = []
      for try await rows in store.values(of: Task.self, orderBy: [Task.Columns.title]) {
        // All rows have the state of one sync.
        let titles = Set(rows.map(\.title))
        #expect(titles.count == 1 && rows.count == 60)
        seen.append(titles.first.flatMap { Int($0) } ?? -1)
        if seen.last == last { break }
      }
      return seen
    }()
    for round in 1...last { try await store.sync(payload: payload(round), as: Task.self) }
    let rounds = try await seen
    #expect(rounds == rounds.sorted() && Set(rounds).count == rounds.count)
  }

  @Test func changeWakesOnlyTheMatchingFollower() async throws {
    let store = try await makeTasks(in: folder)
    let probes = (0..<500).map { number in
      Probe(
        route: Route(
          column: .init(table: "Task", rowNumberColumn: "rowid", numbers: nil, name: "project"),
          value: Int64(number).databaseValue))
    }
    let followings = probes.map { store.hub.follow($0) }
    try await store.settle()
    try await store.sync(item: #"{"id": 3, "title": "changed"}"#, as: Task.self)
    try await store.settle()
    #expect(probes.indices.filter { probes[$0].updates > 0 } == [2])
    withExtendedLifetime(followings) {}
  }
}

/// A model without a schema.
private struct Gadget: Codable, SyncUpdatableModel {
  var id: Int
  var name: String

  static var syncIdentity: KeyPath<Gadget, Int> { \.id }

  static func make(from payload: SyncPayload) throws -> Gadget {
    Gadget(
      id: try payload.required(Int.self, for: "id"), name: try payload.required(String.self, for: "name"))
  }

  mutating func apply(_ payload: SyncPayload) throws -> Bool { try payload.update(&name, for: "name") }
  func export(in context: SyncExportContext) throws -> SyncJSON { .null }
}

private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  func increment() { lock.withLock { count += 1 } }
  var value: Int { lock.withLock { count } }
}
