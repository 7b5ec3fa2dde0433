import GRDB

/// Any JSON value, stored as JSON text.
extension SyncJSON: SyncScalar {}

@_spi(Generated)
extension SyncJSON {
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<SyncJSON> {
    .value(SyncJSON(value))
  }

  public static var syncValueForNull: SyncJSON? { .null }

  /// Whether two values are equal by ``SyncJSON/==(_:_:)``: `1.0` equals `1`, and the order of members does not matter.
  public static func syncIsSame(_ left: SyncJSON, _ right: SyncJSON) -> Bool { left == right }

  public var syncDatabaseValue: DatabaseValue { description.databaseValue }

  public static func syncLoad(_ stored: DatabaseValue) -> SyncJSON? {
    guard case .string(let text) = stored.storage else { return nil }
    return try? SyncJSON(parsing: text)
  }

  public func syncExport(form: SyncForm) -> SyncJSON { self }
}

/// Stored as JSON text, as in the columns of models. So your own records can have a JSON column too.
extension SyncJSON: DatabaseValueConvertible {
  public var databaseValue: DatabaseValue { syncDatabaseValue }
  public static func fromDatabaseValue(_ value: DatabaseValue) -> SyncJSON? { syncLoad(value) }
}

extension SyncJSON {
  /// A scalar as JSON, with dates in ISO 8601; null for nil.
  public init(_ value: (some SyncScalar)?) {
    self = value.map(\.plainJSON) ?? .null
  }
}
