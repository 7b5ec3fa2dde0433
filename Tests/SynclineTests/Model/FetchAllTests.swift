import GRDB
@testable import Syncline
import Testing

/// Requests return the same results, and throw the same errors, as GRDB's own functions.
@Suite struct FetchAllTests {
  private func store() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 1, "title": "A", "opened_at": 1, "topics": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}]},
         {"id": 2, "title": "B", "opened_at": 2, "topic_ids": [2]}]
        """#, as: Fault.self)
    return store
  }

  @Test func requestsFetchTheRowsThatGRDBFetches() async throws {
    try await store().database.read { db in
      let all = try Fault.fetchAll(db)
      #expect(try all == Array(Fault.fetchCursor(db)))
      #expect(try Fault.none().fetchAll(db) == [])
      let last = Fault.order(Fault.Columns.id.desc).limit(1)
      #expect(try last.fetchAll(db) == Fault.fetchAll(db, last))
      #expect(try last.fetchAll(db).map(\.title) == ["B"])
      let request: SQLRequest<Fault> = "SELECT 7 AS other, * FROM Fault WHERE title = \("A")"
      #expect(try request.fetchAll(db).map(\.id) == [1])
      let columns = ["id": "other", "title": "title", "openedAt": "openedAt"]
      let adapted = request.adapted { _ in ColumnMapping(columns) }
      #expect(try adapted.fetchAll(db).map(\.id) == [7])
      #expect(
        throws: SyncError.unreadableRow(model: "Fault", reason: "the required column “title” is missing")
      ) { try Fault.select(Fault.Columns.id).fetchAll(db) }
    }
  }

  @Test func customRowInitializerIsUsedForEveryRow() async throws {
    try await store().database.read { db in
      let request = Topic.order(Topic.Columns.id).annotated(with: (Topic.Columns.id * 10).forKey("loudness"))
      let topics = try request.fetchAll(db)
      #expect(topics.map(\.name) == ["x, loudness 10", "y, loudness 20"])
      #expect(try Topic.order(Topic.Columns.id).fetchAll(db).map(\.name) == ["x", "y"])
    }
  }

  @Test func prefetchedAssociationsAreRead() async throws {
    try await store().database.read { db in
      let request = Topic.including(all: Topic.faults).order(Topic.Columns.id)
      let topics = try request.fetchAll(db)
      #expect(topics.map(\.name) == ["x, faults 1", "y, faults 2"])
      #expect(try request.makePreparedRequest(db).prefetches)
      // All other requests are read without GRDB's loop.
      #expect(try !Fault.including(optional: Fault.user).makePreparedRequest(db).prefetches)
      #expect(try !Topic.all().makePreparedRequest(db).prefetches)
    }
  }

  @Test func cancellationAndErrorsEqualThoseOfGRDB() async throws {
    let store = try await store()
    await #expect(throws: CancellationError.self) {
      try await _Concurrency.Task {
        try await store.database.read { db in
          db.add(
            function: DatabaseFunction("cancelled", argumentCount: 1) { _ in
              withUnsafeCurrentTask { $0?.cancel() }
              return true
            })
          return try Fault.filter(sql: "cancelled(id)").fetchAll(db).count
        }
      }.value
    }
    try await store.database.read { db in
      let request = Fault.filter(sql: "title < json_extract('[', '$')")
      let error = #expect(throws: DatabaseError.self) { try request.fetchAll(db) }
      let grdbs = #expect(throws: DatabaseError.self) { try Fault.fetchAll(db, request) }
      #expect(error != nil && error?.description == grdbs?.description)
    }
  }
}

/// A model may implement `init(row:)`. Additional columns of a request are then passed to it.
extension Topic {
  init(row: Row) throws {
    self.init(id: row["id"], name: row["name"])
    if let loudness = row["loudness"] as Int? { name += ", loudness \(loudness)" }
    if let faults = row.prefetchedRows["faults"] { name += ", faults \(faults.count)" }
  }
}
