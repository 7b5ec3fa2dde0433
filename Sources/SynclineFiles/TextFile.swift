import Foundation

/// A file that is written atomically.
package struct TextFile {
  private let path: String
  private let followsLinks: Bool

  /// Creates a value for a path.
  ///
  /// - Parameter followingLinks: if true, a symbolic link is kept and its target is written, which is flushed to the disk before
  ///   the call returns. Otherwise, the link itself is replaced, and its target is not written.
  package init(_ path: String, followingLinks: Bool = false) {
    self.path = path
    followsLinks = followingLinks
  }

  /// The reason why a file could not be written, as reported by the system.
  package struct Failure: Error, CustomStringConvertible {
    let number: Int32
    package var description: String { String(cString: strerror(number)) }

    fileprivate init(_ number: Int32) {
      self.number = number == 0 ? EIO : number
    }
  }

  /// Writes the text to a hidden file in the same folder, and renames it to the path.
  ///
  /// The new file gets the mode of the replaced one. A device or a pipe is not replaced, but written to.
  package func replace(with text: String) throws(Failure) {
    var info = stat()
    let exists = (followsLinks ? stat(path, &info) : lstat(path, &info)) == 0
    let kind = exists ? info.st_mode & S_IFMT : S_IFREG
    guard kind == S_IFREG || kind == S_IFLNK else {
      // Open the original path: a pipe behind `/dev/stdout` or `/dev/fd/3` has no other path.
      let file = open(path, O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { throw Failure(errno) }
      return try TextFile.store(text, in: file, mode: nil, waits: false)
    }
    let target = try followsLinks ? TextFile.target(of: path) : path
    let slash = target.lastIndex(of: "/").map(target.index(after:)) ?? target.startIndex
    // Long names are truncated, because file systems limit names to 255 bytes.
    let name = String(decoding: target[slash...].utf8.prefix(200), as: UTF8.self)
    let part = target[..<slash] + "." + name + "." + UUID().uuidString
    let file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw Failure(errno) }
    do throws(Failure) {
      let mode = exists && kind == S_IFREG ? info.st_mode & 0o7777 : nil
      try TextFile.store(text, in: file, mode: mode, waits: followsLinks)
      guard rename(part, target) == 0 else { throw Failure(errno) }
    } catch {
      unlink(part)
      throw error
    }
  }

  /// Writes the text to an open file, and closes it.
  ///
  /// - Parameter waits: whether to wait until the file is on the disk.
  private static func store(_ text: String, in file: Int32, mode: mode_t?, waits: Bool) throws(Failure) {
    var text = text
    var error = text.withUTF8 { bytes -> Int32 in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = write(file, rest.baseAddress, rest.count)
        if count < 0, errno != EINTR { return errno }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(count, 0)))
      }
      return 0
    }
    if error == 0, let mode, fchmod(file, mode) != 0 { error = errno }
    if error == 0, waits, fsync(file) != 0 { error = errno }
    if close(file) != 0, error == 0 { error = errno }
    if error != 0 { throw Failure(error) }
  }

  /// The target of a symbolic link, or the path itself if it is not one. The target need not exist.
  private static func target(of path: String) throws(Failure) -> String {
    var target = path
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else {
        return target
      }
      let slash = target.lastIndex(of: "/").map(target.index(after:)) ?? target.startIndex
      target = next.hasPrefix("/") ? next : target[..<slash] + next
    }
    throw Failure(ELOOP)
  }
}
