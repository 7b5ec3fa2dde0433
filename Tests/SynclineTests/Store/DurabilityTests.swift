import Foundation
import Syncline
import TestSupport
import Testing

/// Whether commits wait for the disk.
@Suite struct DurabilityTests {
  private let folder = TemporaryFolder()

  /// SQLite's number of the setting: 1 is `NORMAL`, 2 is `FULL`.
  private func synchronous(_ store: any DatabaseWriter) throws -> Int? {
    try store.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
  }

  private func open(
    _ storage: SyncStorage, _ durability: SyncConfiguration.Durability
  ) throws -> SyncContainer {
    var configuration = SyncConfiguration()
    configuration.durability = durability
    return try SyncContainer(for: SynclineTestsSchema.self, storage: storage, configuration: configuration)
  }

  @Test func synchronousNormalIsTheDefault() throws {
    let storage = SyncStorage.file(try folder.file())
    #expect(try synchronous(try SyncContainer(for: SynclineTestsSchema.self, storage: storage).database) == 1)
    #expect(try synchronous(try open(storage, .normal).database) == 1)
  }

  @Test func fullDurabilitySetsSynchronousFull() throws {
    let file = try folder.file()
    #expect(try synchronous(try open(.file(file), .full).database) == 2)
    // The setting belongs to the connection, not to the file.
    #expect(try synchronous(try open(.file(file), .normal).database) == 1)
  }

  @Test func recoveredStoreKeepsFullDurability() throws {
    let file = try folder.file()
    try Data(String(repeating: "no database ", count: 100).utf8).write(to: file)
    var configuration = SyncConfiguration()
    configuration.durability = .full
    let store = try SyncContainer(
      for: SynclineTestsSchema.self, storage: .file(file), configuration: configuration,
      recoverOnFailure: true)
    #expect(store.recovery != nil)
    #expect(try synchronous(store.database) == 2)
  }

  @Test func givenDatabaseKeepsItsSynchronousSetting() throws {
    let pool = try DatabasePool(path: try folder.file().path)
    #expect(try synchronous(try open(.database(pool), .full).database) == 1)
    // The configuration's setting takes precedence over that of the pool.
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    let other = try DatabasePool(path: try folder.file().path, configuration: configuration)
    #expect(try synchronous(other) == 1)
    try other.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    #expect(try synchronous(try open(.database(other), .normal).database) == 2)
  }
}
