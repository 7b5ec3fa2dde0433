import Foundation
import GRDB
import GRDBSQLite
import Syncline
import TestSupport
import Testing

/// New rows are inserted several at a time, with the same result as one by one.
@Suite struct InsertBatchTests {
  /// Identities that are the `rowid`, and others.
  enum Key: String, CaseIterable {
    case integer = "Int"
    case text = "String"

    func json(_ number: Int) -> String { self == .integer ? "\(number)" : #""k\#(1_000 - number)""# }

    func row(_ number: Int, _ name: String? = nil) -> String {
      #"{"id": \#(json(number)), "name": \#(name ?? #""n\#(number)""#)}"#
    }

    func rows(_ numbers: some Sequence<Int>) -> String {
      "[\(numbers.map { row($0) }.joined(separator: ", "))]"
    }

    func makeStore(in storage: SyncStorage = .inMemory, _ configuration: SyncConfiguration = .init()) throws
      -> TextStore
    {
      try TextStore("model Item { id: \(rawValue); name: String; note: URL? }", in: storage, configuration)
    }
  }

  private static let names = "SELECT name FROM Item ORDER BY rowid"

  private let folder = TemporaryFolder()

  @Test(.enabled(if: TestKind.counted.runs), arguments: Key.allCases)
  func rowsAreInsertedInBatchesOfSixteen(_ key: Key) async throws {
    let store = try key.makeStore(in: .file(folder.file()))
    let work = try await store.container.work { try await store.sync(key.rows(1...1_000)) }
    let insertions = work.statements.filter { $0.key.hasPrefix("INSERT") }.map(\.value.runs)
    let expected: Int = 16 + 62
    #expect(insertions.reduce(0, +) == expected, "16 rows alone, then 16 at a time: \(work)")
    #expect(work.changes == 1_000)
  }

  @Test(arguments: Key.allCases, [0, 1, 15, 16, 17, 31, 32, 33, 48, 100])
  func anyNumberOfRowsIsInsertedCompletely(_ key: Key, _ count: Int) async throws {
    let store = try key.makeStore()
    let report = try await store.sync(key.rows(0..<count))
    #expect(report.totals.inserted == count)
    #expect(try await store.rows(Self.names) == (0..<count).map { "n\($0)" })
    #expect(try await store.sync(key.rows(0..<count)).isUnchanged)
  }

  /// A URL is read as a Swift value, so its row is inserted separately, after the rows in the batch.
  @Test(arguments: Key.allCases) func batchedAndSingleInsertsKeepTheRowOrder(_ key: Key) async throws {
    let store = try key.makeStore()
    let rows = (0..<60).map { number in
      number % 7 == 6
        ? key.row(number).replacing("}", with: #", "note": "https://example.com/\#(number)"}"#)
        : key.row(number)
    }
    let report = try await store.sync("[\(rows.joined(separator: ", "))]")
    #expect(report.totals.inserted == 60)
    #expect(try await store.rows(Self.names) == (0..<60).map { "n\($0)" })
    #expect(try await store.rows("SELECT note FROM Item WHERE note NOT NULL").count == 8)
  }

  @Test(arguments: Key.allCases) func laterObjectUpdatesARowInThePendingBatch(_ key: Key) async throws {
    for place in 17..<40 {
      let store = try key.makeStore()
      let rows = (0..<place).map { key.row($0) } + [key.row(place - 1, #""again""#), key.row(place)]
      let report = try await store.sync("[\(rows.joined(separator: ", "))]")
      #expect(report.totals.inserted == place + 1)
      let names = try await store.rows(Self.names)
      #expect(names == (0..<place - 1).map { "n\($0)" } + ["again", "n\(place)"])
    }
  }

  @Test(arguments: Key.allCases) func escapedStringsAreInsertedInBatches(_ key: Key) async throws {
    let store = try key.makeStore()
    let rows = (0..<40).map { key.row($0, #""é\n\u00e9 \#($0)""#) }
    try await store.sync("[\(rows.joined(separator: ", "))]")
    #expect(try await store.rows(Self.names) == (0..<40).map { "é\né \($0)" })
  }

  // MARK: What users add to the store

  @Test(arguments: Key.allCases) func userDefinedUniqueIndexIsEnforced(_ key: Key) async throws {
    let store = try key.makeStore()
    try await store.run("CREATE UNIQUE INDEX own ON Item(name)")
    try await store.sync(key.rows(0..<40))
    #expect(try await store.rows(Self.names).count == 40)
    let rows = (100..<140).map { key.row($0, $0 == 130 ? #""n100""# : nil) }
    await #expect {
      try await store.sync("[\(rows.joined(separator: ", "))]")
    } throws: { error in
      (error as? DatabaseError)?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE
    }
    #expect(try await store.rows(Self.names) == (0..<40).map { "n\($0)" })
  }

  @Test(arguments: Key.allCases) func userDefinedTriggerRunsOncePerRow(_ key: Key) async throws {
    let store = try key.makeStore()
    try await store.run(
      """
      CREATE TABLE log(name TEXT);
      CREATE TRIGGER own BEFORE INSERT ON Item BEGIN INSERT INTO log VALUES (new.name); END
      """)
    try await store.sync(key.rows(0..<50))
    #expect(try await store.rows("SELECT name FROM log ORDER BY rowid") == (0..<50).map { "n\($0)" })
  }

  /// The `OR IGNORE` of a statement also applies to its triggers.
  @Test(arguments: Key.allCases) func aConflictInATriggerIsThrown(_ key: Key) async throws {
    let store = try key.makeStore()
    try await store.run(
      """
      CREATE TABLE log(name TEXT UNIQUE);
      INSERT INTO log VALUES ('n30');
      CREATE TRIGGER own AFTER INSERT ON item BEGIN INSERT INTO log VALUES (new.name); END
      """)
    await #expect {
      try await store.sync(key.rows(0..<50))
    } throws: { error in
      (error as? DatabaseError)?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE
    }
    #expect(try await store.rows(Self.names) == [])
  }

  @Test(arguments: Key.allCases) func errorRaisedByATriggerIsThrown(_ key: Key) async throws {
    let store = try key.makeStore()
    try await store.run(
      """
      CREATE TRIGGER own BEFORE INSERT ON Item WHEN new.name = 'n30'
      BEGIN SELECT RAISE(ABORT, 'not this one'); END
      """)
    await #expect {
      try await store.sync(key.rows(0..<50))
    } throws: { error in
      (error as? DatabaseError)?.message == "not this one"
    }
    #expect(try await store.rows(Self.names) == [])
  }

  /// The error names the row, even if the batch contains others.
  @Test(arguments: Key.allCases) func tooLongRowInABatchIsReportedAndSkipped(_ key: Key) async throws {
    let store = try key.makeStore(SyncConfiguration(invalidRows: .skip))
    try await store.container.database.writeWithoutTransaction { database in
      _ = sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, 5_000)
    }
    let long = "\"" + String(repeating: "x", count: 6_000) + "\""
    let rows = (0..<50).map { key.row($0, $0 == 30 ? long : nil) }
    let report = try await store.sync("[\(rows.joined(separator: ", "))]")
    #expect(report.problems.map(\.row) == [30])
    #expect(report.totals.inserted == 49)
    #expect(try await store.rows(Self.names) == (0..<50).filter { $0 != 30 }.map { "n\($0)" })
  }
}
