import TestSupport
import Testing

@testable import Syncline

/// What syncs and pushes cost while many edits are pending, as SQLite counts it (contract, section 13).
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
  @Test func itemSyncCostIsIndependentOfEditsOfOtherRows() async throws {
    let (few, many) = (try await workOfItem(pending: 10), try await workOfItem(pending: 500))
    #expect(few.changes == many.changes && few.runs == many.runs)
    #expect(abs(few.steps - many.steps) < 20, "\(few), \(many)")
    // GRDB prepares these two for each transaction.
    #expect(many.prepared == ["BEGIN IMMEDIATE TRANSACTION", "COMMIT TRANSACTION"])
  }

  /// Models whose items may change rows that they do not name are no reason to put back the edits for other items.
  @Test func itemSyncCostIsIndependentOfOtherModels() async throws {
    func work(pending count: Int) async throws -> Work {
      let folder = TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let store = try TextStore(
        #"""
        @Offline model Project { id: Int; name: String }
        model Order { id: Int; @Relationship(missing: .delete) lines: [Line] }
        model Line { id: Int; order: Order?; @Relationship(by: \Country.code) country: Country? }
        model Country { id: Int; @Unique code: String }
        """#, in: .file(folder.file()))
      try await store.sync(String(decoding: try projects.data(), as: UTF8.self), as: "Project")
      try await store.run("UPDATE Project SET name = 'mine' WHERE id <= \(count)")
      try await store.sync(item: #"{"id": 599, "name": "a"}"#, as: "Project")
      return try await store.container.work {
        try await store.sync(item: #"{"id": 600, "name": "b"}"#, as: "Project")
      }
    }
    let (few, many) = (try await work(pending: 10), try await work(pending: 500))
    #expect(few.runs == many.runs)
    #expect(abs(few.steps - many.steps) < 20, "\(few), \(many)")
  }

  /// A batch reads the edits that it sends, however many follow.
  @Test(arguments: ["UPDATE Project SET name = 'mine'", "DELETE FROM Project"])
  func pushBatchCostIsIndependentOfRemainingEdits(edit: String) async throws {
    func work(pending count: Int) async throws -> Work {
      let folder = TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let store = try makeStore(in: folder)
      try await store.sync(payload: projects, as: Project.self)
      try await store.run("\(edit) WHERE id <= ?", [count])
      func push() async throws {
        let report = try await store.withPendingChanges(for: Project.self, limit: 3) { changes in
          Dictionary(uniqueKeysWithValues: changes.map { ($0.id, .confirmed) })
        }
        #expect(report.confirmed == 3)
      }
      try await push()
      return try await store.work { try await push() }
    }
    let (few, many) = (try await work(pending: 10), try await work(pending: 500))
    #expect(few.runs == many.runs)
    // Deletions are found after a search for other edits, which only looks up whether each row is stored.
    #expect(abs(few.steps - many.steps) < (edit.hasPrefix("DELETE") ? 20_000 : 20), "\(few), \(many)")
  }
}
