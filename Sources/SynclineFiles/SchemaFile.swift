import Foundation

package enum SchemaFile {
  /// The text of a file, or the reason why it cannot be read.
  package static func read(_ path: String) -> Result<String, UnreadableFile> {
    // On some systems, Foundation does not report the reason, so `errno` is used.
    errno = 0
    var info = stat()
    guard stat(path, &info) == 0 else { return .failure(UnreadableFile(path: path, error: errno)) }
    // Reading a pipe would block.
    guard info.st_mode & S_IFMT == S_IFREG else {
      return .failure(UnreadableFile(path: path, "it is not a regular file"))
    }
    guard let file = fopen(path, "rb") else { return .failure(UnreadableFile(path: path, error: errno)) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      bytes += chunk[..<count]
      if count < chunk.count { break }
    }
    guard ferror(file) == 0 else { return .failure(UnreadableFile(path: path, error: errno)) }
    return text(of: bytes, from: path)
  }

  /// The text of a file's bytes, or the reason why they are not valid text.
  package static func text(of bytes: [UInt8], from path: String) -> Result<String, UnreadableFile> {
    if isUTF16(bytes) {
      return .failure(UnreadableFile(path: path, "it is UTF-16: save it as UTF-8"))
    }
    guard let text = String(bytes: bytes, encoding: .utf8) else {
      return .failure(UnreadableFile(path: path, badByteIn: bytes))
    }
    return .success(text)
  }

  /// Whether bytes are UTF-16: they begin with a byte order mark, or a third of them is NUL, since one byte of each ASCII letter
  /// is NUL. Without this check, UTF-16 would be read as UTF-8, with an error for each NUL.
  private static func isUTF16(_ bytes: [UInt8]) -> Bool {
    [[0xFF, 0xFE], [0xFE, 0xFF]].contains(Array(bytes.prefix(2))) || bytes.count { $0 == 0 } * 3 > bytes.count
  }
}

/// Thrown if a schema file cannot be read. The message has the format of a build log.
public struct UnreadableFile: Error, CustomStringConvertible {
  /// The message for the user.
  public let description: String

  init(path: String, _ reason: String) {
    description = "\(path):1:1: error: the schema file cannot be read: \(reason)"
  }

  init(path: String, error: Int32) {
    self.init(path: path, String(cString: strerror(error)))
  }

  /// Creates the error for a file that is not valid UTF-8, with the position of the first invalid byte.
  init(path: String, badByteIn bytes: [UInt8]) {
    let offset = UnreadableFile.validPrefix(of: bytes)
    let line = bytes[..<offset].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    description =
      "\(path):\(line.count):\((line.last?.count ?? 0) + 1): error: the schema file is not valid UTF-8: "
      + "byte \(offset), counted from 0, is 0x\(String(bytes[offset], radix: 16, uppercase: true))"
  }

  /// The number of valid UTF-8 bytes before the first invalid one.
  private static func validPrefix(of bytes: [UInt8]) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { offset += scalar.count }
    return min(offset, bytes.count - 1)
  }
}

/// Thrown if schema files cannot be read, with all of these files.
public struct UnreadableFiles: Error, CustomStringConvertible {
  let files: [UnreadableFile]
  /// A line for each file.
  public var description: String { files.map(\.description).joined(separator: "\n") }
}
