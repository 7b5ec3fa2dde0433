import Foundation
import GRDBSQLite
import SynclineTesting
import Testing

@_spi(Generated) @testable import Syncline

/// Values that SQLite cannot store, and failing statements. Each must cause an error, never a row without its value.
@Suite struct RefusedValueTests {
  private static let limit = 1_000_000
  private static let long = String(repeating: "x", count: limit + 1)

  /// A store whose values have at most a million bytes.
  private func limitedStore(invalidRows: SyncConfiguration.InvalidRows = .fail) throws -> SyncContainer {
    let container = try makeStore(invalidRows: invalidRows)
    container.database.writeWithoutTransaction { db in
      _ = sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(Self.limit))
    }
    return container
  }

  private static let leaflet: SyncJSON = ["id": "a", "name": .string(long)]

  /// Values are inserted from the payload's bytes and as Swift values, with and without escapes, and updated.
  @Test func errorOfATooLongTextNamesTheProperty() async throws {
    let container = try limitedStore()
    let short: SyncJSON = ["id": 1, "name": "short"]
    try await container.sync(payload: [short] as SyncJSON, as: Tag.self)
    let before = try container.everything()
    let escaped = #"[{"id": "a", "name": "\n"# + Self.long + #""}]"#
    let updated: SyncJSON = ["id": 1, "name": .string(Self.long)]
    let calls: [(String, () async throws -> SyncReport)] = [
      ("Leaflet", { try await container.sync(payload: [Self.leaflet] as SyncJSON, as: Leaflet.self) }),
      ("Leaflet", { try await container.sync(payload: escaped, as: Leaflet.self) }),
      ("Tag", { try await container.sync(payload: [updated] as SyncJSON, as: Tag.self) }),
    ]
    for (model, call) in calls {
      let error = await #expect(throws: SyncError.self) { try await call() }
      guard case .invalidPayload(model, let reason) = error else {
        Issue.record("\(String(describing: error).prefix(200))")
        continue
      }
      #expect(reason.hasPrefix("“name” is longer than SQLite stores (at [0].name, row 0, identity "))
      #expect(try container.everything() == before)
    }
  }

  @Test func rowWithATooLargeTotalSizeIsRefused() async throws {
    let container = try limitedStore()
    let half = String(Self.long.dropFirst(Self.limit / 3))
    let task: SyncJSON = ["id": 1, "title": .string(half), "description": .string(half)]
    await #expect(
      throws: SyncError.invalidPayload(
        model: "Task", reason: "a value that is longer than SQLite stores at [0]")
    ) {
      try await container.sync(payload: [task] as SyncJSON, as: Task.self)
    }
    #expect(try container.everything() == [:])
  }

  @Test func onlyTheTooLongRowIsSkipped() async throws {
    let container = try limitedStore(invalidRows: .skip)
    let short: SyncJSON = ["id": "b", "name": "short"]
    let report = try await container.sync(payload: [Self.leaflet, short] as SyncJSON, as: Leaflet.self)
    #expect(report.inserted == 1 && report.skipped == 1)
    #expect(report.actions == [.skippedRow])
    #expect(try container.pick(Leaflet.self, "id", "name") == [["b", "short"]])
  }

  @Test func anIdentityThatIsTooLongIsAnError() async throws {
    let container = try limitedStore()
    let leaflet: SyncJSON = ["id": .string(Self.long), "name": "n"]
    let error = await #expect(throws: SyncError.self) {
      try await container.sync(payload: [leaflet] as SyncJSON, as: Leaflet.self)
    }
    #expect(
      "\(try #require(error))".hasPrefix("Invalid payload for Leaflet: “id” is longer than SQLite stores"))
    #expect(throws: DatabaseError.self) {
      try container.database.read { try Leaflet.fetchOne($0, id: Self.long) }
    }
    #expect(try container.everything() == [:])
  }

  /// A cursor is stored and read unchanged.
  @Test func aCursorThatIsTooLongIsAnError() async throws {
    let container = try limitedStore()
    let pages = AsyncStream<SyncPage> {
      $0.yield(SyncPage(#"[{"id": 1, "name": "n"}]"#, cursor: Self.long))
      $0.finish()
    }
    await #expect(throws: SyncError.self) { try await container.sync(pages: pages, as: Tag.self) }
    #expect(try container.everything() == [:])
    #expect(try await container.cursor(for: Tag.self) == nil)
  }

  /// An error that is recorded in a function that cannot throw ends the transaction, even if every statement succeeded.
  @Test func recordedSQLFaultRollsBackTheTransaction() async throws {
    let container = try makeStore()
    try await container.database.writeWithoutTransaction { db in
      #expect {
        try db.transaction(.immediate) {
          try db.execute(sql: "INSERT INTO \"Tag\" (\"id\", \"name\") VALUES (1, 'n')")
          SQLFault.note(SQLITE_NOMEM)
          // The first recorded error is thrown.
          SQLFault.note(SQLITE_IOERR)
          return .commit
        }
      } throws: {
        ($0 as? DatabaseError)?.resultCode == .SQLITE_NOMEM
      }
      #expect(!db.isInsideTransaction)
    }
    #expect(try container.everything() == [:])
    try await container.sync(payload: #"[{"id": 1, "name": "n"}]"#, as: Tag.self)
  }

  /// After SQLite has rejected a parameter, the statement does not run.
  @Test func statementDoesNotRunAfterARefusedParameter() async throws {
    let container = try limitedStore()
    try await container.database.write { db in
      let insertion = try WriteStatement(db, "INSERT INTO \"Tag\" (\"id\", \"name\") VALUES (?1, ?2)")
      let parameters = insertion.restart()
      parameters.bind(Int64(1), at: 1)
      parameters.bind(Self.long.databaseValue, at: 2)
      let reading = try ReadStatement(db, "SELECT 1")
      _ = reading.restart()
      #expect(throws: DatabaseError.self) { try reading.step() }
      reading.reset()
    }
    #expect(try container.everything() == [:])
  }

  @Test func unsignedIntegerAboveInt64MaxIsNotWrittenByARecord() async throws {
    let container = try makeStore()
    try await container.sync(payload: #"[{"id": 1, "uint64": 5}]"#, as: Kinds.self)
    let stored = try #require(try await container.database.read { try Kinds.fetchOne($0) })
    var (wide, natural) = (stored, stored)
    wide.uint64 = 1 << 63
    natural.uint = 1 << 63
    for (name, row) in [("uint64", wide), ("uint", natural)] {
      let refused = SyncError.invalidPayload(
        model: "Kinds", reason: "“\(name)” is not a valid Int64: the number 9223372036854775808")
      await #expect(throws: refused) { try await container.database.write { try row.update($0) } }
    }
    var row = stored
    row.uint64 = UInt64(Int64.max)
    try await container.database.write { [row] in try row.update($0) }
    let largest = try await container.database.read { try Kinds.fetchOne($0)?.uint64 }
    #expect(largest == UInt64(Int64.max))
  }

  // MARK: Interruptions

  @Test func interruptEndsASyncAsACancellation() async throws {
    let container = try makeStore()
    try await container.sync(payload: #"[{"id": 1, "name": "n"}]"#, as: Tag.self)
    let before = try container.everything()
    container.interrupt(at: "INSERT INTO \"Tag\"")
    await #expect(throws: SyncError.cancelled) {
      try await container.sync(payload: SyncJSON.rows(9) { ["id": .number($0), "name": "m"] }, as: Tag.self)
    }
    #expect(try container.everything() == before)
  }

  @Test func interruptEndsAnExportAsACancellation() async throws {
    let container = try makeStore()
    try await container.sync(payload: SyncJSON.rows(9) { ["id": .number($0), "name": "m"] }, as: Tag.self)
    func blockingExport() throws -> Data { try container.exportData(as: Tag.self) }
    container.interrupt(at: "FROM \"Tag\"")
    await #expect(throws: SyncError.cancelled) { try await container.exportData(as: Tag.self) }
    container.interrupt(at: "FROM \"Tag\"")
    #expect(throws: SyncError.cancelled) { try blockingExport() }
    #expect(try blockingExport().count > 100)
  }

  // SQLite reports it like that in the first query of a connection that reads `pragma_index_list` or `json_each`.
  @Test(arguments: ["interrupted", "vtable constructor failed: json_each"])
  func interruptionThatOnlyTheMessageShowsIsACancellation(message: String) {
    let error = DatabaseError(resultCode: .SQLITE_ERROR, message: message)
    #expect(SyncError.ofSync(error, isCancelled: false) as? SyncError == .cancelled)
    let other = DatabaseError(resultCode: .SQLITE_ERROR, message: "no such table: interrupted")
    #expect(SyncError.ofSync(other, isCancelled: true) is DatabaseError)
  }
}

extension SyncContainer {
  /// Interrupts the database once, at the next statement whose SQL contains a text.
  fileprivate func interrupt(at text: String) {
    database.writeWithoutTransaction { db in
      nonisolated(unsafe) var isDone = false
      db.trace { [database] event in
        guard !isDone, "\(event)".contains(text) else { return }
        isDone = true
        database.interrupt()
      }
    }
  }
}
