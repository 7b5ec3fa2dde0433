import Foundation

/// A store that is made under another name, and replaces one that was moved aside.
struct NewStore {
  let url: URL

  /// Makes an empty file in the folder of another, with the same permissions.
  ///
  /// - Throws: the error of the file system.
  init(like path: String) throws {
    url = URL(fileURLWithPath: "\(path).new-\(UUID())")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    try Data().write(to: url)
    guard let permissions = attributes[.posixPermissions] else { return }
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: url.path)
  }

  /// Puts the store at a path, unless there is a file. On a file system without links, which has no permissions either, SQLite
  /// makes the file.
  func put(at path: String) {
    if link(url.path, path) == 0 { unlink(url.path) }
  }

  /// Removes the file's other name, and its log and journal.
  func remove() {
    for suffix in MovedFiles.suffixes { try? FileManager.default.removeItem(atPath: url.path + suffix) }
  }
}
