import Foundation
@testable import Syncline
import SynclineTesting
import TestSupport
import Testing

/// A model whose table was never created.
private struct Written: Codable, SyncUpdatableModel {
  var id: Int

  static var syncIdentity: KeyPath<Written, Int> { \.id }
  static func make(from payload: SyncPayload) throws -> Written {
    Written(id: try payload.required(Int.self, for: "id"))
  }
  mutating func apply(_ payload: SyncPayload) throws -> Bool { false }
  func export(in context: SyncExportContext) throws -> SyncJSON { ["id": .number(id)] }
}

/// Recovery moves an unusable file aside only on request.
@Suite struct StoreRecoveryTests {
  private let folder = TemporaryFolder()

  private static let garbage = Data(String(repeating: "no database ", count: 100).utf8)

  private func open(_ file: URL, recovering: Bool = true) throws -> SyncContainer {
    try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file), recoverOnFailure: recovering)
  }

  /// A store of a thousand tags without a log.
  private func makeFile(_ name: String = "a.sqlite") async throws -> URL {
    let file = try folder.file(name)
    let container = try open(file)
    try await container.sync(
      payload: SyncJSON.rows(1_000) { ["id": .number($0), "name": "tag"] }, as: Tag.self)
    try container.truncateLog()
    // The last call may still retain the container.
    try container.database.close()
    return file
  }

  private func reason(_ body: () throws -> SyncContainer) -> String? {
    do {
      _ = try body()
    } catch SyncError.containerInitialization(let reason) {
      return reason
    } catch {
      Issue.record(error)
    }
    return nil
  }

  @Test func fileOfOneByteIsRefusedAndMovedOnRequest() throws {
    let file = try folder.file("a.sqlite")
    try Data([1]).write(to: file)
    let reason = reason { try open(file, recovering: false) }
    #expect(reason?.contains("SQLite error 26") == true)
    #expect(try Data(contentsOf: file) == Data([1]))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).count == 1)
    let moved = try #require(try open(file).recovery).movedFiles
    #expect(try moved.map { try Data(contentsOf: $0) } == [Data([1])])
  }

  @Test func truncatedFileIsRefusedOrMovedOnRequest() async throws {
    let whole = try Data(contentsOf: try await makeFile())
    for length in [
      1, 15, 16, 99, 100, 101, 511, 512, 4_095, 4_096, 4_097, whole.count / 2, whole.count - 4_096,
    ] {
      let file = try folder.file("\(length).sqlite")
      try whole.prefix(length).write(to: file)
      #expect(throws: SyncError.self, "\(length) bytes") { try open(file, recovering: false) }
      #expect(try Data(contentsOf: file) == whole.prefix(length))
      let container = try open(file)
      #expect(container.recovery != nil, "\(length) bytes")
      try await container.sync(payload: #"[{"id": 1, "name": "x"}]"#, as: Tag.self)
    }
  }

  @Test func mismatchedStoreIsMovedOnRequest() async throws {
    let file = try folder.file("a.sqlite")
    try await DatabaseQueue(path: file.path).write { db in
      try db.execute(sql: "CREATE TABLE Tag (id INTEGER PRIMARY KEY, name INTEGER)")
    }
    #expect(try open(file).recovery?.reason == "the column “Tag.name” is INTEGER, not TEXT")
  }

  @Test func symlinkTargetIsMovedAndTheLinkIsKept() throws {
    let (file, link) = (try folder.file("a.sqlite"), try folder.file("link.sqlite"))
    try StoreRecoveryTests.garbage.write(to: file)
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "a.sqlite")
    let container = try open(link)
    let moved = try #require(container.recovery).movedFiles
    #expect(try moved.map { try Data(contentsOf: $0) } == [StoreRecoveryTests.garbage])
    #expect(moved.allSatisfy { $0.lastPathComponent.hasPrefix("a.sqlite.unusable-") })
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "a.sqlite")
    #expect(FileIdentity(path: file.path) == FileIdentity(path: link.path))
  }

  @Test func unrelatedFilesAreNotMovedByRecovery() throws {
    let file = try folder.file("a.sqlite")
    for suffix in ["", "-wal", "-journal", "-other", ".txt"] {
      try StoreRecoveryTests.garbage.write(to: URL(fileURLWithPath: file.path + suffix))
    }
    let container = try open(file)
    #expect(container.recovery != nil)
    #expect(try container.rows(of: Tag.self) == [])
    for suffix in ["-other", ".txt"] {
      #expect(try Data(contentsOf: URL(fileURLWithPath: file.path + suffix)) == StoreRecoveryTests.garbage)
    }
  }

  @Test func walAndJournalFilesMoveWithTheStoreAndBack() throws {
    let file = try folder.file("a.sqlite")
    let paths = ["", "-wal", "-shm", "-journal"].map { file.path + $0 }
    for path in paths { try Data(path.utf8).write(to: URL(fileURLWithPath: path)) }
    func texts(_ files: [URL]) throws -> [String] {
      try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    }
    // The store's file cannot be moved because the name is taken.
    try Data("other".utf8).write(to: URL(fileURLWithPath: file.path + ".unusable-7"))
    #expect(throws: CocoaError.self) { try MovedFiles(of: file.path, stamp: 7) }
    #expect(try texts(paths.map { URL(fileURLWithPath: $0) }) == paths)
    let files = try MovedFiles(of: file.path)
    #expect(try texts(files.targets) == paths)
    #expect(paths.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
  }

  /// Several containers open the file at the same time, some of which cannot create a store. The store that one has created and
  /// filled remains.
  @Test func failedRecoveryKeepsTheStoreOfAnotherContainer() async throws {
    for round in 0..<10 {
      let file = try folder.file("\(round).sqlite")
      try StoreRecoveryTests.garbage.write(to: file)
      let stores = try await withThrowingTaskGroup(of: SyncContainer?.self) { group in
        for number in 0..<6 {
          group.addTask {
            guard number.isMultiple(of: 2) else {
              _ = try? await SyncContainer.open(
                for: Written.self, storage: .file(file), recoverOnFailure: true)
              return nil
            }
            while true {
              // While another container moves the file, opening it may fail.
              let opened = try? await SyncContainer.open(
                for: SynclineTestsSchema.self, storage: .file(file), recoverOnFailure: true)
              guard let container = opened else { continue }
              try await container.sync(item: #"{"id": \#(number), "name": "x"}"#, as: Tag.self)
              return container
            }
          }
        }
        return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
      }
      #expect(try open(file, recovering: false).rows(of: Tag.self).count == 3)
      let others = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
      #expect(others.filter { $0.hasPrefix("\(round).sqlite.unusable-") }.count == 1)
      #expect(others.allSatisfy { !$0.contains(".new-") })
      withExtendedLifetime(stores) {}
    }
  }

  @Test func recoveredStoreKeepsTheFilePermissions() throws {
    let file = try folder.file("a.sqlite")
    try StoreRecoveryTests.garbage.write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    let container = try open(file)
    #expect(container.recovery != nil)
    for suffix in ["", "-wal", "-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path + suffix)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
    }
  }

  @Test(arguments: [true, false]) func damagedFileThatIsOpenElsewhereIsNotMoved(isContainer: Bool)
    async throws
  {
    let file = try await makeFile()
    let other: any DatabaseWriter =
      try isContainer
      ? SyncContainer(
        for: SynclineTestsSchema.self, storage: .database(try DatabaseQueue(path: file.path))
      ).database
      : DatabasePool(path: file.path)
    _ = try await other.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: Data("no database".utf8))
    try handle.close()
    let bytes = try Data(contentsOf: file)
    let message = reason { try open(file) }
    #expect(message?.contains("another connection has it open") == true)
    #expect(try Data(contentsOf: file) == bytes)
    try other.close()
    #expect(try open(file).recovery != nil)
  }

  @Test func exclusiveLockHasOneHolderAtATime() async throws {
    let file = try await makeFile()
    let lock = try #require(ExclusiveFileLock(path: file.path))
    #expect(ExclusiveFileLock(path: file.path) == nil)
    lock.release()
    let next = ExclusiveFileLock(path: file.path)
    #expect(next != nil)
    next?.release()
  }

  @Test func programmingErrorDoesNotMoveTheStore() async throws {
    let file = try await makeFile()
    #expect(throws: SyncError.self) {
      try SyncContainer(for: Task.self, storage: .file(file), recoverOnFailure: true)
    }
    let message = reason {
      try SyncContainer(for: Written.self, storage: .file(file), recoverOnFailure: true)
    }
    #expect(message?.contains("is missing") == true)
    #expect(try open(file).rows(of: Tag.self).count == 1_000)
  }

  @Test func damagedFileIsKeptIfNoNewStoreCanBeCreated() throws {
    let file = try folder.file("a.sqlite")
    try StoreRecoveryTests.garbage.write(to: file)
    let message = reason {
      try SyncContainer(for: Written.self, storage: .file(file), recoverOnFailure: true)
    }
    #expect(message?.contains("is missing") == true)
    #expect(try Data(contentsOf: file) == StoreRecoveryTests.garbage)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).count == 1)
  }

  @Test func aURLThatIsNoFileIsRefused() throws {
    let url = try #require(URL(string: "https://example.com/a.sqlite"))
    for recovering in [true, false] {
      #expect(
        throws: SyncError.containerInitialization(reason: "“https://example.com/a.sqlite” is not a file")
      ) {
        try open(url, recovering: recovering)
      }
    }
  }

  @Test func storeIsOpenedAsynchronously() async throws {
    let file = try await makeFile()
    let container = try await SyncContainer.open(for: SynclineTestsSchema.self, storage: .file(file))
    #expect(try container.rows(of: Tag.self).count == 1_000)
    await #expect(throws: SyncError.self) { try await SyncContainer.open(for: Task.self) }
  }

  @Test func openingThatWaitsForALockCanBeCancelled() async throws {
    let file = try await makeFile()
    let lock = try LockHolder(file)
    let task = _Concurrency.Task {
      try await SyncContainer.open(for: SynclineTestsSchema.self, storage: .file(file))
    }
    task.cancel()
    await #expect(throws: SyncError.cancelled) { try await task.value }
    try lock.release()
  }
}
