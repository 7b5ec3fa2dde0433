import Foundation
import Syncline
import SynclineTesting
import Testing

/// Exports beside other reads, and cancelled ones.
@Suite struct ExportConcurrencyTests {
  let folder = StoreFolder()

  /// With calls that block, all threads of the tasks would wait for readers that other tasks hold.
  @Test func manyTasksExportBesideReads() async throws {
    let store = try await folder.makeTracker(20)
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
    let store = try await folder.makeTracker(5)
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
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
}
