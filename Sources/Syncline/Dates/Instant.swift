import Foundation

/// A moment in microseconds since 1970, the form in which dates are stored and compared.
///
/// Moments are in the years 0 to 9999, so that their text sorts by time.
struct Instant: Hashable, Comparable, Sendable {
  let microseconds: Int64

  private static let range = -62_167_219_200_000_000...253_402_300_799_999_999 as ClosedRange<Int64>
  private static let perDay: Int64 = 86_400_000_000

  /// Nil outside of the years 0 to 9999.
  init?(microseconds: Int64) {
    guard Self.range.contains(microseconds) else { return nil }
    self.microseconds = microseconds
  }

  /// The moment of a date. A date outside of the range becomes the nearest moment inside it.
  init(_ date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    let scaled = (seconds * 1_000_000).rounded()
    let bounds = Self.range
    let sinceReference = Int64(978_307_200_000_000)
    if scaled.isNaN {
      microseconds = 0
    } else if scaled >= Double(bounds.upperBound - sinceReference) {
      microseconds = bounds.upperBound
    } else if scaled <= Double(bounds.lowerBound - sinceReference) {
      microseconds = bounds.lowerBound
    } else {
      microseconds = Instant.settled(Int64(scaled) + sinceReference, step: seconds.ulp)
    }
  }

  /// The nearest whole millisecond, if a `Date` at that distance from 2001 cannot distinguish it from the moment.
  ///
  /// A `Date` is a floating-point number. Before 1865 and after 2137, its steps are longer than half a microsecond. Without
  /// rounding, `.464` could become `.463999`, which is truncated to `.463`.
  private static func settled(_ microseconds: Int64, step: Double) -> Int64 {
    guard step > 0.000_000_9 else { return microseconds }
    let tolerance = Int64((step * 1_000_000).rounded(.up))
    let millisecond = (microseconds + 500).flooredQuotient(by: 1_000) * 1_000
    guard (millisecond - microseconds).magnitude <= tolerance.magnitude, range.contains(millisecond) else {
      return microseconds
    }
    return millisecond
  }

  var date: Date {
    Date(timeIntervalSinceReferenceDate: Double(microseconds - 978_307_200_000_000) / 1_000_000)
  }

  static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }

  // MARK: Calendar

  /// The fields of a moment in the proleptic Gregorian calendar, UTC.
  struct Fields {
    var year: Int = 1970
    var month: Int = 1
    var day: Int = 1
    var hour: Int = 0
    var minute: Int = 0
    /// 60 rolls over to the next minute.
    var second: Int = 0
    var microsecond: Int = 0
    /// The zone's offset from UTC.
    var offsetSeconds: Int = 0

    /// Whether the day and the time of day exist.
    var isValid: Bool {
      (0...9999).contains(year) && (1...12).contains(month) && day >= 1
        && day <= Fields.days(inMonth: month, of: year) && (0...23).contains(hour)
        && (0...59).contains(minute) && (0...60).contains(second)
    }

    static func days(inMonth month: Int, of year: Int) -> Int {
      switch month {
      case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
      case 4, 6, 9, 11: 30
      default: 31
      }
    }
  }

  /// The moment of calendar fields; nil if they are invalid.
  init?(_ fields: Fields) {
    guard fields.isValid else { return nil }
    // Days since 1970, counted in years that begin in March, so that the leap day is the last day.
    let year = fields.month <= 2 ? fields.year - 1 : fields.year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (fields.month + (fields.month > 2 ? -3 : 9)) + 2) / 5 + fields.day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    let seconds =
      days * 86_400 + fields.hour * 3_600 + fields.minute * 60 + fields.second - fields.offsetSeconds
    self.init(microseconds: Int64(seconds) * 1_000_000 + Int64(fields.microsecond))
  }

  var fields: Fields {
    let days = Int(microseconds.flooredQuotient(by: Self.perDay))
    let timeOfDay = Int(microseconds - Int64(days) * Self.perDay)
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let seconds = timeOfDay / 1_000_000
    return Fields(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * marchMonth + 2) / 5 + 1,
      hour: seconds / 3_600, minute: seconds / 60 % 60, second: seconds % 60,
      microsecond: timeOfDay % 1_000_000)
  }

  /// The day of the week; 0 is Sunday.
  var weekday: Int {
    let days = Int(microseconds.flooredQuotient(by: Self.perDay))
    return ((days + 4) % 7 + 7) % 7
  }

  /// This moment, with its microseconds truncated to a multiple of a unit.
  func cut(to unit: Int64) -> Instant {
    Instant(microseconds: microseconds.flooredQuotient(by: unit) * unit) ?? self
  }
}

extension Int64 {
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
