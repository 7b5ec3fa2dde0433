import Foundation

/// A file that is written whole or not at all.
package struct TextFile {
  private let path: String
  private let followsLinks: Bool

  /// The file at a path.
  ///
  /// - Parameter followingLinks: whether a symbolic link stays and what it leads to is written, which is then safe on
  ///   the disk when the call returns; otherwise the link itself is replaced, and nothing is written through it.
  package init(_ path: String, followingLinks: Bool = false) {
    self.path = path
    followsLinks = followingLinks
  }

  /// Why a file could not be written, as the system says it.
  package struct Failure: Error, CustomStringConvertible {
    let number: Int32
    package var description: String { String(cString: strerror(number)) }

    fileprivate init(_ number: Int32) {
      self.number = number == 0 ? EIO : number
    }
  }

  /// Writes the text to a hidden file beside the path, and renames it.
  ///
  /// A file that is replaced keeps its mode. A device or a pipe is not replaced, but written into.
  package func replace(with text: String) throws(Failure) {
    var info = stat()
    let exists = (followsLinks ? stat(path, &info) : lstat(path, &info)) == 0
    let kind = exists ? info.st_mode & S_IFMT : S_IFREG
    guard kind == S_IFREG || kind == S_IFLNK else {
      // It is opened by the path that was given: a pipe behind `/dev/stdout` or `/dev/fd/3` has no other.
      let file = open(path, O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { throw Failure(errno) }
      return try TextFile.store(text, in: file, mode: nil, waits: false)
    }
    let target = try followsLinks ? TextFile.target(of: path) : path
    let slash = target.lastIndex(of: "/").map(target.index(after:)) ?? target.startIndex
    // Long names are cut: file systems take 255 bytes.
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
  /// - Parameter waits: whether to wait for the disk.
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

  /// What a path leads to: the path itself where it is not a symbolic link. The last file need not exist.
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
