/// Reads and writes moments as bytes.
extension Instant {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// Reads ISO 8601, Unix time in digits, or one of the other forms. Four digits are a year, since no API means the first hours
  /// of 1970. 8, 12 or 14 digits are a day, or a day and time, if it exists.
  init?(text: Bytes) {
    let text = Instant.trim(text)
    guard let first = text.first else { return nil }
    if text.count >= 7, text[4] == UInt8(ascii: "-"), first != UInt8(ascii: "-") {
      guard let instant = Instant(iso8601: text) ?? Instant(otherForm: text) else { return nil }
      self = instant
    } else if let instant = Instant(calendarDigits: text) {
      self = instant
    } else if text.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: ".") || $0 == first }) {
      // No Unix time begins with zeros. `00000000` is the missing date of some servers.
      guard text.count < 8 || first != UInt8(ascii: "0") || text[1] == UInt8(ascii: ".") else { return nil }
      self.init(unixTime: text)
    } else {
      self.init(otherForm: text)
    }
  }

  /// Reads Unix time: seconds, milliseconds, microseconds or nanoseconds by magnitude.
  init?(unixTime text: Bytes) {
    guard let parts = NumberText.Parts(text), let whole = NumberText.integer(text)?.value else { return nil }
    let size = whole.magnitude
    let unitExponent =
      size < 100_000_000_000 ? 6 : size < 100_000_000_000_000 ? 3 : size < 100_000_000_000_000_000 ? 0 : -3
    // The digits are shifted to microseconds; further digits are dropped.
    let count = parts.digits.count + parts.scale + unitExponent
    guard count <= 19, let microseconds = parts.integer(ofDigits: count) else { return nil }
    self.init(microseconds: microseconds)
  }

  private static func trim(_ text: Bytes) -> Bytes {
    var start = 0
    var end = text.count
    while start < end, isBlank(text[start]) { start += 1 }
    while end > start, isBlank(text[end - 1]) { end -= 1 }
    return Bytes(rebasing: text[start..<end])
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  /// Reads digits only: `2021`, `20210503`, `202105031000` or `20210503100000`. Nil if the calendar has no such time.
  private init?(calendarDigits text: Bytes) {
    switch text.count {
    case 4, 8, 12, 14: break
    default: return nil
    }
    var reader = DigitReader(text)
    guard let year = reader.digits(4) else { return nil }
    var fields = Fields(year: year)
    if !reader.isAtEnd {
      guard let month = reader.digits(2), let day = reader.digits(2) else { return nil }
      (fields.month, fields.day) = (month, day)
    }
    if !reader.isAtEnd {
      guard reader.readClock(into: &fields, isBasic: true), reader.isAtEnd else { return nil }
    }
    self.init(fields)
  }

  private init?(iso8601 text: Bytes) {
    var reader = DigitReader(text)
    guard let year = reader.digits(4), reader.skip(UInt8(ascii: "-")), let month = reader.digits(2) else {
      return nil
    }
    var fields = Fields(year: year, month: month)
    if !reader.isAtEnd {
      guard reader.skip(UInt8(ascii: "-")), let day = reader.digits(2) else { return nil }
      fields.day = day
    }
    if !reader.isAtEnd {
      guard reader.skip(UInt8(ascii: "T")) || reader.skip(UInt8(ascii: "t")) || reader.skip(0x20),
        reader.readTime(into: &fields, isBasic: false)
      else { return nil }
    }
    guard reader.isAtEnd else { return nil }
    self.init(fields)
  }

  /// Writes GRDB's form, `yyyy-MM-dd HH:mm:ss.SSS`, with six digits if three would lose precision.
  func writeStored(to output: (UInt8) -> Void) {
    let fields = fields
    Instant.write(fields, separator: 0x20, to: output)
    output(UInt8(ascii: "."))
    let isWhole = fields.microsecond % 1_000 == 0
    Instant.write(
      isWhole ? fields.microsecond / 1_000 : fields.microsecond, digits: isWhole ? 3 : 6, to: output)
  }

  /// Fast path: whether stored text is the stored form of an ISO 8601 date in UTC, the usual form, without parsing either. If
  /// it returns false, they may still be equal.
  @inline(__always)
  static func isStoredForm(_ stored: Bytes, of text: Bytes) -> Bool {
    guard let stored = storedParts(stored), let text = isoParts(text) else { return false }
    return stored.0 == text.0 && stored.1 == text.1 && stored.2 == text.2 && stored.3 == text.3
  }

  /// Whether text is `yyyy-MM-dd HH:mm:ss.SSS` with a valid date and no leap second.
  static func isStoredForm(_ text: Bytes) -> Bool {
    text.count == 23 && text[17] < UInt8(ascii: "6") && Instant(stored: text) != nil
  }

  /// The parts of `yyyy-MM-dd HH:mm:ss.SSS` as integers: the day in two, the time, and the fraction.
  private static func storedParts(_ text: Bytes) -> (UInt64, UInt16, UInt64, UInt32)? {
    guard text.count == 23, let base = UnsafeRawPointer(text.baseAddress) else { return nil }
    return (
      base.loadUnaligned(as: UInt64.self), base.loadUnaligned(fromByteOffset: 8, as: UInt16.self),
      base.loadUnaligned(fromByteOffset: 11, as: UInt64.self),
      base.loadUnaligned(fromByteOffset: 19, as: UInt32.self)
    )
  }

  /// The same parts of `yyyy-MM-ddTHH:mm:ssZ` or `yyyy-MM-ddTHH:mm:ss.SSSZ`.
  static func isoParts(_ text: Bytes) -> (UInt64, UInt16, UInt64, UInt32)? {
    guard text.count == 20 || text.count == 24, let base = UnsafeRawPointer(text.baseAddress),
      text[7] == UInt8(ascii: "-"), text[10] == UInt8(ascii: "T"), text[text.count - 2] != 0x20,
      text[text.count - 1] == UInt8(ascii: "Z")
    else { return nil }
    let noFraction = UInt32(littleEndian: 0x3030_302E)
    return (
      base.loadUnaligned(as: UInt64.self), base.loadUnaligned(fromByteOffset: 8, as: UInt16.self),
      base.loadUnaligned(fromByteOffset: 11, as: UInt64.self),
      text.count == 20 ? noFraction : base.loadUnaligned(fromByteOffset: 19, as: UInt32.self)
    )
  }

  /// Writes ISO 8601 in UTC, with 0, 3 or 6 digits of a fraction.
  func writeISO8601(fractionDigits digits: Int, to output: (UInt8) -> Void) {
    let fields = fields
    Instant.write(fields, separator: UInt8(ascii: "T"), to: output)
    if digits > 0 {
      output(UInt8(ascii: "."))
      Instant.write(digits == 3 ? fields.microsecond / 1_000 : fields.microsecond, digits: digits, to: output)
    }
    output(UInt8(ascii: "Z"))
  }

  /// Writes `yyyy-MM-ddTHH:mm:ss`, with a given separator before the time.
  static func write(_ fields: Fields, separator: UInt8, to output: (UInt8) -> Void) {
    write(fields.year, digits: 4, to: output)
    output(UInt8(ascii: "-"))
    write(fields.month, digits: 2, to: output)
    output(UInt8(ascii: "-"))
    write(fields.day, digits: 2, to: output)
    output(separator)
    write(fields.hour, digits: 2, to: output)
    output(UInt8(ascii: ":"))
    write(fields.minute, digits: 2, to: output)
    output(UInt8(ascii: ":"))
    write(fields.second, digits: 2, to: output)
  }

  /// Writes a number with at least the given number of digits.
  static func write(_ value: Int, digits: Int, to output: (UInt8) -> Void) {
    var divisor = 1
    for _ in 1..<max(digits, 1) { divisor *= 10 }
    while value / divisor > 9 { divisor *= 10 }
    while divisor > 0 {
      output(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
      divisor /= 10
    }
  }

  /// The stored form as a string.
  // Not inlined into the many places that bind a date.
  var storedText: String {
    @inline(never) get { Instant.text(writeStored) }
  }

  static func text(_ write: ((UInt8) -> Void) -> Void) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    write { bytes.append($0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONWriter {
  /// Writes a stored date in ISO 8601 with milliseconds. If copying is not enough, writes nothing and returns false.
  mutating func write(storedDate text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard Instant.isStoredForm(text), let source = text.baseAddress else { return false }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 26) { buffer in
      guard let target = buffer.baseAddress else { return }
      (target + 1).initialize(from: source, count: 23)
      (target[0], target[11], target[24], target[25]) = (0x22, UInt8(ascii: "T"), UInt8(ascii: "Z"), 0x22)
      write(bytes: UnsafeBufferPointer(buffer))
    }
    return true
  }
}
