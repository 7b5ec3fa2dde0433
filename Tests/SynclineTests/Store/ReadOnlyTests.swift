import Foundation
import GRDB
import SynclineTesting
import Testing

@testable import Syncline

/// Stores that cannot be written.
@Suite struct ReadOnlyTests {
  private let folder = TemporaryFolder()

  /// A closed store with two tags.
  private func makeFile() async throws -> URL {
    let file = try folder.file()
    let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    try await container.sync(payload: #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, as: Tag.self)
    try container.database.close()
    return file
  }

  private func files(beside file: URL) throws -> [String: Data] {
    let folder = file.deletingLastPathComponent()
    return try Dictionary(
      uniqueKeysWithValues: FileManager.default.contentsOfDirectory(atPath: folder.path)
        .map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
  }

  @Test func readOnlyAccessDoesNotChangeAnyFile() async throws {
    let file = try await makeFile()
    let before = try files(beside: file)
    let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .readOnly(file))
    #expect(try container.rows(of: Tag.self).count == 2)
    #expect(try await container.export(as: Tag.self).count == 2)
    #expect(try await container.exportData(as: Tag.self).count > 20)
    var values = container.values(of: Tag.self, orderBy: [Tag.Columns.name]).makeAsyncIterator()
    #expect(try await values.next()?.map(\.name) == ["a", "b"])
    #expect(try await container.check().isIntact)
    try container.database.close()
    #expect(try files(beside: file) == before)
  }

  /// SQLite names the log after the file that the link refers to.
  @Test func commitsInTheLogAreSeenThroughASymbolicLink() async throws {
    let file = try await makeFile()
    let link = try folder.file("link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    let writer = try DatabasePool(path: file.path)
    try await writer.write { try $0.execute(sql: "INSERT INTO Tag (id, name) VALUES (3, 'c')") }
    #expect(FileState(path: link.path)?.hasLog == true)
    let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .readOnly(link))
    #expect(try container.rows(of: Tag.self).count == 3)
    try writer.close()
  }

  @Test func syncToAReadOnlyStoreIsRefused() async throws {
    let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .readOnly(try await makeFile()))
    await #expect(throws: SyncError.storeUnavailable(reason: "it was opened read-only")) {
      try await container.sync(payload: "[]", as: Tag.self)
    }
    await #expect(throws: SyncError.storeUnavailable(reason: "it was opened read-only")) {
      try await container.sync(item: #"{"id": 1}"#, as: Tag.self)
    }
    #expect(throws: DatabaseError.self) {
      try container.database.writeWithoutTransaction { try $0.execute(sql: "DELETE FROM Tag") }
    }
    #expect(try container.rows(of: Tag.self).count == 2)
  }

  @Test func storeInAReadOnlyFolderIsReadable() async throws {
    let file = try await makeFile()
    let attributes = try FileManager.default.attributesOfItem(atPath: file.deletingLastPathComponent().path)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o555], ofItemAtPath: file.deletingLastPathComponent().path)
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: attributes[.posixPermissions] ?? 0o755],
        ofItemAtPath: file.deletingLastPathComponent().path)
    }
    let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .readOnly(file))
    #expect(try container.rows(of: Tag.self).count == 2)
  }

  @Test func readOnlyContainerSeesNewCommits() async throws {
    let file = try folder.file()
    let writer = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    try await writer.sync(payload: #"[{"id": 1, "name": "a"}]"#, as: Tag.self)
    let reader = try SyncContainer(for: SynclineTestsSchema.self, storage: .readOnly(file))
    #expect(try reader.rows(of: Tag.self).count == 1)
    try await writer.sync(payload: #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, as: Tag.self)
    #expect(try reader.rows(of: Tag.self).count == 2)
  }

  @Test func mismatchedReadOnlyStoreIsRefusedAndNotMoved() async throws {
    let file = try await makeFile()
    let pool = try DatabasePool(path: file.path)
    try await pool.write {
      try $0.execute(
        sql: "UPDATE syncline_schema SET fingerprint = 'other'; ALTER TABLE Tag DROP COLUMN name")
    }
    try pool.close()
    let before = try files(beside: file)
    #expect(throws: SyncError.containerInitialization(reason: "the table “Tag” has no column “name”")) {
      try SyncContainer(for: SynclineTestsSchema.self, storage: .readOnly(file), recoverOnFailure: true)
    }
    #expect(try files(beside: file) == before)
    #expect(throws: SyncError.self) {
      try SyncContainer(for: SynclineTestsSchema.self, storage: .readOnly(folder.file("missing.sqlite")))
    }
  }

  @Test func readOnlyStoreOfAnotherSchemaIsNotEvolved() async throws {
    let file = try await makeFile()
    let pool = try DatabasePool(path: file.path)
    try await pool.write { db in
      try db.execute(sql: "DROP TABLE Label; UPDATE syncline_schema SET fingerprint = 'other'")
    }
    try pool.close()
    #expect(
      throws: SyncError.containerInitialization(
        reason: "the store has another schema, and cannot be evolved because it was opened read-only")
    ) {
      try SyncContainer(for: SynclineTestsSchema.self, storage: .readOnly(file))
    }
  }
}
