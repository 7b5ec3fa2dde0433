import Foundation

/// A JSON number, kept as it was written: no digit is lost.
///
/// Two numbers are equal when their values are, however they are written.
public struct SyncNumber: Sendable, Hashable, CustomStringConvertible {
  /// The digits, in the grammar of JSON.
  public let text: String

  init(verified text: String) {
    self.text = text
  }

  /// An integer, of as many digits as it has.
  public init(_ value: some BinaryInteger) {
    text = String(value)
  }

  /// A number of the fewest digits that give the same double; nil for a value that is not finite, which JSON cannot hold.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    if let integer = Int64(exactly: value), integer.magnitude < 1 << 53 {
      text = String(integer)
    } else {
      text = "\(value)"
    }
  }

  /// A number of all digits of a decimal; nil for one that is not finite, which JSON cannot hold.
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
