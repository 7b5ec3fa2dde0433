import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Damage, removal and a full disk while a container has the file open.
@Suite struct DamagedStoreTests {
  private let folder = TemporaryFolder()
  private static let tag: SyncJSON = ["id": 1, "name": "x"]

  private func makeTags(_ name: String = "a.sqlite", rows: Int = 2_000) async throws -> (SyncContainer, URL) {
    let file = try folder.file(name)
    let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    try await container.sync(
      payload: SyncJSON.rows(rows) { ["id": .number($0), "name": .string("tag \($0)")] }, as: Tag.self)
    try container.truncateLog()
    return (container, file)
  }

  private func expectError(
    _ container: SyncContainer, _ isExpected: (SyncError) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await #expect(sourceLocation: sourceLocation) {
      try await container.sync(payload: [DamagedStoreTests.tag] as SyncJSON, as: Tag.self)
    } throws: { error in
      (error as? SyncError).map(isExpected) == true
    }
  }

  /// The blocking form of the check.
  private func blockingCheck(_ container: SyncContainer) throws -> StoreCheck { try container.check() }

  /// Overwrites the pages that hold the last rows.
  private func damage(_ file: URL) throws {
    let handle = try FileHandle(forWritingTo: file)
    let end = try handle.seekToEnd()
    try handle.seek(toOffset: end - 4 * 4_096)
    try handle.write(contentsOf: Data(repeating: 0xA5, count: 4 * 4_096))
    try handle.close()
  }

  @Test func damageFoundAfterOpeningThrowsATypedError() async throws {
    let (_, file) = try await makeTags()
    try damage(file)
    let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    for _ in 0..<3 {
      await expectError(container) {
        guard case .storeCorrupted(let reason) = $0 else { return false }
        return reason.hasPrefix("SQLite error 11")
      }
    }
  }

  @Test func checkReportsDamage() async throws {
    let (whole, file) = try await makeTags()
    #expect(try blockingCheck(whole) == StoreCheck(problems: []))
    let check = try await whole.check()
    #expect(check.isIntact && "\(check)" == "The store is intact.")
    try whole.database.close()
    try damage(file)
    let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    let damage = try await container.check()
    #expect(!damage.isIntact && "\(damage)".hasPrefix("The store is damaged:\n  "))
    #expect(try blockingCheck(container) == damage)
  }

  @Test func checkReportsDanglingForeignKeys() async throws {
    let container = try makeStore()
    try await container.database.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA foreign_keys = OFF;
          INSERT INTO "Item" ("id", "title", "position", "task") VALUES ('i', 'T', 0, 7);
          """)
    }
    let check = try await container.check()
    #expect(check.problems == ["row 1 of “Item” references a row of “Task” that is missing"])
  }

  @Test func overwrittenFileIsReportedAsCorrupted() async throws {
    let (container, file) = try await makeTags()
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: Data(repeating: 0xA5, count: 8_192))
    try handle.close()
    // Pages in the cache are not damaged, so release them.
    try await container.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA shrink_memory") }
    await expectError(container) { if case .storeCorrupted = $0 { true } else { false } }
    #expect(try await container.check().isIntact == false)
  }

  @Test func aStoreWhoseFileIsRemovedOrReplacedIsNotWritten() async throws {
    let (container, file) = try await makeTags()
    let moved = try folder.file("moved.sqlite")
    try FileManager.default.moveItem(at: file, to: moved)
    await expectError(container) { $0 == .storeReplaced(reason: "there is no file at \(file.path)") }
    try Data().write(to: file)
    await expectError(container) { $0 == .storeReplaced(reason: "there is another file at \(file.path)") }
    try FileManager.default.removeItem(at: file)
    try FileManager.default.moveItem(at: moved, to: file)
    try await container.sync(payload: [DamagedStoreTests.tag] as SyncJSON, as: Tag.self)
    #expect(try container.rows(of: Tag.self).count == 1)
  }

  /// GRDB's migrator does so with `eraseDatabaseOnSchemaChange`.
  @Test func syncOfAnErasedStoreThrowsStoreEvolved() async throws {
    let (container, file) = try await makeTags(rows: 1)
    try await container.database.erase()
    await expectError(container) { if case .storeEvolved = $0 { true } else { false } }
    let other = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    for store in [other, container] {
      try await store.sync(payload: [DamagedStoreTests.tag] as SyncJSON, as: Tag.self)
    }
    #expect(try other.rows(of: Tag.self).count == 1)
  }

  @Test func changedSymlinkTargetIsDetected() async throws {
    let (_, first) = try await makeTags("1.sqlite", rows: 1)
    let (_, second) = try await makeTags("2.sqlite", rows: 1)
    let link = try folder.file("link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: first)
    let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(link))
    try FileManager.default.removeItem(at: link)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: second)
    await expectError(container) { if case .storeReplaced = $0 { true } else { false } }
  }

  @Test(.enabled(if: TestKind.thorough.runs)) func fullDiskThrowsATypedErrorAndTheNextCallWorks() async throws
  {
    let (container, _) = try await makeTags()
    try await container.database.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA max_page_count = 1")
    }
    let rows = SyncJSON.rows(50_000) { ["id": .number($0), "name": "tag"] }
    await #expect(throws: SyncError.storeUnavailable(reason: "SQLite error 13: database or disk is full")) {
      try await container.sync(payload: rows, as: Tag.self)
    }
    #expect(try container.rows(of: Tag.self).count == 2_000)
    try await container.database.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA max_page_count = 1000000")
    }
    #expect(try await container.sync(payload: rows, as: Tag.self).inserted == 48_000)
  }

  @Test func writeToAQueryOnlyStoreThrowsATypedError() async throws {
    let (_, file) = try await makeTags()
    let queue = try DatabaseQueue(path: file.path)
    let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .database(queue))
    try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 1") }
    await expectError(container) { if case .storeUnavailable = $0 { true } else { false } }
  }

  @Test func syncToAClosedStoreThrowsATypedError() async throws {
    let (container, _) = try await makeTags()
    try container.database.close()
    await expectError(container) { $0 == .storeUnavailable(reason: "its database was closed") }
  }

  @Test func readsOfAClosedStoreThrowATypedError() async throws {
    let (container, _) = try await makeTags()
    try container.database.close()
    let closed = SyncError.storeUnavailable(reason: "its database was closed")
    await #expect(throws: closed) { try await container.cursor(for: Tag.self) }
    await #expect(throws: closed) { try await container.export(as: Tag.self) }
    await #expect(throws: closed) { try await container.pendingChanges() }
    await #expect(throws: closed) { try await container.check() }
    await #expect(throws: closed) {
      try await container.sync(pages: AsyncStream<SyncPage> { $0.finish() }, as: Tag.self)
    }
  }

  @Test func errorsOfUserTriggersAreThrownUnchanged() async throws {
    let container = try makeStore()
    try await container.database.write { db in
      try db.execute(
        sql: """
          CREATE TRIGGER own BEFORE INSERT ON "Tag" BEGIN SELECT RAISE(ABORT, 'not today'); END
          """)
    }
    await #expect {
      try await container.sync(payload: [DamagedStoreTests.tag] as SyncJSON, as: Tag.self)
    } throws: { error in
      (error as? DatabaseError)?.message == "not today"
    }
  }
}
