import SynclineNaming

/// A Unicode date pattern with its own parser and writer: English names, and UTC if the text has no zone.
struct DatePattern: Hashable, Sendable {
  enum Field: Hashable {
    case literal(UInt8)
    case era
    case year(digits: Int)
    case month(digits: Int)
    case monthName(isShort: Bool)
    case day(digits: Int)
    case weekday(isShort: Bool)
    case hour(digits: Int)
    case hourOfHalf(digits: Int)
    case half
    case minute(digits: Int)
    case second(digits: Int)
    case fraction(digits: Int)
    /// `+0200`, `+02:00` or `+02`; for UTC `Z`, if the pattern requires it.
    case zone(hasColon: Bool, isShort: Bool, writesZ: Bool)
    case zoneName
  }

  let fields: [Field]

  init(_ pattern: String) throws(DatePatternSyntax.UnknownField) {
    fields = try DatePatternSyntax.parts(of: pattern).map { part in
      switch part {
      case .literal(let byte): .literal(byte)
      case .field(let letter, let count): DatePattern.field(letter, count)
      }
    }
  }

  private static func field(_ letter: Character, _ count: Int) -> Field {
    switch letter {
    case "G": .era
    case "y": .year(digits: count)
    case "M", "L": count < 3 ? .month(digits: count) : .monthName(isShort: count == 3)
    case "d": .day(digits: count)
    case "E", "c": .weekday(isShort: count < 4)
    case "H": .hour(digits: count)
    case "h": .hourOfHalf(digits: count)
    case "a": .half
    case "m": .minute(digits: count)
    case "s": .second(digits: count)
    case "S": .fraction(digits: count)
    case "Z": .zone(hasColon: count == 5, isShort: false, writesZ: count == 5)
    case "X", "x": .zone(hasColon: count == 3, isShort: count == 1, writesZ: letter == "X")
    default: .zoneName
    }
  }

  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]
  static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
}
