import Foundation
import Syncline
import SynclineTesting
import Testing

/// Counts the changes and commits that observers of the database see.
private final class ChangeCounter: TransactionObserver {
  private(set) var changes = 0

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
  func databaseDidChange(with event: DatabaseEvent) { changes += 1 }
  func databaseDidCommit(_ db: Database) {}
  func databaseDidRollback(_ db: Database) {}
}

/// What observers see of a sync.
@Suite struct NoticeTests {
  private let payload = """
    [{"id": 1, "title": "A", "project": {"id": 1, "name": "P"}, "tags": [{"id": 1, "name": "x"}]},
     {"id": 2, "title": "B", "project_id": 1, "tag_ids": [1]}]
    """

  @Test func anUnchangedPayloadIsNotNoticed() async throws {
    let container = try SyncContainer(for: SynclineTestsSchema.self)
    try await container.sync(payload: payload, as: Task.self)
    let counter = ChangeCounter()
    container.database.add(transactionObserver: counter, extent: .observerLifetime)
    try await container.sync(payload: payload, as: Task.self)
    #expect(counter.changes == 0)
    try await container.sync(item: #"{"id": 1, "title": "C"}"#, as: Task.self)
    #expect(counter.changes == 1)
  }

  @Test func anObservedQueryIsFetchedAgainOnlyWhenItsRowsChange() async throws {
    let container = try SyncContainer(for: SynclineTestsSchema.self)
    try await container.sync(payload: payload, as: Task.self)
    let observation = ValueObservation.tracking { db in
      try Task.order(Task.Columns.id).fetchAll(db).map(\.title)
    }
    .removeDuplicates()
    var values = observation.values(in: container.database).makeAsyncIterator()
    #expect(try await values.next() == ["A", "B"])
    try await container.sync(payload: payload, as: Task.self)
    try await container.sync(item: #"{"id": 2, "title": "changed"}"#, as: Task.self)
    #expect(try await values.next() == ["A", "changed"])
  }

  @Test func anUnchangedPayloadWritesNoByteOfTheLog() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "syncline-\(UUID()).sqlite")
    let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    func logSize() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: file.path + "-wal")[.size] as? Int
    }
    try await container.sync(payload: payload, as: Task.self)
    try await container.database.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
    #expect(try logSize() == 0)
    try await container.sync(payload: payload, as: Task.self)
    #expect(try logSize() == 0)
  }
}
