#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Text of validated JSON bytes.
enum JSONText {
  @inline(__always)
  static func equal(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return true }
    return memcmp(leftBase, rightBase, left.count) == 0
  }

  static func string(_ content: UnsafeBufferPointer<UInt8>) -> String {
    String(decoding: content, as: UTF8.self)
  }

  /// Calls the body with a string's content, its escapes resolved.
  static func withUnescaped<Result>(
    _ content: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    // Every escape is at least as long as the UTF-8 it stands for.
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
      // What is before the next escape is copied as it is.
      let rest = content.count - index
      let plainCount = memchr(source + index, Int32(UInt8(ascii: "\\")), rest)
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

  /// The scalar of a `\u` escape whose digits start at the index, both halves of a surrogate pair together.
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
    return Unicode.Scalar(0x10000 + (UInt32(high) & 0x3FF) << 10 + UInt32(low) & 0x3FF) ?? replacement
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
