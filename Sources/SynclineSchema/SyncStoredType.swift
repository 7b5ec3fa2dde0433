/// The stored type of a property's value. An enum is stored as its raw value.
public struct SyncStoredType: Hashable, Sendable {
  /// The types of single values.
  public enum Scalar: String, Hashable, Sendable, CaseIterable {
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
  }

  /// The type of the value, or of the elements of a list.
  public var scalar: Scalar
  /// Whether it is a list, which is stored as JSON text.
  public var isList: Bool
  /// The shape of a struct, a map or a list of lists, which is stored as JSON: `{city: String, zip: String?}`, `[String: Int]`.
  /// Nil for scalars and lists of scalars.
  public var shape: String?

  /// Creates the type of a scalar or a list of scalars.
  public init(_ scalar: Scalar, isList: Bool = false) {
    self.scalar = scalar
    self.isList = isList
  }

  /// Creates the type of a composed value.
  public init(shape: String) {
    self.init(.json)
    self.shape = shape
  }

  /// Creates the type with a name: `Int8`, `[String]`; nil for unknown names.
  package init?(name: String) {
    let isList = name.hasPrefix("[") && name.hasSuffix("]")
    if ValueShape(name)?.isMade ?? false {
      self.init(shape: name)
      return
    }
    guard let scalar = Scalar(rawValue: isList ? String(name.dropFirst().dropLast()) : name) else {
      return nil
    }
    self.init(scalar, isList: isList)
  }

  /// The type in schema syntax.
  public var name: String { shape ?? (isList ? "[\(scalar.rawValue)]" : scalar.rawValue) }

  /// The type name in the column's SQL declaration.
  public var column: String {
    guard !isList else { return "TEXT" }
    return switch scalar {
    case .string, .date, .url, .decimal, .json: "TEXT"
    case .double, .float: "DOUBLE"
    case .bool: "BOOLEAN"
    case .uuid, .data: "BLOB"
    case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64: "INTEGER"
    }
  }

  /// The range of integers that both the type and a store can hold; nil if the type is not an integer.
  public var integers: ClosedRange<Int64>? {
    guard !isList, shape == nil else { return nil }
    return switch scalar {
    case .int, .int64: Int64.min...Int64.max
    case .int8: Int64(Int8.min)...Int64(Int8.max)
    case .int16: Int64(Int16.min)...Int64(Int16.max)
    case .int32: Int64(Int32.min)...Int64(Int32.max)
    case .uint, .uint64: 0...Int64.max
    case .uint8: 0...Int64(UInt8.max)
    case .uint16: 0...Int64(UInt16.max)
    case .uint32: 0...Int64(UInt32.max)
    default: nil
    }
  }

  /// Whether every value of the type is also a value of the other type, with the same stored form.
  public func isKept(as other: SyncStoredType) -> Bool {
    if self == other { return true }
    if shape != nil || other.shape != nil {
      guard let own = ValueShape(name), let others = ValueShape(other.name) else { return false }
      return own.isKept(as: others)
    }
    guard let own = integers, let others = other.integers else { return false }
    return others.contains(own.lowerBound) && others.contains(own.upperBound)
  }
}
