import Foundation

/// Where the stores of points are: in memory if the system has a file system there, since points write and copy the same small
/// files thousands of times.
enum Scratch {
  /// Names the folder that a parent process made. The parent removes it, also after the child was killed.
  static let variable = "SYNCLINE_FAULTS_SCRATCH"

  /// The folder that the parent process made, for files that its children share; nil without a parent.
  static let shared = ProcessInfo.processInfo.environment[variable].map { URL(filePath: $0) }

  private static let root: URL = {
    if let shared { return shared }
    let memory = "/dev/shm"
    return FileManager.default.isWritableFile(atPath: memory)
      ? URL(filePath: memory) : FileManager.default.temporaryDirectory
  }()

  /// Makes an empty folder that no other process uses. The caller removes it.
  static func make() throws -> URL {
    let folder = root.appending(path: "syncline-faults-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.resolvingSymlinksInPath()
  }

  static func remove(_ folder: URL) throws {
    // A connection that is closed on another thread may remove a file meanwhile. Then the others are still there, and what is
    // thrown depends on when it happened.
    for attempt in 1...100 where FileManager.default.fileExists(atPath: folder.path) {
      do { try FileManager.default.removeItem(at: folder) } catch { if attempt == 100 { throw error } }
    }
  }

  /// Makes a folder the same as another one, with the same files only.
  static func copy(_ source: URL, to target: URL) throws {
    try remove(target)
    try FileManager.default.copyItem(at: source, to: target)
  }

  /// The names of all files in a folder, in order.
  static func files(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }
}
