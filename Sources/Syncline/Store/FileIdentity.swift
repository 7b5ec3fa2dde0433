import Foundation

/// What a file is, whatever paths lead to it: symbolic links and hard links to one file are one file.
///
/// An inode is given to another file when the one that had it is gone. An identity is good for as long as a
/// connection has the file open.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// - Returns: nil where there is no file at the path.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// How long the file at a path is, in bytes; nil where there is none.
  static func size(of path: String) -> Int64? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Int64(status.st_size)
  }
}
