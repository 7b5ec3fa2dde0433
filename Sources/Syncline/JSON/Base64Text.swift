import Foundation

/// Reads base64: the standard or the URL-safe alphabet, padded or not.
enum Base64Text {
  /// Nil for other characters, for padding that does not complete a group of four, and for a group of one
  /// character.
  static func data(_ text: UnsafeBufferPointer<UInt8>) -> Data? {
    var count = text.count
    var padding = 0
    while padding < 2, count > 0, text[count - 1] == UInt8(ascii: "=") {
      count -= 1
      padding += 1
    }
    guard count % 4 != 1, padding == 0 || (count + padding) % 4 == 0 else { return nil }
    var data = Data(count: count / 4 * 3 + max(0, count % 4 - 1))
    let isReadable = data.withUnsafeMutableBytes { output in
      values.withUnsafeBufferPointer { values in
        decode(UnsafeBufferPointer(rebasing: text[..<count]), values, into: output)
      }
    }
    return isReadable ? data : nil
  }

  /// Decodes groups of four characters, and the last, shorter group. Returns false for other characters.
  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>, _ values: UnsafeBufferPointer<UInt8>,
    into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    var group: UInt32 = 0
    var written = 0
    // The values of characters fill six bits; other characters set the ones above.
    var found: UInt8 = 0
    for index in 0..<text.count {
      let value = values[Int(text[index])]
      found |= value
      group = group << 6 | UInt32(value & 0x3F)
      guard index & 3 == 3 else { continue }
      output[written] = UInt8(truncatingIfNeeded: group >> 16)
      output[written + 1] = UInt8(truncatingIfNeeded: group >> 8)
      output[written + 2] = UInt8(truncatingIfNeeded: group)
      written += 3
      group = 0
    }
    switch text.count % 4 {
    case 2: output[written] = UInt8(truncatingIfNeeded: group >> 4)
    case 3:
      output[written] = UInt8(truncatingIfNeeded: group >> 10)
      output[written + 1] = UInt8(truncatingIfNeeded: group >> 2)
    default: break
    }
    return found < 64
  }

  /// The value of each character; 0xFF for a character that is not in an alphabet.
  private static let values: [UInt8] = (0...UInt8.max).map { value(of: $0) ?? 0xFF }

  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
