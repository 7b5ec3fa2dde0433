import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// A store on a disk that its write-ahead log has filled, and ways to recover from this.
@Suite(.enabled(if: SmallDisk.isAvailable, "a small file system cannot be mounted here")) struct FullDiskTests
{
  private let disk: SmallDisk

  init() throws { disk = try #require(SmallDisk()) }

  private var file: URL { disk.folder.appending(path: "a.sqlite") }

  private func open() throws -> SyncContainer {
    try SyncContainer(for: Part.self, storage: .file(file))
  }

  private func parts(_ count: Int, from first: Int = 1, _ name: String) -> SyncJSON {
    SyncJSON.rows(count, from: first) { ["id": .number($0), "name": .string(name)] }
  }

  /// Syncs until the disk is full.
  private func fill(_ container: SyncContainer, _ payload: (Int) -> SyncJSON) async throws {
    for round in 0..<800 {
      do {
        try await container.sync(payload: payload(round), as: Part.self, deletionPolicy: .none)
      } catch SyncError.storeUnavailable {
        return
      }
    }
    Issue.record("the disk is not full")
  }

  private func isFull(_ body: () async throws -> Void) async throws -> Bool {
    do {
      try await body()
      return false
    } catch SyncError.storeUnavailable {
      return true
    }
  }

  @Test func aCheckpointMakesRoomForADeletion() async throws {
    let container = try open()
    try await container.sync(payload: parts(3_000, "round 100"), as: Part.self)
    try await container.checkpoint()
    #expect(try container.logSize == 0)
    // The same rows repeatedly with values of equal length, so that only the log grows, not the file.
    try await fill(container) { parts(3_000, "round \($0 + 101)") }
    for _ in 0..<3 {
      #expect(try await isFull { try await container.sync(payload: "[]", as: Part.self) })
    }
    #expect(try container.logSize > 1_000_000)
    try await container.checkpoint()
    #expect(try container.logSize == 0)
    #expect(try container.rows(of: Part.self).count == 3_000)
    try await container.sync(payload: "[]", as: Part.self)
    #expect(try container.rows(of: Part.self) == [])
  }

  /// Rows that are only in the log require space in the file. A store that can be loaded again is created anew.
  @Test func storeWithoutSpaceForItsWALCanBeRecreated() async throws {
    let container = try open()
    try await fill(container) { parts(100, from: $0 * 100, "part") }
    #expect(try await isFull { try await container.checkpoint() })
    let count = try container.rows(of: Part.self).count
    #expect(count > 100)
    var values = container.values(of: Part.self).makeAsyncIterator()
    #expect(try await values.next()?.count == count)
    // The steps in the documentation.
    try container.database.close()
    // A file that is being read occupies its space until it is closed.
    while openFiles(of: file) != [] { await _Concurrency.Task.yield() }
    for suffix in ["", "-wal", "-shm"] {
      let path = file.path + suffix
      if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }
    let other = try open()
    try await other.sync(payload: parts(1_000, "part"), as: Part.self)
    #expect(try other.rows(of: Part.self).count == 1_000)
  }
}

/// A file system of two megabytes, which is unmounted when this value is deallocated.
private final class SmallDisk: Sendable {
  static let isAvailable = SmallDisk() != nil

  let folder = FileManager.default.temporaryDirectory.appending(path: "syncline-disk-\(UUID())")

  /// - Returns: nil if no file system can be mounted.
  init?() {
    guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil,
      SmallDisk.run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder.path)
    else { return nil }
  }

  deinit {
    // Containers may still be closing their files.
    _ = SmallDisk.run("umount", "-l", folder.path)
    try? FileManager.default.removeItem(at: folder)
  }

  private static func run(_ command: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
