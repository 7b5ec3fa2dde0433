extension NumberText {
  /// The parts of a number: digits without leading and trailing zeros, times a power of ten. Unlike in JSON, a leading `+` and
  /// leading zeros are allowed.
  struct Parts {
    private(set) var isNegative = false
    private(set) var digits: [UInt8] = []
    private(set) var scale = 0

    init?(_ bytes: Bytes) {
      var index = 0
      if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
        isNegative = first == UInt8(ascii: "-")
        index = 1
      }
      guard appendDigits(of: bytes, at: &index) > 0 else { return nil }
      if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
        index += 1
        scale = -appendDigits(of: bytes, at: &index)
        guard scale < 0 else { return nil }
      }
      if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
        index += 1
        guard let exponent = Parts.exponent(in: bytes, at: &index) else { return nil }
        scale += exponent
      }
      guard index == bytes.count else { return nil }
      trimZeros()
    }

    /// The integer of the first digits and the sign; nil when it exceeds 64 bits. Missing digits are zeros.
    func integer(ofDigits count: Int) -> Int64? {
      // Accumulate a negative value, since the range of `Int64` has one more negative number.
      var value: Int64 = 0
      for index in 0..<max(count, 0) {
        let digit = index < digits.count ? digits[index] : 0
        let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.subtractingReportingOverflow(Int64(digit))
        if isTooLarge || carry { return nil }
        value = sum
      }
      if isNegative { return value }
      return value == .min ? nil : -value
    }

    /// Appends the digits from an index on. Returns their number.
    private mutating func appendDigits(of bytes: Bytes, at index: inout Int) -> Int {
      let start = index
      while let digit = Parts.digit(in: bytes, at: index) {
        digits.append(digit)
        index += 1
      }
      return index - start
    }

    private mutating func trimZeros() {
      while digits.last == 0 {
        digits.removeLast()
        scale += 1
      }
      let leadingZeros = digits.prefix { $0 == 0 }.count
      digits.removeFirst(leadingZeros)
      if digits.isEmpty { scale = 0 }
    }

    private static func exponent(in bytes: Bytes, at index: inout Int) -> Int? {
      var isNegative = false
      if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
        isNegative = bytes[index] == UInt8(ascii: "-")
        index += 1
      }
      guard digit(in: bytes, at: index) != nil else { return nil }
      var exponent = 0
      while let value = digit(in: bytes, at: index) {
        // An exponent with more digits is out of every range anyway.
        if exponent < 1_000_000_000 { exponent = exponent * 10 + Int(value) }
        index += 1
      }
      return isNegative ? -exponent : exponent
    }

    @inline(__always)
    private static func digit(in bytes: Bytes, at index: Int) -> UInt8? {
      guard index < bytes.count else { return nil }
      let value = bytes[index] &- UInt8(ascii: "0")
      return value < 10 ? value : nil
    }
  }
}
