import Syncline
import SynclineCompiler

/// JSON Schemas of the values from which scalars are read, including coercions.
enum ScalarSchemas {
  static func schema(of scalar: ScalarType) -> SyncJSON {
    switch scalar {
    case .string: ["type": ["string", "number", "boolean"]]
    case .bool: any(["enum": [true, false, 0, 1]], text("^ *(?:\(yesAndNo)) *$"))
    case .double: any(["type": "number"], text("^\(number)(?:[eE][+-]?[0-9]{1,2})?$"))
    case .float:
      any(
        ["type": "number", "minimum": .number(float.0), "maximum": .number(float.1)],
        text("^\(number)(?:[eE][+-]?1?[0-9])?$"))
    case .decimal: any(["type": "number"], text("^\(number)$"))
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

  /// The key of a related row, if strings and numbers do not match each other.
  static func key(of scalar: ScalarType) -> SyncJSON {
    if scalar.integerRange != nil { return integer(scalar) }
    return scalar == .uuid ? uuid : ["type": "string"]
  }

  /// The identity of a row in the row itself.
  static func identity(of scalar: ScalarType) -> SyncJSON {
    if scalar.integerRange != nil { return any(integer(scalar), integerText(scalar)) }
    return scalar == .uuid ? uuid : ["type": ["string", "integer"]]
  }

  /// - Parameter pattern: the pattern of `@DateFormat`. It is not a regular expression, so any string is accepted.
  static func date(pattern: String?) -> SyncJSON {
    if let pattern {
      return ["type": ["string", "number"], "description": .string("A date, as a rule as \(pattern)")]
    }
    let day =
      "(?:1[0-9]|2[0-9])[0-9]{2}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
      + "|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"
    let time = "[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]+)?)?"
    let zone = "(?: ?(?:[Zz]|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?))?"
    return any(
      text("^ *\(day)(?:\(time)\(zone))? *$"), text("^ *[0-9]{4}-(?:0[1-9]|1[0-2]) *$"),
      text("^ *[+-]?[0-9]{1,10}(?:\\.[0-9]+)? *$"),
      ["type": "number", "minimum": -62_135_596_800, "exclusiveMaximum": 100_000_000_000_000_000])
  }

  /// A list of one value; for null it may be empty.
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

  private static func integer(_ scalar: ScalarType) -> SyncJSON {
    let range = scalar.integerRange ?? Int64.min...Int64.max
    return [
      "type": "integer", "minimum": .number(SyncNumber(range.lowerBound)),
      "maximum": .number(SyncNumber(range.upperBound)),
    ]
  }

  /// Strings with at most as many digits as always fit.
  private static func integerText(_ scalar: ScalarType) -> SyncJSON {
    let range = scalar.integerRange ?? Int64.min...Int64.max
    let digits = max(1, String(range.upperBound).count - 1)
    return text("^\(range.lowerBound < 0 ? "[+-]?" : "\\+?")0*[0-9]{1,\(digits)}$")
  }
}
