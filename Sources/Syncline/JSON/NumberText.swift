import Foundation

/// Reads numbers from the bytes of JSON numbers and of strings in the same grammar.
enum NumberText {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  struct Integer {
    var value: Int64
    /// Whether digits after the point were dropped.
    var isTruncated: Bool
    var exact: Int64? { isTruncated ? nil : value }
  }

  /// An integer without a fraction or exponent, the usual form; nil when it exceeds 64 bits.
  @inline(__always)
  static func plainInteger(_ bytes: Bytes) -> Int64? {
    var index = 0
    var isNegative = false
    guard let first = bytes.first else { return nil }
    if first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      isNegative = first == UInt8(ascii: "-")
      index = 1
    }
    guard index < bytes.count else { return nil }
    var value: Int64 = 0
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.subtractingReportingOverflow(Int64(digit))
      if overflow || carry { return nil }
      value = sum
      index += 1
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  /// The integer part of a number, truncated toward zero; nil when it exceeds 64 bits.
  static func integer(_ bytes: Bytes) -> Integer? {
    if let value = plainInteger(bytes) { return Integer(value: value, isTruncated: false) }
    guard let parts = Parts(bytes) else { return nil }
    // digits × 10^scale, without leading and trailing zeros in the digits.
    if parts.digits.isEmpty { return Integer(value: 0, isTruncated: false) }
    let (integerDigits, overflow) = parts.digits.count.addingReportingOverflow(parts.scale)
    if overflow { return parts.scale > 0 ? nil : Integer(value: 0, isTruncated: true) }
    if integerDigits > 19 { return nil }
    return parts.integer(ofDigits: integerDigits).map {
      Integer(value: $0, isTruncated: integerDigits < parts.digits.count)
    }
  }

  /// The nearest double; nil when it is not finite.
  static func double(_ bytes: Bytes) -> Double? {
    if let value = shortDouble(bytes) { return value }
    guard let value = Double(JSONText.string(bytes)), value.isFinite else { return nil }
    return value
  }

  /// A double of at most 15 digits and a small power of ten, for which one division gives the exact result.
  private static func shortDouble(_ bytes: Bytes) -> Double? {
    guard bytes.count <= 17 else { return nil }
    var mantissa: UInt64 = 0
    var digits = 0
    var fraction = 0
    var hasPoint = false
    let isNegative = bytes.first == UInt8(ascii: "-")
    for byte in bytes.dropFirst(isNegative ? 1 : 0) {
      let digit = byte &- UInt8(ascii: "0")
      if digit < 10 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        digits += 1
        if hasPoint { fraction += 1 }
      } else if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else {
        return nil
      }
    }
    guard (1...15).contains(digits) else { return nil }
    let value = Double(mantissa) / powersOfTen[fraction]
    return isNegative ? -value : value
  }

  /// Whether a number is written in the shortest form of its double: a few digits with a point between them, the last one not
  /// zero. No two such numbers of at most 15 digits give the same double.
  static func isShortest(_ bytes: Bytes) -> Bool {
    guard bytes.count <= 16, let last = bytes.last, last != UInt8(ascii: "0") else { return false }
    let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
    guard let point = digits.firstIndex(of: UInt8(ascii: ".")), point > digits.startIndex,
      point < bytes.count - 1
    else { return false }
    let isDigits = digits.allSatisfy { $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: ".") }
    // Swift writes values below 0.0001 with an exponent.
    let isSmall =
      digits.first == UInt8(ascii: "0")
      && digits.dropFirst(2).prefix(3).allSatisfy { $0 == UInt8(ascii: "0") }
    return isDigits && !isSmall
  }

  private static let powersOfTen: [Double] = (0...15).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  /// The decimal exactly as written; nil when its digits or exponent exceed a `Decimal`.
  static func decimal(_ bytes: Bytes) -> Decimal? {
    guard let parts = Parts(bytes) else { return nil }
    if parts.digits.isEmpty { return 0 }
    guard parts.digits.count <= 39, (-128...127).contains(parts.scale) else { return nil }
    var mantissa = Decimal(0)
    for digit in parts.digits { mantissa = mantissa * 10 + Decimal(Int(digit)) }
    let value = Decimal(sign: parts.isNegative ? .minus : .plus, exponent: parts.scale, significand: mantissa)
    guard value.isFinite else { return nil }
    if parts.digits.count <= 38 { return value }
    // Some numbers of 39 digits fit.
    guard var text = SyncNumber(value)?.text else { return nil }
    return text.withUTF8 { isSame($0, bytes) } ? value : nil
  }

  /// Whether two numbers have the same value, however they are written.
  static func isSame(_ left: Bytes, _ right: Bytes) -> Bool {
    guard let left = Parts(left), let right = Parts(right), left.digits == right.digits else { return false }
    return left.digits.isEmpty || (left.isNegative == right.isNegative && left.scale == right.scale)
  }

  /// The digits of a whole number without a fraction or exponent: `1e2` gives `100`. Nil for a fraction, and
  /// for more digits than ``wholeDigitLimit``.
  static func wholeText(_ bytes: Bytes) -> String? {
    guard let parts = Parts(bytes) else { return nil }
    if parts.digits.isEmpty { return "0" }
    guard parts.scale >= 0, parts.digits.count + parts.scale <= wholeDigitLimit else { return nil }
    let zero = UInt8(ascii: "0")
    let digits = parts.digits.map { zero + $0 } + Array(repeating: zero, count: parts.scale)
    return (parts.isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
  }

  /// More digits than any realistic whole number has.
  private static let wholeDigitLimit = 64
}
