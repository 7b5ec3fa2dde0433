/// The 64-bit FNV-1a hash. Unlike Swift's `Hasher`, it has the same result in each process and on each platform.
package struct StableHash {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package mutating func add(_ texts: String...) {
    for text in texts {
      for byte in text.utf8 { add(byte) }
      // This byte never occurs in UTF-8, so it separates the strings.
      add(0xff)
    }
  }

  private mutating func add(_ byte: UInt8) {
    state = (state ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  package var text: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
