/// The scalar types of the schema language.
package enum ScalarType: String, Sendable, CaseIterable {
  case string = "String"
  case int = "Int"
  case int8 = "Int8"
  case int16 = "Int16"
  case int32 = "Int32"
  case int64 = "Int64"
  case uint = "UInt"
  case uint8 = "UInt8"
  case uint16 = "UInt16"
  case uint32 = "UInt32"
  case uint64 = "UInt64"
  case double = "Double"
  case float = "Float"
  case bool = "Bool"
  case date = "Date"
  case uuid = "UUID"
  case url = "URL"
  case decimal = "Decimal"
  case data = "Data"
  case json = "JSON"

  /// The module that qualifies the type if a declaration has the same name.
  package var module: String {
    switch self {
    case .date, .uuid, .url, .decimal, .data: "Foundation"
    case .json: "Syncline"
    default: "Swift"
    }
  }

  /// Whether a declaration of the schema may shadow the type.
  package var canBeShadowed: Bool { module != "Swift" }

  /// The range of integers that both the type and SQLite can hold.
  package var integerRange: ClosedRange<Int64>? {
    switch self {
    case .int8: Int64(Int8.min)...Int64(Int8.max)
    case .int16: Int64(Int16.min)...Int64(Int16.max)
    case .int32: Int64(Int32.min)...Int64(Int32.max)
    case .int, .int64: Int64.min...Int64.max
    case .uint8: 0...Int64(UInt8.max)
    case .uint16: 0...Int64(UInt16.max)
    case .uint32: 0...Int64(UInt32.max)
    case .uint, .uint64: 0...Int64.max
    default: nil
    }
  }

  package var canBeIdentity: Bool { self == .string || self == .uuid || integerRange != nil }
}
