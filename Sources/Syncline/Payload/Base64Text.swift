import Foundation

/// Reads base64: the standard or the URL-safe alphabet, padded or not.
enum Base64Text {
  /// Nil for other characters, padding that does not complete a group of four, and a group of one character.
  static func data(_ text: UnsafeBufferPointer<UInt8>) -> Data? {
    var count = text.count
    var padding = 0
    while padding < 2, count > 0, text[count - 1] == UInt8(ascii: "=") {
      count -= 1
      padding += 1
    }
    guard count % 4 != 1, padding == 0 || (count + padding) % 4 == 0 else { return nil }
    var data = Data(capacity: count / 4 * 3 + 2)
    var group: UInt32 = 0
    for index in 0..<count {
      guard let value = value(of: text[index]) else { return nil }
      group = group << 6 | UInt32(value)
      guard index & 3 == 3 else { continue }
      data.append(UInt8(truncatingIfNeeded: group >> 16))
      data.append(UInt8(truncatingIfNeeded: group >> 8))
      data.append(UInt8(truncatingIfNeeded: group))
      group = 0
    }
    switch count % 4 {
    case 2: data.append(UInt8(truncatingIfNeeded: group >> 4))
    case 3:
      data.append(UInt8(truncatingIfNeeded: group >> 10))
      data.append(UInt8(truncatingIfNeeded: group >> 2))
    default: break
    }
    return data
  }

  @inline(__always)
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
