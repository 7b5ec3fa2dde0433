/// A schema file: its path and its text. Positions are UTF-8 offsets.
public final class SourceFile: Sendable {
  /// The path as diagnostics show it.
  public let path: String
  /// The path relative to the searched folder. It determines the name of the generated file, so files with the same name in two
  /// folders have different outputs.
  public let relativePath: String
  /// The whole text.
  public let text: String
  package let bytes: [UInt8]
  package let lineStarts: [Int]
  let isASCII: Bool

  /// Makes a file from its text. Without a relative path, `path` is used.
  public init(path: String, relativePath: String? = nil, text: String) {
    self.path = path
    self.relativePath = relativePath ?? path
    self.text = text
    let bytes = Array(text.utf8)
    self.bytes = bytes
    // A byte order mark precedes the first line.
    var lineStarts = [bytes.starts(with: SourceFile.byteOrderMark) ? 3 : 0]
    let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    // A plain loop: users build the compiler without optimisation, where a closure call per byte is slow.
    var index = 0
    var isASCII = true
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte >= 0x80 { isASCII = false }
      // A line ends in LF, CR or both.
      let isCarriageReturn = byte == carriageReturn && (index == bytes.count || bytes[index] != lineFeed)
      if byte == lineFeed || isCarriageReturn { lineStarts.append(index) }
    }
    self.lineStarts = lineStarts
    self.isASCII = isASCII
  }

  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The file name without folders.
  package var name: String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  @inline(never)
  package func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}
