import TestSupport
import Testing

@testable import Syncline

/// What a sync over pending edits costs, as SQLite counts it (contract, section 13).
@Suite struct CountedPullTests {
  private let projects = SyncJSON.array((1...600).map { ["id": .number(.init($0)), "name": "p"] })

  /// The work of the second of two items, so that what is prepared once does not count.
  private func workOfItem(pending count: Int) async throws -> Work {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try makeStore(in: folder)
    try await store.sync(payload: projects, as: Project.self)
    try await store.run("UPDATE Project SET name = 'mine' WHERE id <= ?", [count])
    try await store.sync(item: #"{"id": 599, "name": "a"}"#, as: Project.self)
    return try await store.work { try await store.sync(item: #"{"id": 600, "name": "b"}"#, as: Project.self) }
  }

  /// The edits of its own rows are looked up, however many there are of others.
  @Test func anItemCostsTheSameHoweverManyOtherRowsAreEdited() async throws {
    let (few, many) = (try await workOfItem(pending: 10), try await workOfItem(pending: 500))
    #expect(few.changes == many.changes && few.runs == many.runs)
    #expect(abs(few.steps - many.steps) < 20, "\(few), \(many)")
    // GRDB prepares these two for each transaction.
    #expect(many.prepared == ["BEGIN IMMEDIATE TRANSACTION", "COMMIT TRANSACTION"])
  }
}
