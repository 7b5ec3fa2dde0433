/// Rare forms of dates: all but extended ISO 8601 and Unix time.
extension Instant {
  /// Reads basic ISO 8601, week and ordinal dates, RFC 1123, and the form of ASP.NET.
  init?(otherForm text: Bytes) {
    guard
      let instant = Instant.iso(text, day: Instant.week) ?? Instant.iso(text, day: Instant.ordinal)
        ?? Instant.iso(text, day: Instant.basic) ?? Instant.rfc1123(text) ?? Instant.aspNET(text)
    else { return nil }
    self = instant
  }

  private init?(_ year: Int, _ month: Int, _ day: Int) {
    self.init(Fields(year: year, month: month, day: day))
  }

  /// The moment after adding a number of days.
  private func adding(days: Int) -> Instant? {
    Instant(microseconds: microseconds + Int64(days) * 86_400_000_000)
  }

  // MARK: ISO 8601

  /// Reads a day in one of the forms, and the time after it.
  private static func iso(_ text: Bytes, day: (inout DigitReader) -> Instant?) -> Instant? {
    var reader = DigitReader(text)
    guard let start = day(&reader) else { return nil }
    if reader.isAtEnd { return start }
    var fields = start.fields
    guard reader.skip(UInt8(ascii: "T")) || reader.skip(UInt8(ascii: "t")) || reader.skip(0x20),
      reader.readTime(into: &fields, isBasic: reader.isBasicTime), reader.isAtEnd
    else { return nil }
    return Instant(fields)
  }

  /// `2013-W02-4`, `2013W024`, or a week without a day, which means its Monday.
  private static func week(_ reader: inout DigitReader) -> Instant? {
    guard let year = reader.digits(4) else { return nil }
    let isExtended = reader.skip(UInt8(ascii: "-"))
    guard reader.skip(UInt8(ascii: "W")), let week = reader.digits(2) else { return nil }
    var day = 1
    if isExtended ? reader.skip(UInt8(ascii: "-")) : reader.isAtDigit {
      guard let written = reader.digits(1) else { return nil }
      day = written
    }
    // The first week contains the fourth of January. A year has 53 weeks if it begins on a Thursday, or if it is a leap year
    // and begins on a Wednesday.
    guard let fourth = Instant(year, 1, 4), (1...7).contains(day) else { return nil }
    let weekday = (fourth.weekday + 6) % 7
    let isLong = weekday == 6 || (weekday == 5 && Fields.days(inMonth: 2, of: year) == 29)
    guard (1...(isLong ? 53 : 52)).contains(week) else { return nil }
    return fourth.adding(days: (week - 1) * 7 + day - 1 - weekday)
  }

  /// `2013-010`, the tenth day of a year.
  private static func ordinal(_ reader: inout DigitReader) -> Instant? {
    guard let year = reader.digits(4), reader.skip(UInt8(ascii: "-")), let day = reader.digits(3),
      let first = Instant(year, 1, 1), (1...(337 + Fields.days(inMonth: 2, of: year))).contains(day)
    else { return nil }
    return first.adding(days: day - 1)
  }

  /// `20130110` with a time after it. Without a time, it is read as calendar digits.
  private static func basic(_ reader: inout DigitReader) -> Instant? {
    guard let year = reader.digits(4), let month = reader.digits(2), let day = reader.digits(2),
      !reader.isAtEnd
    else { return nil }
    return Instant(year, month, day)
  }

  // MARK: Others

  /// `Tue, 15 Nov 1994 08:12:31 GMT`, as in HTTP and mail. The day of the week is not checked.
  private static func rfc1123(_ text: Bytes) -> Instant? {
    var reader = DigitReader(text)
    if !reader.isAtDigit {
      guard reader.name(of: DatePattern.weekdays, isShort: true) != nil else { return nil }
      _ = reader.skip(UInt8(ascii: ","))
      guard reader.skip(0x20) else { return nil }
    }
    guard let day = reader.digits(upTo: 2), reader.skip(0x20),
      let month = reader.name(of: DatePattern.months, isShort: true), reader.skip(0x20),
      let year = reader.digits(4), reader.skip(0x20)
    else { return nil }
    var fields = Fields(year: year, month: month + 1, day: day)
    guard reader.readClock(into: &fields, isBasic: false) else { return nil }
    if !reader.isAtEnd {
      guard reader.skip(0x20) else { return nil }
      let named = zones.first { reader.skip(word: $0.name) }
      guard let offset = named.map({ $0.hours * 3_600 }) ?? reader.zone() else { return nil }
      fields.offsetSeconds = offset
    }
    return reader.isAtEnd ? Instant(fields) : nil
  }

  /// The zones with names in mail.
  private static let zones: [(name: String, hours: Int)] = [
    ("GMT", 0), ("UTC", 0), ("UT", 0), ("EST", -5), ("EDT", -4), ("CST", -6), ("CDT", -5), ("MST", -7),
    ("MDT", -6), ("PST", -8), ("PDT", -7),
  ]

  /// `/Date(1230800000000)/`: milliseconds, and a zone that is ignored.
  private static func aspNET(_ text: Bytes) -> Instant? {
    let (prefix, suffix) = (Array("/Date(".utf8), Array(")/".utf8))
    guard text.count > prefix.count + suffix.count, text.starts(with: prefix),
      text.suffix(suffix.count).elementsEqual(suffix)
    else { return nil }
    let inner = Bytes(rebasing: text[prefix.count..<(text.count - suffix.count)])
    let end =
      inner.dropFirst().firstIndex { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") } ?? inner.count
    var zone = DigitReader(Bytes(rebasing: inner[end...]))
    guard zone.isAtEnd || (zone.zone() != nil && zone.isAtEnd), inner[0] != UInt8(ascii: "+"),
      let milliseconds = NumberText.plainInteger(Bytes(rebasing: inner[..<end]))
    else { return nil }
    let (microseconds, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000)
    return overflow ? nil : Instant(microseconds: microseconds)
  }
}

extension DigitReader {
  var isAtDigit: Bool { next.map { $0 &- UInt8(ascii: "0") < 10 } ?? false }

  /// Whether a time without colons is next.
  fileprivate var isBasicTime: Bool {
    var ahead = self
    return ahead.digits(2) != nil && ahead.isAtDigit
  }

  /// A time of day, and the zone after it: an offset, ` UTC` or ` GMT`.
  mutating func readTime(into fields: inout Instant.Fields, isBasic: Bool) -> Bool {
    guard readClock(into: &fields, isBasic: isBasic) else { return false }
    if isAtEnd { return true }
    let hasBlank = skip(0x20)
    let start = index
    // After an invalid offset, no name of a zone is read: `+99UTC` is unreadable.
    guard let offset = zone() else { return hasBlank && index == start && skipZoneName() }
    fields.offsetSeconds = offset
    if isAtEnd { return true }
    // The offset decides; a name after it is only skipped.
    return skip(0x20) ? skipZoneName() : skipSuffixes()
  }

  mutating func skipZoneName() -> Bool { skip(word: "UTC") || skip(word: "GMT") }

  /// Moves past the suffixes of RFC 9557, `[Europe/Berlin][u-ca=gregory]`. Returns false if anything else follows.
  private mutating func skipSuffixes() -> Bool {
    while skip(UInt8(ascii: "[")) {
      let start = index
      while let byte = next, byte != UInt8(ascii: "]") {
        guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "[") else { return false }
        advance()
      }
      guard index > start, skip(UInt8(ascii: "]")) else { return false }
    }
    return isAtEnd
  }

  /// `08:12`, `08:12:31`, `08:12:31.5`, or without colons.
  mutating func readClock(into fields: inout Instant.Fields, isBasic: Bool) -> Bool {
    let colon = UInt8(ascii: ":")
    guard let hour = digits(2), isBasic || skip(colon), let minute = digits(2) else { return false }
    (fields.hour, fields.minute) = (hour, minute)
    guard isBasic ? isAtDigit : skip(colon) else { return true }
    guard let second = digits(2) else { return false }
    fields.second = second
    guard skip(UInt8(ascii: ".")) || skip(UInt8(ascii: ",")) else { return true }
    guard let microsecond = fraction() else { return false }
    fields.microsecond = microsecond
    return true
  }
}
