import Foundation

/// The files that exports write.
enum ExportFile {
  /// Writes a file beside its place, and puts it there when it is whole.
  static func replace(_ url: URL, _ write: (@escaping JSONWriter.Drain) throws -> Void) throws {
    guard url.isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme, userInfo: [NSURLErrorKey: url]) }
    let part = url.deletingLastPathComponent().appending(
      path: ".\(url.lastPathComponent).\(UUID().uuidString)")
    let file = try create(part)
    do {
      try write { try file.write(contentsOf: data($0)) }
      try file.synchronize()
      try file.close()
      guard rename(part.path, url.path) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
    } catch {
      try? FileManager.default.removeItem(at: part)
      throw error
    }
  }

  /// A file without a name: it goes when it is closed.
  static func temporary() throws -> FileHandle {
    let url = FileManager.default.temporaryDirectory.appending(path: "syncline-export-\(UUID().uuidString)")
    let file = try create(url, permissions: 0o600)
    try FileManager.default.removeItem(at: url)
    return file
  }

  private static func create(_ url: URL, permissions: mode_t = 0o666) throws -> FileHandle {
    let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
    guard descriptor >= 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO, userInfo: [NSFilePathErrorKey: url.path])
    }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// A part of the text for a call that writes it before it returns.
  static func data(_ part: UnsafeRawBufferPointer) -> Data {
    guard let base = UnsafeMutableRawPointer(mutating: part.baseAddress) else { return Data() }
    return Data(bytesNoCopy: base, count: part.count, deallocator: .none)
  }
}
