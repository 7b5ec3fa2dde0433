/// A line and a column, counted from 1.
public struct SourceLocation: Sendable, Hashable {
  /// The unit of columns.
  public enum ColumnUnit: Sendable {
    /// Bytes, as compilers count in build logs.
    case utf8
    /// Code units of UTF-16, as editors count.
    case utf16
  }

  /// The line, counted from 1.
  public let line: Int
  /// The column, counted from 1.
  public let column: Int
}

extension SourceFile {
  /// The line and column of an offset, counted from 1. A UTF-8 column only requires finding the line. A
  /// UTF-16 column requires reading the line up to the offset, unless the file is ASCII.
  public func location(of offset: Int, counting unit: SourceLocation.ColumnUnit = .utf8) -> SourceLocation {
    let line = lineIndex(of: offset)
    let start = lineStarts[line]
    let end = max(start, min(offset, bytes.count))
    let column =
      switch unit {
      case .utf8: end - start
      // Count each byte that begins a character, and one more for a four-byte character.
      case .utf16 where isASCII: end - start
      case .utf16: bytes[start..<end].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
      }
    return SourceLocation(line: line + 1, column: column + 1)
  }

  /// The line that contains an offset, counted from 0.
  package func lineIndex(of offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}

extension SourceFile {
  /// A part of the file; the offsets must be in it.
  @inline(never)
  package func range(_ offsets: Range<Int>) -> SourceRange { SourceRange(file: self, offsets: offsets) }
}

/// A part of a file.
public struct SourceRange: Sendable, Hashable {
  /// The file.
  public let file: SourceFile
  /// The range of its UTF-8 bytes.
  public let offsets: Range<Int>

  package init(file: SourceFile, offsets: Range<Int>) {
    self.file = file
    self.offsets = offsets
  }

  /// Where it starts, in UTF-8 columns.
  public var start: SourceLocation { file.location(of: offsets.lowerBound) }
  /// Where it ends, in UTF-8 columns.
  public var end: SourceLocation { file.location(of: offsets.upperBound) }

  /// Whether both are the same bytes of the same file object.
  public static func == (left: SourceRange, right: SourceRange) -> Bool {
    left.file === right.file && left.offsets == right.offsets
  }

  /// Hashes the file's identity and the offsets.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(file))
    hasher.combine(offsets)
  }

  package func contains(_ other: SourceRange) -> Bool {
    file === other.file && offsets.lowerBound <= other.offsets.lowerBound
      && other.offsets.upperBound <= offsets.upperBound
  }

  package var text: String { file.text(offsets) }

  /// The empty range at its start.
  package var before: SourceRange { file.range(offsets.lowerBound..<offsets.lowerBound) }

  /// The empty range at its end.
  package var behind: SourceRange { file.range(offsets.upperBound..<offsets.upperBound) }

  /// The range from the start of this one to the end of another.
  @inline(never)
  package func through(_ other: SourceRange) -> SourceRange {
    file.range(offsets.lowerBound..<max(offsets.lowerBound, other.offsets.upperBound))
  }
}

/// A value and its range in the source.
package struct Located<Value: Sendable>: Sendable {
  package let value: Value
  package let range: SourceRange
}
