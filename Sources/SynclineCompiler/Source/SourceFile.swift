/// A schema file: its path and its text. Positions are offsets in the UTF-8 of the text.
public final class SourceFile: Sendable {
  public let path: String
  public let text: String
  let bytes: [UInt8]
  private let lineStarts: [Int]
  private let isASCII: Bool

  public init(path: String, text: String) {
    self.path = path
    self.text = text
    let bytes = Array(text.utf8)
    self.bytes = bytes
    // A byte order mark stands before the first line.
    var lineStarts = [bytes.starts(with: SourceFile.byteOrderMark) ? 3 : 0]
    var allBits: UInt8 = 0
    let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    // A plain loop: users build the compiler without optimisation, where a closure for each byte is dear.
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      allBits |= byte
      // A line ends in LF, CR or both.
      let isCarriageReturn = byte == carriageReturn && (index == bytes.count || bytes[index] != lineFeed)
      if byte == lineFeed || isCarriageReturn { lineStarts.append(index) }
    }
    self.lineStarts = lineStarts
    isASCII = allBits < 0x80
  }

  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The name of the file without folders and extension.
  public var baseName: String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.split(separator: ".").first.map(String.init) ?? name
  }

  /// The line and column of an offset, counted from 1. A column is one character as people count them.
  func location(of offset: Int) -> SourceLocation {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    let start = lineStarts[low]
    let end = max(start, min(offset, bytes.count))
    return SourceLocation(line: low + 1, column: (isASCII ? end - start : text(start..<end).count) + 1)
  }

  /// The text of a line without its end, counted from 1.
  func line(_ number: Int) -> String {
    let start = lineStarts[number - 1]
    var end = number < lineStarts.count ? lineStarts[number] : bytes.count
    while end > start, bytes[end - 1] == UInt8(ascii: "\n") || bytes[end - 1] == UInt8(ascii: "\r") {
      end -= 1
    }
    return text(start..<end)
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}

/// A line and a column, counted from 1.
public struct SourceLocation: Sendable, Hashable {
  public let line: Int
  public let column: Int
}

/// A part of a file.
public struct SourceRange: Sendable, Hashable {
  public let file: SourceFile
  public let offsets: Range<Int>

  public var start: SourceLocation { file.location(of: offsets.lowerBound) }
  public var end: SourceLocation { file.location(of: offsets.upperBound) }

  public static func == (left: SourceRange, right: SourceRange) -> Bool {
    left.file === right.file && left.offsets == right.offsets
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(file))
    hasher.combine(offsets)
  }
}
