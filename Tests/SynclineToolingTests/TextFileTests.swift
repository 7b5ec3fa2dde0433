import Foundation
import SynclineFiles
import TestSupport
import Testing

@testable import SynclineCompiler

/// Files that the command writes: whole, and nowhere else.
@Suite struct TextFileTests {
  private let folder = TemporaryFolder()

  private func kind(_ file: URL) -> mode_t? {
    var info = stat()
    return lstat(file.path, &info) == 0 ? info.st_mode & S_IFMT : nil
  }

  private func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

  private func names() throws -> [String] {
    let folder = try folder.file("x").deletingLastPathComponent()
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func generate(_ text: String) throws {
    let folder = try folder.file("x").deletingLastPathComponent()
    try GeneratedFolder(folder.path).write([
      GeneratedFile(name: "Task.syncline.swift", source: "Task.syncline", text: text)
    ])
  }

  @Test func aSymbolicLinkInTheOutputFolderIsReplacedAndItsTargetStays() throws {
    let (link, target) = (try folder.file("Task.syncline.swift"), try folder.file("Mine.swift"))
    try Data("mine".utf8).write(to: target)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    try generate("// Generated.\n")
    #expect(try text(target) == "mine")
    #expect(kind(link) == S_IFREG)
    #expect(try text(link) == "// Generated.\n")
    #expect(try names() == ["Mine.swift", "Task.syncline.swift"])
  }

  /// Whoever has the file open reads the former text to its end, and a full disk leaves it.
  @Test func generatedFileIsReplacedAtomically() throws {
    let file = try folder.file("Task.syncline.swift")
    try generate("// A first text, which is longer.\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    let open = try FileHandle(forReadingFrom: file)
    try generate("// Another.\n")
    #expect(try open.readToEnd() == Data("// A first text, which is longer.\n".utf8))
    #expect(try text(file) == "// Another.\n")
    #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
    #expect(try names() == ["Task.syncline.swift"])
  }

  @Test func failedWriteLeavesNoFiles() throws {
    let file = try folder.file("Task.syncline.swift")
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    #expect(throws: GeneratedFolder.WriteError.self) { try generate("// Generated.\n") }
    #expect(throws: TextFile.Failure.self) {
      try TextFile(folder.file("missing/a.syncline").path).replace(with: "")
    }
    #expect(try names() == ["Task.syncline.swift"])
  }

  @Test func writeFollowsSymbolicLinkAndKeepsIt() throws {
    let (link, target) = (try folder.file("A.syncline"), try folder.file("B.syncline"))
    for exists in [false, true] {
      try? FileManager.default.removeItem(at: link)
      try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "B.syncline")
      if exists {
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target.path)
      }
      try TextFile(link.path, followingLinks: true).replace(with: "model A { id: Int }\n")
      #expect(kind(link) == S_IFLNK)
      #expect(kind(target) == S_IFREG)
      #expect(try text(target) == "model A { id: Int }\n")
    }
    #expect(try FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions] as? Int == 0o640)
    try FileManager.default.removeItem(at: target)
    try FileManager.default.createSymbolicLink(atPath: target.path, withDestinationPath: "A.syncline")
    #expect(throws: TextFile.Failure.self) {
      try TextFile(link.path, followingLinks: true).replace(with: "")
    }
  }

  @Test func namedPipeIsWrittenTo() throws {
    let pipe = try folder.file("pipe")
    try #require(mkfifo(pipe.path, 0o600) == 0)
    // A task would block one of the few threads that all tasks have.
    nonisolated(unsafe) var read: Data?
    let end = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      read = try? FileHandle(forReadingFrom: pipe).readToEnd()
      end.signal()
    }
    try TextFile(pipe.path).replace(with: "text")
    end.wait()
    #expect(read == Data("text".utf8))
    #expect(kind(pipe) == S_IFIFO)
    #expect(try names() == ["pipe"])
  }

  /// The link leads to what has no path: a pipe of a shell.
  @Test func anonymousPipeIsWrittenTo() throws {
    let pipe = Pipe()
    let path = "/dev/fd/\(pipe.fileHandleForWriting.fileDescriptor)"
    try TextFile(path, followingLinks: true).replace(with: "text")
    try pipe.fileHandleForWriting.close()
    #expect(try pipe.fileHandleForReading.readToEnd() == Data("text".utf8))
  }

  @Test func fileNamesOfMaximumLengthAreWritten() throws {
    for name in [String(repeating: "n", count: 255), "e" + String(repeating: "é", count: 127)] {
      let file = try folder.file(name)
      for written in ["first", "second"] {
        try TextFile(file.path).replace(with: written)
        #expect(try text(file) == written)
      }
    }
    #expect(try names().count == 2)
  }
}
