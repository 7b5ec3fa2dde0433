import Foundation

/// Writes the files of exports.
enum ExportFile {
  /// Writes to a hidden file in the same folder, and renames it when it is complete.
  ///
  /// A file that is replaced keeps its mode. A symbolic link stays: its target is replaced. A device or a pipe is not replaced,
  /// but written directly.
  static func replace(_ url: URL, _ write: (@escaping JSONWriter.Drain) throws -> Void) throws {
    guard url.isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme, userInfo: [NSURLErrorKey: url]) }
    var info = stat()
    let isReplaced = stat(url.path, &info) == 0
    if isReplaced, info.st_mode & S_IFMT != S_IFREG {
      // Open it by the given path: a pipe at `/dev/stdout` or `/dev/fd/3` has no other path.
      let file = try openFile(url, O_WRONLY)
      try withoutPipeSignal { try write { try file.write(contentsOf: data($0)) } }
      return try file.close()
    }
    let target = try target(of: url)
    let part = target.deletingLastPathComponent().appending(path: hiddenName(of: target.lastPathComponent))
    // Nobody else may read the text of a private file before the file has its mode.
    let file = try openFile(part, O_RDWR | O_CREAT | O_EXCL, isReplaced ? 0o600 : 0o666)
    do {
      try write { try file.write(contentsOf: data($0)) }
      if isReplaced {
        // Only root can give a file to another owner.
        _ = fchown(file.fileDescriptor, info.st_uid, info.st_gid)
        guard fchmod(file.fileDescriptor, info.st_mode & 0o7777) == 0 else { throw failure(part) }
      }
      try file.synchronize()
      try file.close()
      guard rename(part.path, target.path) == 0 else { throw failure(target) }
    } catch {
      try? FileManager.default.removeItem(at: part)
      throw error
    }
  }

  /// The name of the temporary file. Long names are cut: file systems allow 255 bytes.
  private static func hiddenName(of name: String) -> String {
    ".\(String(decoding: name.utf8.prefix(200), as: UTF8.self)).\(UUID().uuidString)"
  }

  /// The target of a symbolic link; other paths are returned unchanged. The last file need not exist.
  private static func target(of url: URL) throws -> URL {
    var target = url
    for _ in 0..<40 {
      var info = stat()
      guard lstat(target.path, &info) == 0, info.st_mode & S_IFMT == S_IFLNK else { return target }
      let next = try FileManager.default.destinationOfSymbolicLink(atPath: target.path)
      target =
        next.hasPrefix("/")
        ? URL(filePath: next) : target.deletingLastPathComponent().appending(path: next)
    }
    throw POSIXError(.ELOOP, userInfo: [NSFilePathErrorKey: url.path])
  }

  /// A file without a name: it is deleted when it is closed.
  static func temporary() throws -> FileHandle {
    let url = FileManager.default.temporaryDirectory.appending(path: "syncline-export-\(UUID().uuidString)")
    let file = try openFile(url, O_RDWR | O_CREAT | O_EXCL, 0o600)
    try FileManager.default.removeItem(at: url)
    return file
  }

  private static func openFile(_ url: URL, _ flags: Int32, _ permissions: mode_t = 0) throws -> FileHandle {
    let descriptor = open(url.path, flags | O_CLOEXEC, permissions)
    guard descriptor >= 0 else { throw failure(url) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// The error that the system has just reported for a file.
  private static func failure(_ url: URL) -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO, userInfo: [NSFilePathErrorKey: url.path])
  }

  /// Turns a write to a pipe without readers into an error: the signal would end the process.
  private static func withoutPipeSignal(_ write: () throws -> Void) throws {
    var (signal, former, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&signal)
    sigaddset(&signal, SIGPIPE)
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    pthread_sigmask(SIG_BLOCK, &signal, &former)
    defer {
      // If the signal arrived meanwhile, this thread caused it. It is removed before signals are unblocked.
      sigpending(&pending)
      if !wasPending, sigismember(&pending, SIGPIPE) == 1 {
        var number: Int32 = 0
        sigwait(&signal, &number)
      }
      pthread_sigmask(SIG_SETMASK, &former, nil)
    }
    try write()
  }

  /// A part of the text, not copied, for a call that writes it before it returns.
  static func data(_ part: UnsafeRawBufferPointer) -> Data {
    guard let base = UnsafeMutableRawPointer(mutating: part.baseAddress) else { return Data() }
    return Data(bytesNoCopy: base, count: part.count, deallocator: .none)
  }
}
