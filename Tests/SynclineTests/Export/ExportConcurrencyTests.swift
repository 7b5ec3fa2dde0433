import Foundation
import Syncline
import SynclineTesting
import Synchronization
import Testing

/// Exports that run at the same time as other reads, and cancelled exports.
@Suite struct ExportConcurrencyTests {
  let folder = TemporaryFolder()

  /// With blocking calls, all threads of Swift concurrency would wait for readers that other tasks hold.
  @Test func manyTasksExportAndReadConcurrently() async throws {
    let store = try await makeTracker(20, in: folder)
    let expected = try await store.exportData(as: Task.self)
    let task = try #require(try await store.database.read { try Task.fetchOne($0, key: 3) })
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<300 {
        group.addTask {
          let count = try await store.database.read { try Task.fetchCount($0) }
          switch number % 5 {
          case 0: return try await store.exportData(as: Task.self) == expected && count == 20
          case 1: return try await store.export(task)["id"] == 3
          case 2: return try await store.export(as: Tag.self).count == 22
          case 3: return try await store.export(as: User.self).count == 20
          default:
            return try await store.export(as: Task.self, parent: 1, relationship: \.project).count == 20
          }
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test func aCancelledExportThrows() async throws {
    let store = try await makeTracker(5, in: folder)
    let file = try folder.file("tasks.json")
    let exports: [@Sendable () async throws -> Void] = [
      { _ = try await store.export(as: Task.self) },
      { _ = try await store.exportData(as: Task.self) },
      { try await store.exportData(as: Task.self, to: file) },
      { for try await _ in store.exportChunks(as: Task.self) {} },
    ]
    for export in exports {
      let task = _Concurrency.Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await export()
      }
      await #expect(throws: SyncError.cancelled) { try await task.value }
    }
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func exportCancelledMidwayThrowsAndLeavesNoFile() async throws {
    let database = try DatabaseQueue()
    try await database.write { database in
      try database.execute(sql: "CREATE TABLE beacon (id INTEGER PRIMARY KEY)")
      for id in 1...500 { try Beacon(id: id).insert(database) }
    }
    let store = try SyncContainer(for: Beacon.self, storage: .database(database))
    let target = FileManager.default.temporaryDirectory.appending(path: "syncline-exports-\(UUID())")
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: target) }
    let exports: [@Sendable () async throws -> Void] = [
      { _ = try await store.export(as: Beacon.self) },
      { _ = try await store.exportData(as: Beacon.self) },
      { try await store.exportData(as: Beacon.self, to: target.appending(path: "beacons.json")) },
      { for try await _ in store.exportChunks(as: Beacon.self) {} },
    ]
    for export in exports {
      let task = Beacon.whenExported.withLock { whenExported in
        // The export waits for the lock, so that `task` is assigned first.
        let task = _Concurrency.Task { try await export() }
        whenExported = { task.cancel() }
        return task
      }
      await #expect(throws: SyncError.cancelled) { try await task.value }
      #expect(try FileManager.default.contentsOfDirectory(atPath: target.path).isEmpty)
    }
    Beacon.whenExported.withLock { $0 = nil }
    #expect(try await store.export(as: Beacon.self).count == 500)
  }

  @Test func cancellationBetweenChunksThrows() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: payload(1...2_000) { #"{"id": \#($0), "name": "\#(String(repeating: "n", count: 300))"}"# },
      as: Tag.self)
    let task = _Concurrency.Task {
      var count = 0
      for try await _ in store.exportChunks(as: Tag.self) {
        count += 1
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return count
    }
    await #expect(throws: SyncError.cancelled) { try await task.value }
  }
}

/// A hand-written model whose export reports its progress.
struct Beacon: Codable, SyncUpdatableModel {
  var id: Int

  static let whenExported = Mutex<(@Sendable () -> Void)?>(nil)
  static let databaseTableName = "beacon"
  static var syncIdentity: KeyPath<Beacon, Int> { \.id }

  static func make(from payload: SyncPayload) throws -> Beacon {
    Beacon(id: try payload.required(Int.self, for: "id"))
  }

  mutating func apply(_ payload: SyncPayload) throws -> Bool { false }

  func export(in context: SyncExportContext) throws -> SyncJSON {
    Beacon.whenExported.withLock { $0 }?()
    return ["id": .number(id)]
  }
}
