import Foundation
import Syncline
import SynclineTesting
import Testing

/// Opening a store.
@Suite struct ContainerTests {
  private let folder = TemporaryFolder()

  @Test func tableWithoutRowidIsRefused() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try db.execute(
        sql: #"CREATE TABLE "Label" ("id" TEXT PRIMARY KEY NOT NULL, "name" TEXT) WITHOUT ROWID"#)
    }
    #expect {
      try SyncContainer(for: Label.self, storage: .database(database))
    } throws: { error in
      guard case SyncError.containerInitialization(let reason) = error else { return false }
      return reason.contains("“Label” is WITHOUT ROWID")
    }
  }

  @Test func utf16DatabaseIsRefused() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA encoding = 'UTF-16le'") }
    let database = try DatabaseQueue(configuration: configuration)
    #expect(
      throws: SyncError.containerInitialization(
        reason: "the database stores strings in UTF-16le: create it with UTF-8, SQLite's default")
    ) {
      try SyncContainer(for: SynclineTestsSchema.self, storage: .database(database))
    }
  }

  @Test func aStoreIsOpenedAgainWithItsRows() throws {
    let storage = SyncStorage.file(try folder.file("a.sqlite"))
    let first = try SyncContainer(for: SynclineTestsSchema.self, storage: storage)
    try first.database.write { db in try Tag(id: 1, name: "x").insert(db) }
    let second = try SyncContainer(for: SynclineTestsSchema.self, storage: storage)
    #expect(try second.rows(of: Tag.self) == [["id": 1, "name": "x", "tasks": []]])
    #expect(second.recovery == nil)
  }

  @Test func fileThatIsNoDatabaseThrowsAndIsUnchanged() throws {
    let file = try folder.file("a.sqlite")
    let bytes = Data(String(repeating: "no database ", count: 100).utf8)
    try bytes.write(to: file)
    #expect(throws: SyncError.self) {
      try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    }
    #expect(try Data(contentsOf: file) == bytes)
  }

  @Test func fileThatIsNoDatabaseIsMovedOnRequest() throws {
    let file = try folder.file("a.sqlite")
    let bytes = Data(String(repeating: "no database ", count: 100).utf8)
    try bytes.write(to: file)
    try Data("other".utf8).write(to: folder.file("a.sqlite.txt"))
    let container = try SyncContainer(
      for: SynclineTestsSchema.self, storage: .file(file), recoverOnFailure: true)
    #expect(try container.rows(of: Tag.self) == [])
    let recovery = try #require(container.recovery)
    #expect(try recovery.movedFiles.map { try Data(contentsOf: $0) } == [bytes])
    #expect(try Data(contentsOf: folder.file("a.sqlite.txt")) == Data("other".utf8))
  }

  @Test func tableWithAWrongColumnTypeIsNamed() throws {
    let database = try DatabaseQueue()
    try database.write { db in try db.execute(sql: "CREATE TABLE Tag (id INTEGER PRIMARY KEY, name INTEGER)")
    }
    #expect(
      throws: SyncError.containerInitialization(reason: "the column “Tag.name” is INTEGER, not TEXT")
    ) {
      try SyncContainer(for: SynclineTestsSchema.self, storage: .database(database))
    }
  }

  @Test func userTablesAreKeptNextToModelTables() throws {
    let database = try DatabaseQueue()
    try database.write { db in try db.execute(sql: "CREATE TABLE own (id INTEGER)") }
    let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .database(database))
    #expect(try container.database.read { db in try db.tableExists("own") && db.tableExists("Task") })
  }

  /// Only the container's first connection creates tables, not others of the same configuration.
  @Test func storeConfigurationDoesNotCreateTablesInOtherFiles() throws {
    let container = try SyncContainer(
      for: SynclineTestsSchema.self, storage: .file(try folder.file("a.sqlite")))
    let other = try DatabaseQueue(
      path: try folder.file("b.sqlite").path, configuration: container.database.configuration)
    #expect(try other.read { db in try !db.tableExists("Task") })
  }

  @Test func modelsWithMissingRelatedModelsAreRefused() {
    #expect(throws: SyncError.self) { try SyncContainer(for: Task.self) }
  }

  @Test func cancelledSyncChangesNothingAndTheNextOneWorks() async throws {
    let container = try makeStore()
    let payload = SyncJSON.rows(20_000) { ["id": .number($0), "name": "n"] }
    let task = _Concurrency.Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await container.sync(payload: payload, as: Tag.self)
    }
    await #expect(throws: SyncError.cancelled) { try await task.value }
    #expect(try container.rows(of: Tag.self) == [])
    #expect(try await container.sync(payload: payload, as: Tag.self).inserted == 20_000)
  }

  @Test func twoContainersOnOneFileBothWrite() async throws {
    let file = try folder.file()
    let first = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    let second = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    async let one = first.sync(
      payload: SyncJSON.rows(2_000) { ["id": .number($0), "name": "a"] }, as: Tag.self)
    async let two = second.sync(
      payload: SyncJSON.rows(2_000) { ["id": .number($0), "name": "a"] }, as: Project.self)
    #expect(try await one.inserted == 2_000)
    #expect(try await two.inserted == 2_000)
  }
}
