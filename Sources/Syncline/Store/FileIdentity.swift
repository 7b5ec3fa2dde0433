import Foundation

/// Identifies a file: all paths, symbolic links and hard links to a file have the same identity.
///
/// The system may give the inode of a deleted file to another file. So an identity is only valid while a
/// connection has the file open.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// - Returns: nil if there is no file at the path.
  init?(path: String) {
    guard let status = FileIdentity.status(of: path) else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// The size of the file at a path, in bytes; nil if there is none.
  static func size(of path: String) -> Int64? { status(of: path).map { Int64($0.st_size) } }

  /// What the system knows of the file at a path; nil if there is none.
  static func status(of path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }
}
