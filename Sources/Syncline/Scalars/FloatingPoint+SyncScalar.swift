import GRDB

extension Double: SyncScalar {}

@_spi(Generated)
extension Double {
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<Double> {
    switch value.kind {
    case .number: SyncReading(NumberText.double(value.content))
    case .string:
      SyncReading(value.withText { NumberText.Parts($0) == nil ? nil : NumberText.double($0) })
    default: .unreadable
    }
  }

  public static var syncValueForNull: Double? { 0 }
  public var syncDatabaseValue: DatabaseValue { databaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> Double? { fromDatabaseValue(stored) }
  public func syncExport(form: SyncForm) -> SyncJSON {
    SyncNumber(self).map(SyncJSON.number) ?? .null
  }

  public static func syncTranscribe(_ value: SyncValue, form: SyncForm, to text: inout SyncStoredText) -> Bool
  {
    if value.isNumber, NumberText.isShortest(value.content) {
      text.write(bytes: value.content)
      return true
    }
    guard case .value(let value) = syncRead(value, form: form) else { return false }
    return text.writes(value.storedJSON)
  }

  public func syncBind(to statement: SyncStatement, at index: Int32) {
    statement.bind(self, at: index)
  }

  @inlinable
  public static func syncLoad(_ column: SyncColumn) -> Double? {
    column.isDouble ? column.double : syncLoad(column.databaseValue)
  }
}

extension Float: SyncScalar {}

@_spi(Generated)
extension Float {
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<Float> {
    Double.syncRead(value, form: form).map { _ in
      // From the text: from the double, it would be rounded twice.
      value.withText { Float(JSONText.string($0)) }.flatMap { $0.isFinite ? $0 : nil }
    }
  }

  public static var syncValueForNull: Float? { 0 }
  public var syncDatabaseValue: DatabaseValue { Double(self).databaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> Float? {
    Double.fromDatabaseValue(stored).map { Float($0) }
  }

  public func syncExport(form: SyncForm) -> SyncJSON {
    // The shortest notation of the float, not of the double nearest to it.
    guard isFinite else { return .null }
    return .number(Int64(exactly: self).map { SyncNumber($0) } ?? SyncNumber(verified: "\(self)"))
  }
}
