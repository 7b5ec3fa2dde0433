/// A line and a column, counted from 1.
public struct SourceLocation: Sendable, Hashable {
  /// What a column counts.
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
  /// The line and column of an offset, counted from 1. UTF-8 columns take the time of finding the line, UTF-16
  /// columns that of reading it up to the offset.
  public func location(of offset: Int, counting unit: SourceLocation.ColumnUnit = .utf8) -> SourceLocation {
    let line = lineIndex(of: offset)
    let start = lineStarts[line]
    let end = max(start, min(offset, bytes.count))
    let column =
      switch unit {
      case .utf8: end - start
      case .utf16: text(start..<end).utf16.count
      }
    return SourceLocation(line: line + 1, column: column + 1)
  }

  /// The line that an offset is in, counted from 0.
  func lineIndex(of offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}

/// A part of a file.
public struct SourceRange: Sendable, Hashable {
  /// The file.
  public let file: SourceFile
  /// The bytes of its UTF-8.
  public let offsets: Range<Int>

  /// Where it starts, in UTF-8 columns.
  public var start: SourceLocation { file.location(of: offsets.lowerBound) }
  /// Where it ends, in UTF-8 columns.
  public var end: SourceLocation { file.location(of: offsets.upperBound) }

  /// Whether both are the same bytes of the same file.
  public static func == (left: SourceRange, right: SourceRange) -> Bool {
    left.file === right.file && left.offsets == right.offsets
  }

  /// Hashes the file's identity and the offsets.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(file))
    hasher.combine(offsets)
  }

  /// Whether another range is in it.
  func contains(_ other: SourceRange) -> Bool {
    file === other.file && offsets.lowerBound <= other.offsets.lowerBound
      && other.offsets.upperBound <= offsets.upperBound
  }

  /// The text of the range.
  var text: String { file.text(offsets) }

  /// The empty range before it.
  var before: SourceRange { SourceRange(file: file, offsets: offsets.lowerBound..<offsets.lowerBound) }

  /// The empty range behind it.
  var behind: SourceRange { SourceRange(file: file, offsets: offsets.upperBound..<offsets.upperBound) }

  /// The range from the start of this to the end of another.
  func through(_ other: SourceRange) -> SourceRange {
    SourceRange(
      file: file, offsets: offsets.lowerBound..<max(offsets.lowerBound, other.offsets.upperBound))
  }
}

/// A value and where it was written.
package struct Located<Value: Sendable>: Sendable {
  package let value: Value
  package let range: SourceRange
}
