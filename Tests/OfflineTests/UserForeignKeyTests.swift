import Foundation
import GRDB
import TestSupport
import Testing

@testable import Syncline

/// Tables of users that reference new rows. A sync removes a new row and inserts it again, and an answer may change its identity.
@Suite struct UserForeignKeyTests {
  private static let server = #"[{"id": 1, "title": "one"}]"#
  private static let clauses = [
    "", "ON DELETE CASCADE", "ON DELETE SET NULL ON UPDATE SET NULL", "ON DELETE CASCADE ON UPDATE CASCADE",
    "ON DELETE RESTRICT ON UPDATE RESTRICT", "DEFERRABLE INITIALLY DEFERRED",
    "ON DELETE CASCADE ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED",
  ]

  /// A store with a new task, and a table whose rows reference it and another task.
  private func makeFilled(_ clause: String) async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: Self.server, as: Task.self)
    try await store.run(
      """
      CREATE TABLE photo (id INTEGER PRIMARY KEY, task INTEGER REFERENCES Task(id) \(clause));
      INSERT INTO Task (id, title, votes, isExpanded) VALUES (-5, 'new', 0, 0);
      INSERT INTO Step (id, text, task) VALUES (x'00000000000000000000000000000001', 'step', -5);
      INSERT INTO photo VALUES (1, -5), (2, 1), (3, -5);
      """)
    return store
  }

  private func photos(in store: SyncContainer) async throws -> [String] {
    try await store.rows("SELECT id, task FROM photo ORDER BY id")
  }

  private func expectIntact(_ store: SyncContainer) async throws {
    #expect(try await store.check() == StoreCheck(problems: []))
    #expect(try await store.rows("PRAGMA foreign_keys") == ["1"])
    // The triggers of foreign keys and of edits are on.
    await #expect(throws: DatabaseError.self) { try await store.run("INSERT INTO photo VALUES (9, 99)") }
  }

  @Test(arguments: clauses) func syncKeepsUserRowsThatReferenceNewRows(clause: String) async throws {
    let store = try await makeFilled(clause)
    for title in ["two", "two", "three"] {
      try await store.sync(payload: Self.server.replacing("one", with: title), as: Task.self)
      #expect(try await photos(in: store) == ["1 -5", "2 1", "3 -5"])
      #expect(try await store.edits("Task") == ["insert -5"])
      #expect(try await store.rows("SELECT text, task FROM Step") == ["step -5"])
    }
    try await expectIntact(store)
  }

  @Test(arguments: clauses, [true, false])
  func userForeignKeysFollowTheServerIdentity(clause: String, isPulled: Bool) async throws {
    let store = try await makeFilled(clause)
    try await store.withPendingChanges(for: Task.self) { changes in
      // A pull brings the row before its answer.
      if isPulled {
        try await store.sync(item: #"{"id": 900, "title": "new"}"#, as: Task.self)
      }
      return [-5: .confirmedAs(900, with: Data(#"{"id": 900, "title": "new"}"#.utf8))]
    }
    #expect(try await photos(in: store) == ["1 900", "2 1", "3 900"])
    #expect(try await store.rows("SELECT text, task FROM Step") == ["step 900"])
    #expect(try await store.edits("Task") == [])
    try await expectIntact(store)
  }

  @Test(
    arguments: [
      ("", nil), ("ON DELETE RESTRICT ON UPDATE CASCADE", nil), ("DEFERRABLE INITIALLY DEFERRED", nil),
      ("ON DELETE CASCADE", ["2 1"]), ("ON DELETE CASCADE ON UPDATE CASCADE", ["2 1"]),
      ("ON DELETE SET NULL", ["1 -", "2 1", "3 -"]),
    ] as [(String, [String]?)])
  func discardRunsUserDeleteActions(clause: String, rows: [String]?) async throws {
    let store = try await makeFilled(clause)
    if let rows {
      try await store.discardAllPendingChanges()
      #expect(try await photos(in: store) == rows)
    } else {
      await #expect(throws: DatabaseError.self) { try await store.discardAllPendingChanges() }
      #expect(try await store.edits("Task") == ["insert -5"])
      #expect(try await photos(in: store) == ["1 -5", "2 1", "3 -5"])
      try await store.run("DELETE FROM photo WHERE task = -5")
      try await store.discardAllPendingChanges()
    }
    #expect(try await store.rows("SELECT id FROM Task") == ["1"])
    #expect(try await store.rows("SELECT text FROM Step") == [])
    #expect(try await store.entryCount("Task") == 0)
    #expect(try await store.entryCount("Step") == 0)
    try await expectIntact(store)
  }

  @Test func cascadesRunEvenIfForeignKeysAreDisabled() async throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let database = try DatabaseQueue(configuration: configuration)
    let store = try SyncContainer(for: OfflineTestsSchema.self, storage: .database(database))
    try await store.run(
      """
      INSERT INTO Task (id, title, votes, isExpanded) VALUES (-5, 'new', 0, 0);
      INSERT INTO Step (id, text, task) VALUES (x'00000000000000000000000000000001', 'step', -5);
      """)
    let change = try #require(try await store.pendingChanges(for: Task.self).first)
    try await store.discard(change)
    #expect(try await store.rows("SELECT text FROM Step").isEmpty)
    #expect(try await store.check().isIntact)
    // The user's setting is kept.
    #expect(try await store.rows("PRAGMA foreign_keys") == ["0"])
  }
}
