import Foundation

/// The state of a store's file. It changes whenever the file is written.
struct FileState: Equatable {
  private let identity: FileIdentity
  /// The size of the file, in bytes.
  let size: Int64
  private let seconds: Int
  private let nanoseconds: Int
  /// Whether the file has a log or a journal: it is open for writing, or was not closed cleanly.
  let hasLog: Bool

  /// - Returns: nil if there is no file at the path.
  init?(path: String) {
    guard let status = FileIdentity.status(of: path) else { return nil }
    identity = FileIdentity(status)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    (seconds, nanoseconds) = (Int(modified.tv_sec), Int(modified.tv_nsec))
    hasLog = FileState.hasLog(path)
  }

  static func hasLog(_ path: String) -> Bool {
    // SQLite names them after the file that a symbolic link refers to.
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    return ["-wal", "-journal"].contains { FileIdentity.size(of: file + $0) != nil }
  }
}
