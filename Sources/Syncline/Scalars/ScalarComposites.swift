import Foundation
import GRDB

/// A list of scalars is stored as JSON text.
extension Array: SyncScalar where Element: SyncScalar {
  public static func syncRead(_ value: SyncValue, format: SyncDateFormat?) -> SyncReading<[Element]> {
    guard value.isArray else { return .unreadable }
    var result: [Element] = []
    var isExact = true
    for element in value.elements {
      switch element.isNull && !(Element.self == SyncJSON.self)
        ? .unreadable : Element.syncRead(element, format: format)
      {
      case .value(let value): result.append(value)
      case .inexact(let value):
        result.append(value)
        isExact = false
      case .unreadable: return .unreadable
      }
    }
    return isExact ? .value(result) : .inexact(result)
  }

  public static var syncValueForNull: [Element]? { [] }

  public static func syncIsSame(_ left: [Element], _ right: [Element]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy(Element.syncIsSame)
  }

  public var syncDatabaseValue: DatabaseValue {
    let json = SyncJSON.array(map { $0.syncExport(format: .iso8601Microseconds) })
    return json.description.databaseValue
  }

  public static func syncLoad(_ stored: DatabaseValue) -> [Element]? {
    guard case .string(var text) = stored.storage else { return nil }
    return text.withUTF8 { utf8 in
      guard let tape = try? JSONDocument.scan(UnsafeRawBufferPointer(utf8)) else { return nil }
      defer { tape.close() }
      return syncRead(tape.value(at: 0), format: nil).value
    }
  }

  public func syncExport(format: SyncDateFormat) -> SyncJSON {
    .array(map { $0.syncExport(format: format) })
  }
}

/// Any JSON value, stored as its text.
extension SyncJSON: SyncScalar {
  public static func syncRead(_ value: SyncValue, format: SyncDateFormat?) -> SyncReading<SyncJSON> {
    .value(SyncJSON(value))
  }

  public static var syncValueForNull: SyncJSON? { .null }

  /// Whether two values are the same as ``SyncJSON/==(_:_:)`` has it: `1.0` is `1`, and the order of members is none.
  public static func syncIsSame(_ left: SyncJSON, _ right: SyncJSON) -> Bool { left == right }

  public var syncDatabaseValue: DatabaseValue { description.databaseValue }

  public static func syncLoad(_ stored: DatabaseValue) -> SyncJSON? {
    guard case .string(let text) = stored.storage else { return nil }
    return try? SyncJSON(parsing: text)
  }

  public func syncExport(format: SyncDateFormat) -> SyncJSON { self }
}

/// An enum of a schema: stored and exported by raw value, with a case for the values it does not know.
public protocol SyncEnum: RawRepresentable, SyncScalar, Hashable, Codable, DatabaseValueConvertible
where RawValue: SyncScalar & Codable & DatabaseValueConvertible {
  init(rawValue: RawValue)
}

extension SyncEnum {
  @inlinable
  public static func syncRead(_ value: SyncValue, format: SyncDateFormat?) -> SyncReading<Self> {
    RawValue.syncRead(value, format: format).map { Self(rawValue: $0) }
  }

  @inlinable
  public static var syncValueForNull: Self? { nil }

  @inlinable
  public static func syncIsSame(_ left: Self, _ right: Self) -> Bool {
    RawValue.syncIsSame(left.rawValue, right.rawValue)
  }

  public var syncDatabaseValue: DatabaseValue { rawValue.syncDatabaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> Self? {
    RawValue.syncLoad(stored).map { Self(rawValue: $0) }
  }
  public func syncExport(format: SyncDateFormat) -> SyncJSON { rawValue.syncExport(format: format) }

  @inlinable
  public func syncBind(to statement: SyncStatement, at index: Int32) {
    rawValue.syncBind(to: statement, at: index)
  }

  @inlinable
  public static func syncLoad(_ column: SyncColumn) -> Self? {
    RawValue.syncLoad(column).map { Self(rawValue: $0) }
  }

  public var databaseValue: DatabaseValue { rawValue.databaseValue }
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    RawValue.fromDatabaseValue(value).map { Self(rawValue: $0) }
  }

  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(RawValue.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
