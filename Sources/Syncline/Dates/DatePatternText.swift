extension DatePattern {
  /// Reads text in this pattern; nil if it does not match.
  func read(_ text: UnsafeBufferPointer<UInt8>) -> Instant? {
    var reader = DigitReader(text)
    var reading = Reading()
    for field in fields where !reading.read(field, from: &reader) { return nil }
    guard reader.isAtEnd else { return nil }
    // A pattern may have the hour of the day together with the half of the day.
    if reading.isAfternoon, reading.values.hour < 12 { reading.values.hour += 12 }
    return Instant(reading.values)
  }

  /// The values of the fields that were read so far.
  private struct Reading {
    var values = Instant.Fields()
    var isAfternoon = false

    /// Reads the value of a field. Returns false if the text does not match.
    mutating func read(_ field: Field, from reader: inout DigitReader) -> Bool {
      switch field {
      case .literal(let byte): return reader.skip(byte)
      case .era: return reader.skip(word: "AD")
      case .year(let digits):
        guard let year = digits == 1 ? reader.digits(upTo: 4) : reader.digits(digits) else { return false }
        // Two digits mean the years from 1950 to 2049.
        values.year = digits == 2 ? (year < 50 ? 2000 : 1900) + year : year
        return true
      case .month(let digits): return Reading.set(&values.month, to: reader.number(digits))
      case .monthName(let isShort):
        let index = reader.name(of: DatePattern.months, isShort: isShort)
        return Reading.set(&values.month, to: index.map { $0 + 1 })
      case .day(let digits): return Reading.set(&values.day, to: reader.number(digits))
      case .weekday(let isShort): return reader.name(of: DatePattern.weekdays, isShort: isShort) != nil
      case .hour(let digits): return Reading.set(&values.hour, to: reader.number(digits))
      case .hourOfHalf(let digits):
        guard let value = reader.number(digits), (1...12).contains(value) else { return false }
        values.hour = value % 12
        return true
      case .half:
        isAfternoon = reader.skip(word: "PM")
        return isAfternoon || reader.skip(word: "AM")
      case .minute(let digits): return Reading.set(&values.minute, to: reader.number(digits))
      case .second(let digits): return Reading.set(&values.second, to: reader.number(digits))
      case .fraction(let digits):
        let start = reader.index
        return Reading.set(&values.microsecond, to: reader.fraction()) && reader.index - start == digits
      case .zone: return Reading.set(&values.offsetSeconds, to: reader.zone())
      case .zoneName:
        if reader.skipZoneName() { return true }
        return Reading.set(&values.offsetSeconds, to: reader.zone())
      }
    }

    private static func set(_ field: inout Int, to value: Int?) -> Bool {
      guard let value else { return false }
      field = value
      return true
    }
  }

  func write(_ instant: Instant) -> String {
    Instant.text { output in
      let values = instant.fields
      for field in fields { write(field, of: values, weekday: instant.weekday, to: output) }
    }
  }

  private func write(_ field: Field, of values: Instant.Fields, weekday: Int, to output: (UInt8) -> Void) {
    func put(_ text: some StringProtocol) { text.utf8.forEach(output) }
    switch field {
    case .literal(let byte): output(byte)
    case .era: put("AD")
    case .year(let digits):
      Instant.write(digits == 2 ? values.year % 100 : values.year, digits: digits, to: output)
    case .month(let digits): Instant.write(values.month, digits: digits, to: output)
    case .monthName(let isShort):
      let name = DatePattern.months[values.month - 1]
      put(isShort ? name.prefix(3) : name[...])
    case .day(let digits): Instant.write(values.day, digits: digits, to: output)
    case .weekday(let isShort):
      let name = DatePattern.weekdays[weekday]
      put(isShort ? name.prefix(3) : name[...])
    case .hour(let digits): Instant.write(values.hour, digits: digits, to: output)
    case .hourOfHalf(let digits): Instant.write((values.hour + 11) % 12 + 1, digits: digits, to: output)
    case .half: put(values.hour < 12 ? "AM" : "PM")
    case .minute(let digits): Instant.write(values.minute, digits: digits, to: output)
    case .second(let digits): Instant.write(values.second, digits: digits, to: output)
    case .fraction(let digits):
      var scaled = values.microsecond * 1_000
      for _ in digits..<9 { scaled /= 10 }
      Instant.write(scaled, digits: digits, to: output)
    case .zone(let hasColon, let isShort, let writesZ):
      put(writesZ ? "Z" : isShort ? "+00" : hasColon ? "+00:00" : "+0000")
    case .zoneName: put("UTC")
    }
  }
}

extension DigitReader {
  /// A number of exactly two digits; of one or two if the pattern has a single letter.
  fileprivate mutating func number(_ digits: Int) -> Int? {
    digits == 1 ? self.digits(upTo: 2) : self.digits(digits)
  }
}
