import Foundation

/// A store that is created under a temporary name, to replace one that was moved aside.
struct NewStore {
  let url: URL

  /// Creates an empty file in the folder of another, with the same permissions.
  ///
  /// - Throws: the file system's error.
  init(like path: String) throws {
    url = URL(fileURLWithPath: "\(path).new-\(UUID())")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    do {
      try Data().write(to: url)
      guard let permissions = attributes[.posixPermissions] else { return }
      try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: url.path)
    } catch {
      remove()
      throw error
    }
  }

  /// Puts the store at a path, unless a file exists there. If the file system has no hard links, it has no permissions to keep
  /// either: then this does nothing, and SQLite creates the file.
  func put(at path: String) {
    if link(url.path, path) == 0 { unlink(url.path) }
  }

  /// Removes the temporary name, with its log and journal.
  func remove() {
    for suffix in MovedFiles.suffixes { try? FileManager.default.removeItem(atPath: url.path + suffix) }
  }
}
