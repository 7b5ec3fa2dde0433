import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Counts the changes and commits that transaction observers see.
private final class ChangeCounter: TransactionObserver {
  private(set) var changes = 0

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
  func databaseDidChange(with event: DatabaseEvent) { changes += 1 }
  func databaseDidCommit(_ db: Database) {}
  func databaseDidRollback(_ db: Database) {}
}

/// The changes that transaction observers see during a sync.
@Suite struct NoticeTests {
  private let folder = TemporaryFolder()
  private let payload = """
    [{"id": 1, "title": "A", "project": {"id": 1, "name": "P"}, "tags": [{"id": 1, "name": "x"}]},
     {"id": 2, "title": "B", "project_id": 1, "tag_ids": [1]}]
    """

  @Test func unchangedPayloadNotifiesNoObserver() async throws {
    let container = try makeStore()
    try await container.sync(payload: payload, as: Task.self)
    let counter = ChangeCounter()
    container.database.add(transactionObserver: counter, extent: .observerLifetime)
    try await container.sync(payload: payload, as: Task.self)
    #expect(counter.changes == 0)
    try await container.sync(item: #"{"id": 1, "title": "C"}"#, as: Task.self)
    #expect(counter.changes == 1)
  }

  @Test func anObservedQueryIsFetchedAgainOnlyWhenItsRowsChange() async throws {
    let container = try makeStore()
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

  @Test func unchangedPayloadWritesNothingToTheWAL() async throws {
    let container = try makeStore(in: folder)
    try await container.sync(payload: payload, as: Task.self)
    try container.truncateLog()
    #expect(try container.logSize == 0)
    try await container.sync(payload: payload, as: Task.self)
    #expect(try container.logSize == 0)
  }
}
