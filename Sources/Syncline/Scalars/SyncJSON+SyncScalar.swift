import GRDB

/// Any JSON value, stored as its text.
extension SyncJSON: SyncScalar {
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<SyncJSON> {
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

  public func syncExport(form: SyncForm) -> SyncJSON { self }
}

/// Stored as its text, as in the columns of models: so records of your own can hold it too.
extension SyncJSON: DatabaseValueConvertible {
  public var databaseValue: DatabaseValue { syncDatabaseValue }
  public static func fromDatabaseValue(_ value: DatabaseValue) -> SyncJSON? { syncLoad(value) }
}

extension SyncJSON {
  /// A scalar as JSON, dates in ISO 8601; null for nil.
  public init(_ value: (some SyncScalar)?) {
    self = value.map(\.plainJSON) ?? .null
  }
}
