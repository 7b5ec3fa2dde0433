import Foundation

/// Reading a schema file.
package enum SchemaFile {
  /// The text of a file, or why there is none.
  package static func read(_ path: String) -> Result<String, UnreadableFile> {
    // Foundation does not say why it could not read a file on all systems.
    errno = 0
    var info = stat()
    guard stat(path, &info) == 0 else { return .failure(UnreadableFile(path: path, error: errno)) }
    // A pipe would be waited for.
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

  /// The text of the bytes of a file, or why they are none.
  package static func text(of bytes: [UInt8], from path: String) -> Result<String, UnreadableFile> {
    if isUTF16(bytes) {
      return .failure(UnreadableFile(path: path, "it is UTF-16: save it as UTF-8"))
    }
    guard let text = String(bytes: bytes, encoding: .utf8) else {
      return .failure(UnreadableFile(path: path, badByteIn: bytes))
    }
    return .success(text)
  }

  /// Whether bytes are UTF-16: they begin with its mark, or a third of them is NUL, as the second byte of each letter in
  /// ASCII. Without the mark such bytes are UTF-8, of which each NUL would be an error of its own.
  private static func isUTF16(_ bytes: [UInt8]) -> Bool {
    [[0xFF, 0xFE], [0xFE, 0xFF]].contains(Array(bytes.prefix(2))) || bytes.count { $0 == 0 } * 3 > bytes.count
  }
}

/// A schema file that could not be read, as a line for a build log says it.
public struct UnreadableFile: Error, CustomStringConvertible {
  /// The sentence for a user.
  public let description: String

  init(path: String, _ reason: String) {
    description = "\(path):1:1: error: the schema file cannot be read: \(reason)"
  }

  init(path: String, error: Int32) {
    self.init(path: path, String(cString: strerror(error)))
  }

  /// A file that is no UTF-8, with the place of the first byte that is none.
  init(path: String, badByteIn bytes: [UInt8]) {
    let offset = UnreadableFile.validPrefix(of: bytes)
    let line = bytes[..<offset].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    description =
      "\(path):\(line.count):\((line.last?.count ?? 0) + 1): error: the schema file is not valid UTF-8: "
      + "byte \(offset), counted from 0, is 0x\(String(bytes[offset], radix: 16, uppercase: true))"
  }

  /// How many bytes are UTF-8 before the first that is not.
  private static func validPrefix(of bytes: [UInt8]) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { offset += scalar.count }
    return min(offset, bytes.count - 1)
  }
}

/// All schema files of a run that could not be read.
public struct UnreadableFiles: Error, CustomStringConvertible {
  let files: [UnreadableFile]
  /// A line for each file.
  public var description: String { files.map(\.description).joined(separator: "\n") }
}
