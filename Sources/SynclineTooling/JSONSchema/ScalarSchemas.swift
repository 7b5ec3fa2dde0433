import Syncline
import SynclineCompiler

/// JSON Schemas of the values that scalars can be read from, including coercions.
enum ScalarSchemas {
  static func schema(of scalar: ScalarType) -> SyncJSON {
    switch scalar {
    case .string: ["type": ["string", "number", "boolean"]]
    case .bool: any(["enum": [true, false, 0, 1]], text("^ *(?:\(yesAndNo)) *$"))
    case .double:
      any(
        ["type": "number"], text("^\(number)(?:[eE][+-]?[0-9]{1,2})?$"),
        text("^[+-]?[0-9]{1,300}(?:\\.[0-9]{1,300})?$"))
    case .float:
      any(
        ["type": "number", "minimum": .number(float.0), "maximum": .number(float.1)],
        text("^\(number)(?:[eE][+-]?1?[0-9])?$"))
    case .decimal:
      any(
        ["type": "number"], text("^\(number)(?:[eE][+-]?[0-9]{1,2})?$"),
        text("^[+-]?(?:[0-9]{1,38}|[0-9]{1,19}\\.[0-9]{1,19})$"))
    case .date: date(pattern: nil)
    case .uuid: uuid
    case .url: ["type": "string", "format": "uri-reference", "pattern": "^[^\\s\\u0000-\\u001f]+$"]
    case .data:
      text("^(?:[A-Za-z0-9+/_-]{4})*(?:[A-Za-z0-9+/_-]{2}(?:==)?|[A-Za-z0-9+/_-]{3}=?)?$")
    case .json: true
    case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64:
      any(integer(scalar), integerText(scalar))
    }
  }

  /// The key of a related row, if string keys do not match integer identities and vice versa.
  static func key(of scalar: ScalarType) -> SyncJSON {
    if scalar.integerRange != nil { return integer(scalar) }
    return scalar == .uuid ? uuid : ["type": "string"]
  }

  /// The identity in the row's own object.
  static func identity(of scalar: ScalarType) -> SyncJSON {
    if scalar.integerRange != nil { return any(integer(scalar), integerText(scalar)) }
    return scalar == .uuid ? uuid : ["type": ["string", "integer"]]
  }

  /// - Parameter pattern: the pattern of `@DateFormat`. It is not a regular expression, so any string is accepted.
  static func date(pattern: String?) -> SyncJSON {
    if let pattern {
      return ["type": ["string", "number"], "description": .string("A date, as a rule as \(pattern)")]
    }
    return any(
      text("^ *\(day)(?:\(clock)(?: ?[Zz])?)? *$"), text("^ *(?!0000|9999)\(day)\(clock) ?\(offset) *$"),
      text("^ *[0-9]{4}-(?:0[1-9]|1[0-2]) *$"),
      text("^ *\(unixTime) *$"), text("^\(mailDate)$"),
      text("^/Date\\([0-9]{1,14}\\)/$"),
      ["type": "number", "minimum": -62_135_596_800, "maximum": 9_223_372_036_854_775_807])
  }

  /// A list of one value. If the value is nullable, the list may be empty.
  static func list(ofOne value: SyncJSON, isNullable: Bool) -> SyncJSON {
    ["type": "array", "items": value, "minItems": isNullable ? 0 : 1, "maxItems": 1]
  }

  static func any(_ schemas: SyncJSON...) -> SyncJSON { any(schemas) }
  static func any(_ schemas: [SyncJSON]) -> SyncJSON {
    schemas.count == 1 ? schemas[0] : ["anyOf": .array(schemas)]
  }

  private static func text(_ pattern: String) -> SyncJSON { ["type": "string", "pattern": .string(pattern)] }

  private static let uuid = text(
    "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$")
  private static let number = "[+-]?[0-9]{1,15}(?:\\.[0-9]{1,15})?"
  private static let yesAndNo = "[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|1|0|[Yy][Ee][Ss]|[Nn][Oo]"
  private static let float = (
    SyncNumber(Double(-Float.greatestFiniteMagnitude)) ?? SyncNumber(0),
    SyncNumber(Double(Float.greatestFiniteMagnitude)) ?? SyncNumber(0)
  )

  /// A string of digits: Unix time in seconds to nanoseconds, or a date such as `20210503100000`. Zeros in place of a date
  /// (`00000000`) do not match.
  private static let unixTime =
    "(?:(?!0[0-9][0-9.]{6})[+-]?[0-9]{1,10}|[1-9][0-9]{10,17}|[1-8][0-9]{18})(?:\\.[0-9]+)?"
  /// A date without a time: a calendar date, an ordinal date or a week date.
  private static let day =
    "(?:[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    + "|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)|\(leapYear)-02-29"
    + "|[0-9]{4}-(?:00[1-9]|0[1-9][0-9]|[12][0-9]{2}|3[0-5][0-9]|36[0-5])"
    + "|(?!9999)[0-9]{4}-W(?:0[1-9]|[1-4][0-9]|5[0-2])-[1-7])"
  private static let leapYear =
    "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
  private static let clock =
    "[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]+)?)?"
  private static let offset = "[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?"
  /// A date in the format of mail and HTTP: `Tue, 15 Nov 1994 08:12:31 GMT`.
  private static let mailDate =
    "(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?(?:(?:0[1-9]|1[0-9]|2[0-8]) (?:\(longMonths)|\(shortMonths)|Feb)"
    + "|(?:29|30) (?:\(longMonths)|\(shortMonths))|31 (?:\(longMonths))) (?!0000|9999)[0-9]{4}"
    + " (?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9] (?:GMT|UTC|[+-](?:0[0-9]|1[0-4])[0-5][0-9])"
  private static let longMonths = "Jan|Mar|May|Jul|Aug|Oct|Dec"
  private static let shortMonths = "Apr|Jun|Sep|Nov"

  private static func integer(_ scalar: ScalarType) -> SyncJSON {
    let range = scalar.integerRange ?? Int64.min...Int64.max
    return [
      "type": "integer", "minimum": .number(SyncNumber(range.lowerBound)),
      "maximum": .number(SyncNumber(range.upperBound)),
    ]
  }

  /// A string that contains an integer in the range of a type.
  private static func integerText(_ scalar: ScalarType) -> SyncJSON {
    let range = scalar.integerRange ?? Int64.min...Int64.max
    let (least, most) = (digits(upTo: range.lowerBound.magnitude), digits(upTo: range.upperBound.magnitude))
    if range.lowerBound == 0 { return text("^\\+?0*(?:\(most))$") }
    return text(least == most ? "^[+-]?0*(?:\(most))$" : "^(?:\\+?0*(?:\(most))|-0*(?:\(least)))$")
  }

  /// A pattern for the numbers up to a limit, without leading zeros: numbers with fewer digits, and numbers that are less at one
  /// of the digits. For 64-bit limits, only the first digit is compared, because the full pattern would be ten lines long.
  private static func digits(upTo limit: UInt64) -> String {
    let digits = Array(String(limit))
    var parts = ["[0-9]{1,\(digits.count - 1)}"]
    for (place, digit) in digits.enumerated() {
      guard let value = digit.wholeNumberValue, value > 0 else { continue }
      let rest = digits.count - place - 1
      let less = value == 1 ? "0" : "[0-\(value - 1)]"
      if place > 0 || value > 1 {
        parts.append(String(digits[..<place]) + less + (rest == 0 ? "" : "[0-9]{\(rest)}"))
      }
      if digits.count > 10 { return parts.joined(separator: "|") }
    }
    return (parts + [String(digits)]).joined(separator: "|")
  }
}
