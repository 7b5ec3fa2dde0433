import GRDB

/// An enum of a schema. It is stored and exported as its raw value. A raw value that the schema does not know is kept as
/// `.unrecognized(rawValue)`. Declare it in a schema: the protocol's requirements are visible only to generated code, so you
/// cannot conform a type of your own.
///
/// ```swift
/// if case .unrecognized(let value) = task.state { print("unknown state:", value) }
/// ```
public protocol SyncEnum: RawRepresentable, SyncScalar, Hashable, Codable, DatabaseValueConvertible
where RawValue: SyncScalar & Codable & DatabaseValueConvertible {
  init(rawValue: RawValue)
}

@_spi(Generated)
extension SyncEnum {
  @inlinable
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<Self> {
    RawValue.syncRead(value, form: form).map { Self(rawValue: $0) }
  }

  @inlinable
  public static func syncIsSame(_ left: Self, _ right: Self) -> Bool {
    RawValue.syncIsSame(left.rawValue, right.rawValue)
  }

  public var syncDatabaseValue: DatabaseValue { rawValue.syncDatabaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> Self? {
    RawValue.syncLoad(stored).map { Self(rawValue: $0) }
  }
  public func syncExport(form: SyncForm) throws -> SyncJSON { try rawValue.syncExport(form: form) }

  public static func syncTranscribe(_ value: SyncValue, form: SyncForm, to text: inout SyncStoredText) -> Bool
  {
    RawValue.syncTranscribe(value, form: form, to: &text)
  }

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

  /// Decodes the raw value. A value that the schema does not know is kept.
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(RawValue.self))
  }

  /// Encodes the raw value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
