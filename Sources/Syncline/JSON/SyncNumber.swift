import Foundation

/// A JSON number as written, without loss of digits.
///
/// Two numbers are equal when their values are equal, regardless of their notation.
public struct SyncNumber: Sendable, Hashable, CustomStringConvertible {
  /// The number in JSON's grammar.
  public let text: String

  init(verified text: String) {
    self.text = text
  }

  /// Creates a number from an integer of any size.
  public init(_ value: some BinaryInteger) {
    text = String(value)
  }

  /// Creates a number with the fewest digits that give the same double; nil if the value is not finite, which JSON cannot
  /// represent.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = SyncNumber.integer(writtenFor: value).map { String($0) } ?? "\(value)"
  }

  /// The integer that is written for a double without a fraction; nil if the double is written as such.
  static func integer(writtenFor double: Double) -> Int64? {
    guard let integer = Int64(exactly: double), integer.magnitude < 1 << 53 else { return nil }
    return integer
  }

  /// Creates a number with all digits of a decimal; nil if the value is not finite, which JSON cannot represent.
  public init?(_ value: Decimal) {
    guard value.isFinite else { return nil }
    text = NSDecimalNumber(decimal: value).description(withLocale: Locale(identifier: "en_US_POSIX"))
  }

  /// The exact integer, or nil if the value has a fraction or exceeds 64 bits. `42.0` and `1e2` are integers.
  public var integer: Int64? {
    var text = text
    return text.withUTF8 { NumberText.integer($0)?.exact }
  }

  /// The nearest double; infinite if the value exceeds its range.
  public var double: Double {
    Double(text) ?? 0
  }

  public var description: String { text }

  public static func == (left: SyncNumber, right: SyncNumber) -> Bool {
    if left.text == right.text { return true }
    var (left, right) = (left.text, right.text)
    return left.withUTF8 { left in right.withUTF8 { NumberText.isSame(left, $0) } }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(double)
  }
}
