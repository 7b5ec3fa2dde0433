import Foundation
import Syncline
import SynclineTesting
import Testing

/// Exports to files and in chunks.
@Suite struct ExportFileTests {
  let folder = TemporaryFolder()

  private func temporaryFolder() throws -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "syncline-exports-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }

  @Test func aFileHoldsTheTextAndReplacesWhatWasThere() async throws {
    let store = try await makeTracker(30, in: folder)
    let target = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: target) }
    let file = target.appending(path: "tasks.json")
    try Data("old".utf8).write(to: file)
    try await store.exportData(as: Task.self, to: file)
    #expect(try Data(contentsOf: file) == (try await store.exportData(as: Task.self)))
    try await store.exportData(as: Task.self, parent: 2, relationship: \.project, to: file)
    #expect(try Data(contentsOf: file) == Data("[]".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == ["tasks.json"])
  }

  @Test func aFailedExportLeavesWhatWasThereAndNothingElse() async throws {
    let store = try await makeTracker(30, in: folder)
    let target = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: target) }
    let file = target.appending(path: "tasks.json")
    try Data("old".utf8).write(to: file)
    try await store.database.write {
      try $0.execute(sql: "UPDATE \"Task\" SET \"updatedAt\" = 'x' WHERE \"id\" = 29")
    }
    await #expect(throws: SyncError.self) { try await store.exportData(as: Task.self, to: file) }
    #expect(try Data(contentsOf: file) == Data("old".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == ["tasks.json"])
    // A folder is no file to replace.
    await #expect(throws: POSIXError.self) { try await store.exportData(as: Tag.self, to: target) }
    await #expect(throws: POSIXError.self) {
      try await store.exportData(as: Tag.self, to: target.appending(path: "missing/tags.json"))
    }
    await #expect(throws: SyncError.self) {
      for try await _ in store.exportChunks(as: Task.self) {}
    }
  }

  @Test func chunksAreTheTextInParts() async throws {
    let store = try await makeTracker(20, in: folder)
    try await store.sync(
      payload: payload(1...5_000) { #"{"id": \#($0), "name": "\#(String(repeating: "n", count: 250))"}"# },
      as: Tag.self)
    let text = try await store.exportData(as: Tag.self)
    var joined = Data()
    var largest = 0
    for try await chunk in store.exportChunks(as: Tag.self) {
      joined += chunk
      largest = max(largest, chunk.count)
    }
    #expect(joined == text)
    #expect(text.count > 4 * largest && largest == 1 << 18)
    var ofParent = Data()
    for try await chunk in try store.exportChunks(as: Task.self, parent: 1, relationship: \.project) {
      ofParent += chunk
    }
    #expect(ofParent == (try await store.exportData(as: Task.self)))
    var empty = Data()
    for try await chunk in store.exportChunks(as: Category.self) { empty += chunk }
    #expect(empty == Data("[]".utf8))
  }

  @Test func theStoreIsFreeWhileChunksAreTakenAndTheyAreOfOneState() async throws {
    // In memory there is one connection: a reader that stayed open would keep all others out.
    let store = try makeStore()
    try await store.sync(
      payload: payload(1...4_000) { #"{"id": \#($0), "name": "\#(String(repeating: "n", count: 200))"}"# },
      as: Tag.self)
    let text = try await store.exportData(as: Tag.self)
    var joined = Data()
    for try await chunk in store.exportChunks(as: Tag.self) {
      joined += chunk
      try await store.sync(payload: "[]", as: Tag.self)
    }
    #expect(joined == text)
    #expect(try await store.export(as: Tag.self).isEmpty)
  }
}
