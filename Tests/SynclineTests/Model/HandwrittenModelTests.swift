import Foundation
import Syncline
import SynclineTesting
import Testing

/// A model without a schema. Its conformance and its table are written by hand.
private struct Station: Codable, SyncUpdatableModel, Identifiable, Equatable {
  var id: String
  var name: String
  var height: Double?
  var openedAt: Date

  static let databaseTableName = "station"
  static var syncIdentity: KeyPath<Station, String> { \.id }
  static var syncIdentityRemoteKeys: [String] { ["code"] }

  static func make(from payload: SyncPayload) throws -> Station {
    Station(
      id: try payload.required(String.self, for: "code"),
      name: try payload.required(String.self, for: "name"),
      height: payload.value(for: "height", as: Double.self),
      openedAt: try payload.required(Date.self, for: "openedAt"))
  }

  mutating func apply(_ payload: SyncPayload) throws -> Bool {
    let changes = [
      try payload.update(&name, for: "name"),
      try payload.update(&height, for: "height"),
      try payload.update(&openedAt, for: "openedAt"),
    ]
    return changes.contains(true)
  }

  func export(in context: SyncExportContext) throws -> SyncJSON {
    ["code": .string(id), "name": .string(name), "height": SyncJSON(height)]
  }
}

/// A model whose table would shadow a function of SQLite.
private struct Pragma: Codable, SyncUpdatableModel {
  var id: Int

  static let databaseTableName = "PRAGMA_table_info"
  static var syncIdentity: KeyPath<Pragma, Int> { \.id }

  static func make(from payload: SyncPayload) throws -> Pragma {
    Pragma(id: try payload.required(Int.self, for: "id"))
  }

  mutating func apply(_ payload: SyncPayload) throws -> Bool { false }
  func export(in context: SyncExportContext) throws -> SyncJSON { ["id": SyncJSON(id)] }
}

/// A model that writes a generated row itself.
private struct Pier: Codable, SyncUpdatableModel {
  var id: Int

  static let databaseTableName = "pier"
  static var syncIdentity: KeyPath<Pier, Int> { \.id }

  static func make(from payload: SyncPayload) throws -> Pier {
    Pier(id: try payload.required(Int.self, for: "id"))
  }

  mutating func apply(_ payload: SyncPayload) throws -> Bool { false }

  func export(in context: SyncExportContext) throws -> SyncJSON {
    let crew = try Crew(id: 1, name: "C").export(in: context)
    return ["id": SyncJSON(id), "crew": crew]
  }
}

@Suite struct HandwrittenModelTests {
  @Test func tableThatShadowsASQLiteFunctionIsRefused() throws {
    #expect(
      throws: SyncError.schemaValidation(
        reason: "a table “PRAGMA_table_info” would shadow SQLite's function of that name")
    ) {
      try SyncContainer(for: Pragma.self)
    }
  }

  private func container() throws -> SyncContainer {
    let database = try DatabaseQueue()
    try database.write { db in
      try db.create(table: "station") { table in
        table.primaryKey("id", .text)
        table.column("name", .text).notNull()
        table.column("height", .double)
        table.column("openedAt", .datetime).notNull()
      }
    }
    return try SyncContainer(for: Station.self, storage: .database(database))
  }

  @Test func aModelWrittenByHandIsInsertedUpdatedAndDeleted() async throws {
    let container = try container()
    var report = try await container.sync(
      payload: """
        [{"code": "b", "name": "Bern", "height": "540.5", "opened_at": "1858-05-01"},
         {"code": "a", "name": "Aarau", "height": null, "opened_at": "1856-06-09"}]
        """, as: Station.self)
    #expect(report[Station.self].inserted == 2)
    report = try await container.sync(
      payload: #"[{"code": "b", "name": "Bern HB"}, {"code": "c", "name": "Chur", "opened_at": 0}]"#,
      as: Station.self)
    #expect(report[Station.self].inserted == 1)
    #expect(report[Station.self].updated == 1)
    #expect(report[Station.self].deleted == 1)
    let rows = try await container.database.read { db in try Station.order(GRDB.Column("id")).fetchAll(db) }
    #expect(rows.map(\.name) == ["Bern HB", "Chur"])
    #expect(rows.first?.height == 540.5)
  }

  @Test func aPayloadThatChangesNothingWritesNothing() async throws {
    let container = try container()
    let payload = #"[{"code": "a", "name": "Aarau", "opened_at": "1856-06-09"}]"#
    try await container.sync(payload: payload, as: Station.self)
    try await expectUnchanged(in: container) { try await $0.sync(payload: payload, as: Station.self) }
  }

  @Test func handwrittenRowsAreExportedInIdentityOrder() async throws {
    let container = try container()
    try await container.sync(
      payload: """
        [{"code": "b", "name": "Bern", "opened_at": 0}, {"code": "a", "name": "Aarau", "opened_at": 0}]
        """, as: Station.self)
    #expect(try await container.export(as: Station.self).map { $0["code"] } == ["a", "b"])
  }

  @Test func generatedRowInAHandwrittenRowIsExportedWithItsLists() async throws {
    let database = try DatabaseQueue()
    try await database.write { db in
      try db.create(table: "pier") { table in table.primaryKey("id", .integer) }
    }
    let container = try SyncContainer(
      for: Pier.self, Crew.self, Sailor.self, Flag.self, storage: .database(database))
    try await container.sync(
      payload: #"[{"id": 1, "name": "C", "flags": [{"id": 5}]}, {"id": 2, "name": "D"}]"#, as: Crew.self)
    try await container.sync(payload: #"[{"id": 2}]"#, as: Pier.self)
    let piers = try await container.export(as: Pier.self)
    #expect(piers.map { $0["crew"]?["flags"] } == [[["id": 5, "color": "white"]]])
  }

  @Test func containerWithAMissingTableThrows() throws {
    #expect(throws: SyncError.self) { try SyncContainer(for: Station.self) }
  }

  /// Otherwise `a` would be the row `A`, which a sync would update and then delete as missing.
  @Test func collationOfTheIdentityIsRefused() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try db.create(table: "station") { table in
        table.primaryKey("id", .text).collate(.nocase)
        table.column("name", .text).notNull()
        table.column("height", .double)
        table.column("openedAt", .datetime).notNull()
      }
    }
    #expect(
      throws: SyncError.containerInitialization(
        reason:
          "the column “station.id” has the collation NOCASE, but identities are compared by their bytes")
    ) {
      try SyncContainer(for: Station.self, storage: .database(database))
    }
  }

  @Test func anInvalidRowIsRefusedAndNothingIsWritten() async throws {
    let container = try container()
    await #expect(throws: SyncError.self) {
      try await container.sync(
        payload: #"[{"code": "a", "name": "Aarau", "opened_at": 0}, {"code": "b"}]"#, as: Station.self)
    }
    #expect(try await container.export(as: Station.self) == [])
  }
}
