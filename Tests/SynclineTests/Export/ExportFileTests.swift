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

  @Test func exportToAFileReplacesItsContents() async throws {
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

  @Test func failedExportLeavesTheOldFileUnchanged() async throws {
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
    // A folder cannot be replaced by a file.
    await #expect(throws: POSIXError.self) { try await store.exportData(as: Tag.self, to: target) }
    await #expect(throws: POSIXError.self) {
      try await store.exportData(as: Tag.self, to: target.appending(path: "missing/tags.json"))
    }
    await #expect(throws: SyncError.self) {
      for try await _ in store.exportChunks(as: Task.self) {}
    }
  }

  private func mode(_ file: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
  }

  @Test func exportKeepsTheFilePermissions() async throws {
    let store = try await makeTracker(30, in: folder)
    let target = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: target) }
    let file = target.appending(path: "tasks.json")
    try Data("old".utf8).write(to: file)
    for mode in [0o600, 0o640, 0o755] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
      try await store.exportData(as: Task.self, to: file)
      #expect(try self.mode(file) == mode)
      #expect(try Data(contentsOf: file) == (try await store.exportData(as: Task.self)))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == ["tasks.json"])
  }

  @Test func exportThroughASymlinkReplacesItsTarget() async throws {
    let store = try await makeTracker(30, in: folder)
    let target = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: target) }
    let inner = target.appending(path: "inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let text = try await store.exportData(as: Task.self)
    let file = inner.appending(path: "tasks.json")
    for exists in [true, false] {
      if exists {
        try Data("old".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
      } else {
        try FileManager.default.removeItem(at: file)
      }
      // A link with a relative path to a link with an absolute path.
      let (first, second) = (target.appending(path: "first"), inner.appending(path: "second"))
      for link in [first, second] { try? FileManager.default.removeItem(at: link) }
      try FileManager.default.createSymbolicLink(atPath: first.path, withDestinationPath: "inner/second")
      try FileManager.default.createSymbolicLink(atPath: second.path, withDestinationPath: file.path)
      try await store.exportData(as: Task.self, to: first)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: first.path) == "inner/second")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: second.path) == file.path)
      #expect(try Data(contentsOf: file) == text)
      if exists { #expect(try mode(file) == 0o600) }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: inner.path).sorted() == ["second", "tasks.json"])
    }
    let circle = target.appending(path: "circle")
    try FileManager.default.createSymbolicLink(atPath: circle.path, withDestinationPath: "circle")
    await #expect(throws: POSIXError(.ELOOP)) { try await store.exportData(as: Tag.self, to: circle) }
  }

  /// Reads a pipe on a separate thread. A task would block one of the few threads of Swift concurrency, and thereby the export.
  private func reading<T: Sendable>(
    _ read: @escaping @Sendable () throws -> T
  ) -> _Concurrency.Task<T, any Error> {
    _Concurrency.Task {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result(catching: read)) }
      }
    }
  }

  @Test func exportWritesIntoANamedPipe() async throws {
    let store = try await makeTracker(2_000, in: folder)
    let target = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: target) }
    let pipe = target.appending(path: "pipe")
    try #require(mkfifo(pipe.path, 0o600) == 0)
    let text = try await store.exportData(as: Task.self)
    try #require(text.count > 1 << 17)
    let whole = reading { try FileHandle(forReadingFrom: pipe).readToEnd() }
    try await store.exportData(as: Task.self, to: pipe)
    #expect(try await whole.value == text)
    // A reader that closes the pipe causes an error, and no other effect.
    let leaving = reading {
      let file = try FileHandle(forReadingFrom: pipe)
      let start = try file.read(upToCount: 1)
      try file.close()
      return start
    }
    await #expect(throws: (any Error).self) { try await store.exportData(as: Task.self, to: pipe) }
    #expect(try await leaving.value == Data("[".utf8))
    var info = stat()
    #expect(lstat(pipe.path, &info) == 0 && info.st_mode & S_IFMT == S_IFIFO)
    #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == ["pipe"])
  }

  /// The link refers to something without a path: a pipe of a shell, behind `/dev/stdout`.
  @Test func exportWritesIntoAnAnonymousPipe() async throws {
    let store = try await makeTracker(2_000, in: folder)
    let pipe = Pipe()
    let whole = reading { try pipe.fileHandleForReading.readToEnd() }
    let path = "/dev/fd/\(pipe.fileHandleForWriting.fileDescriptor)"
    try await store.exportData(as: Task.self, to: URL(filePath: path))
    try pipe.fileHandleForWriting.close()
    #expect(try await whole.value == (try await store.exportData(as: Task.self)))
  }

  @Test func fileNameMayHaveTheMaximumLength() async throws {
    let store = try await makeTracker(1, in: folder)
    let target = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: target) }
    for name in [String(repeating: "n", count: 255), "e" + String(repeating: "é", count: 127)] {
      let file = target.appending(path: name)
      for _ in 1...2 { try await store.exportData(as: Tag.self, to: file) }
      #expect(try Data(contentsOf: file) == (try await store.exportData(as: Tag.self)))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: target.path).count == 2)
  }

  @Test func joinedChunksEqualTheExportedData() async throws {
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

  @Test func chunksShareOneSnapshotAndDoNotBlockWrites() async throws {
    // A store in memory has one connection, so a reader that stays open would block all others.
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
