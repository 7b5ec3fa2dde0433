/// Properties of a string that may be a number, a date, or neither.
struct DigitText {
  /// Whether it is a number, or consists of digits and points with an optional sign, as a version does.
  let isNumeric: Bool
  /// Whether it is a decimal number in canonical form: without a plus sign, an exponent or leading zeros.
  let isNumber: Bool
  /// Whether it may be a date: `24.12.2025`.
  let isDay: Bool
  let points: Int
  /// The number of bytes after the last point.
  let fractionDigits: Int

  /// The maximum number of bytes for which a `Decimal` keeps all digits.
  private static let byteLimit = 38

  init(_ text: String) {
    let isSigned = text.hasPrefix("+") || text.hasPrefix("-")
    let parts = text.dropFirst(isSigned ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
      part.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
    let areWhole = areDigits && parts.allSatisfy { !$0.isEmpty }
    let hasZeros = (parts.first?.utf8.count ?? 0) > 1 && parts.first?.first == "0"
    points = parts.count - 1
    fractionDigits = points > 0 ? parts.last?.utf8.count ?? 0 : 0
    isNumeric = (areDigits && parts.contains { !$0.isEmpty }) || Double(text) != nil
    isNumber =
      areWhole && parts.count <= 2 && !hasZeros && !text.hasPrefix("+")
      && text.utf8.count <= DigitText.byteLimit
    isDay = areWhole && !isSigned && parts.count == 3 && parts.last?.utf8.count == 4
  }
}
