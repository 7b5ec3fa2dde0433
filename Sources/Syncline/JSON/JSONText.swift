import Foundation

/// Strings in validated JSON bytes.
enum JSONText {
  @inline(__always)
  static func equal(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return true }
    return memcmp(leftBase, rightBase, left.count) == 0
  }

  /// Orders shorter strings first, and those of one length by their bytes. The result is negative, zero or positive.
  static func order(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
    guard left.count == right.count, let leftBase = left.baseAddress, let rightBase = right.baseAddress
    else { return left.count - right.count }
    return Int(memcmp(leftBase, rightBase, left.count))
  }

  static func isASCII(_ text: UnsafeBufferPointer<UInt8>) -> Bool { text.allSatisfy { $0 < 0x80 } }

  static func string(_ content: UnsafeBufferPointer<UInt8>) -> String {
    String(decoding: content, as: UTF8.self)
  }

  /// The number of bytes from an offset that are ASCII without control characters, quotes and backslashes. Counts whole words
  /// of eight bytes.
  @inline(__always)
  static func plainPrefix(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    guard let base = UnsafeRawPointer(bytes.baseAddress) else { return 0 }
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    var offset = start
    while offset + 8 <= bytes.count {
      let word = UInt64(littleEndian: (base + offset).loadUnaligned(as: UInt64.self))
      let quotes = word ^ (ones &* 0x22)
      let backslashes = word ^ (ones &* 0x5C)
      let special =
        ((word &- ones &* 0x20) | (quotes &- ones) | (backslashes &- ones) | word) & tops
      // A borrow can only flag a byte above one that is special itself, so the lowest flag is exact.
      if special != 0 { return offset - start + (special.trailingZeroBitCount >> 3) }
      offset += 8
    }
    return offset - start
  }

  /// The length of a character of two to four bytes; 0 for an overlong form, a surrogate, a value above U+10FFFF, or a
  /// truncated character.
  @inline(__always)
  static func sequenceLength(_ bytes: UnsafePointer<UInt8>, limit: Int) -> Int {
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch bytes[0] {
    case 0xC2...0xDF: length = 2
    case 0xE0:
      length = 3
      second = 0xA0...0xBF
    case 0xED:
      length = 3
      second = 0x80...0x9F
    case 0xE1...0xEF: length = 3
    case 0xF0:
      length = 4
      second = 0x90...0xBF
    case 0xF1...0xF3: length = 4
    case 0xF4:
      length = 4
      second = 0x80...0x8F
    default: return 0
    }
    guard length <= limit, second.contains(bytes[1]) else { return 0 }
    for index in 2..<max(length, 2) where bytes[index] & 0xC0 != 0x80 { return 0 }
    return length
  }

  /// Calls the body with a string's content, its escapes resolved.
  static func withUnescaped<Result>(
    _ content: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    // Every escape is at least as long as the UTF-8 it encodes.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(content.count, 1)) { output in
      let count = unescape(content, into: output)
      return body(UnsafeBufferPointer(rebasing: output[..<count]))
    }
  }

  private static func unescape(
    _ content: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    guard let source = content.baseAddress, let target = output.baseAddress else { return 0 }
    var written = 0
    var index = 0
    while index < content.count {
      // Copies the bytes before the next escape unchanged.
      let rest = content.count - index
      let plainCount =
        memchr(source + index, Int32(UInt8(ascii: "\\")), rest)
        .map { UnsafeRawPointer($0) - UnsafeRawPointer(source + index) } ?? rest
      memcpy(target + written, source + index, plainCount)
      written += plainCount
      index += plainCount + 1
      guard index < content.count else { break }
      let escape = content[index]
      index += 1
      var plain = escape
      switch escape {
      case UInt8(ascii: "b"): plain = 0x08
      case UInt8(ascii: "f"): plain = 0x0C
      case UInt8(ascii: "n"): plain = 0x0A
      case UInt8(ascii: "r"): plain = 0x0D
      case UInt8(ascii: "t"): plain = 0x09
      case UInt8(ascii: "u"):
        for unit in UTF8.encode(scalar(in: content, at: &index)) ?? UTF8.encodedReplacementCharacter {
          output[written] = unit
          written += 1
        }
        continue
      default: break
      }
      output[written] = plain
      written += 1
    }
    return written
  }

  /// The scalar of a `\u` escape whose digits start at the index. A surrogate pair is read as one scalar.
  private static func scalar(in content: UnsafeBufferPointer<UInt8>, at index: inout Int) -> Unicode.Scalar {
    let replacement: Unicode.Scalar = "\u{FFFD}"
    guard let high = codeUnit(in: content, at: index) else { return replacement }
    index += 4
    guard high & 0xFC00 == 0xD800 else { return Unicode.Scalar(UInt32(high)) ?? replacement }
    guard index + 6 <= content.count, content[index] == UInt8(ascii: "\\"),
      content[index + 1] == UInt8(ascii: "u"),
      let low = codeUnit(in: content, at: index + 2), low & 0xFC00 == 0xDC00
    else { return replacement }
    index += 6
    let upperBits = UInt32(high & 0x3FF)
    let lowerBits = UInt32(low & 0x3FF)
    return Unicode.Scalar(0x10000 + (upperBits << 10 | lowerBits)) ?? replacement
  }

  private static func codeUnit(in content: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt16? {
    guard index + 4 <= content.count else { return nil }
    var unit: UInt16 = 0
    for offset in 0..<4 {
      guard let digit = hexadecimalValue(content[index + offset]) else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
