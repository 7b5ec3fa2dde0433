/// Reads the stored form of moments. This runs for each date of each row that is read.
extension Instant {
  /// Reads `yyyy-MM-dd HH:mm:ss` with three or six fraction digits; nil for any other text, which may still be a date.
  init?(stored text: Bytes) {
    guard text.count == 23 || text.count == 26, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      text[10] == 0x20, text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      text[19] == UInt8(ascii: ".")
    else { return nil }
    var digits = StoredDigits(text: text)
    var fields = Fields()
    fields.year = digits.pair(at: 0) * 100 + digits.pair(at: 2)
    fields.month = digits.pair(at: 5)
    fields.day = digits.pair(at: 8)
    fields.hour = digits.pair(at: 11)
    fields.minute = digits.pair(at: 14)
    fields.second = digits.pair(at: 17)
    fields.microsecond = (digits.pair(at: 20) * 10 + digits.one(at: 22)) * 1_000
    if text.count == 26 {
      fields.microsecond += digits.pair(at: 23) * 10 + digits.one(at: 25)
    }
    guard digits.areAllDigits else { return nil }
    self.init(fields)
  }
}

/// Digits at known offsets of text, all validated at once.
private struct StoredDigits {
  let text: Instant.Bytes
  fileprivate var greatest: UInt8 = 0

  var areAllDigits: Bool { greatest < 10 }

  @inline(__always)
  mutating func one(at index: Int) -> Int {
    let digit = text[index] &- UInt8(ascii: "0")
    greatest = max(greatest, digit)
    return Int(digit)
  }

  @inline(__always)
  mutating func pair(at index: Int) -> Int { one(at: index) * 10 + one(at: index + 1) }
}
