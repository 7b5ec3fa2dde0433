import Foundation

/// Temporary folders for the stores of points. They are in a memory file system if the system has one, because points write and
/// copy the same small files thousands of times.
enum Scratch {
  /// The environment variable with the folder that a parent process created. The parent removes it, even if the child was killed.
  static let variable = "SYNCLINE_FAULTS_SCRATCH"

  /// The folder of the parent process, for files that its children share; nil without a parent.
  static let shared = ProcessInfo.processInfo.environment[variable].map { URL(filePath: $0) }

  private static let root: URL = {
    if let shared { return shared }
    let memory = "/dev/shm"
    return FileManager.default.isWritableFile(atPath: memory)
      ? URL(filePath: memory) : FileManager.default.temporaryDirectory
  }()

  /// Creates an empty folder that no other process uses. The caller removes it.
  static func make() throws -> URL {
    let folder = root.appending(path: "syncline-faults-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.resolvingSymlinksInPath()
  }

  static func remove(_ folder: URL) throws {
    // A connection that is being closed on another thread may remove a file at the same time. Then other files remain, and the
    // error depends on the timing, so try again.
    for attempt in 1...100 where FileManager.default.fileExists(atPath: folder.path) {
      do { try FileManager.default.removeItem(at: folder) } catch { if attempt == 100 { throw error } }
    }
  }

  /// Makes a folder identical to another one, and removes all other files in it.
  static func copy(_ source: URL, to target: URL) throws {
    try remove(target)
    try FileManager.default.copyItem(at: source, to: target)
  }

  /// The names of all files in a folder, sorted.
  static func files(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }
}
