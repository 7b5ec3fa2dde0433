import GRDB

@_spi(Generated)
extension SyncScalar where Self: FixedWidthInteger {
  @inlinable
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<Self> {
    // SQLite stores signed 64-bit integers, so larger values are unreadable.
    var isTruncated = false
    guard let integer = value.integer(isTruncated: &isTruncated), let result = Self(exactly: integer) else {
      return .unreadable
    }
    return isTruncated ? .inexact(result) : .value(result)
  }

  @inlinable
  public static var syncValueForNull: Self? { 0 }
  public var syncDatabaseValue: DatabaseValue { Int64(clamping: self).databaseValue }

  public static func syncLoad(_ stored: DatabaseValue) -> Self? {
    switch stored.storage {
    case .int64(let value): Self(exactly: value)
    // GRDB would truncate a fraction.
    case .double(let value): Self(exactly: value)
    default: nil
    }
  }

  public func syncExport(form: SyncForm) -> SyncJSON { .number(SyncNumber(self)) }

  public static func syncTranscribe(_ value: SyncValue, form: SyncForm, to text: inout SyncStoredText) -> Bool
  {
    guard case .value(let value) = syncRead(value, form: form) else { return false }
    text.write(integer: Int64(clamping: value))
    return true
  }

  @inlinable
  public func syncBind(to statement: SyncStatement, at index: Int32) {
    statement.bind(Int64(clamping: self), at: index)
  }

  @inlinable
  public static func syncLoad(_ column: SyncColumn) -> Self? {
    column.isInteger ? Self(exactly: column.int64) : syncLoad(column.databaseValue)
  }
}

extension SyncValue {
  /// The integer of a number or of a numeric string, with its fraction truncated; nil if it does not fit in
  /// 64 bits.
  @usableFromInline
  func integer(isTruncated: inout Bool) -> Int64? {
    switch kind {
    case .number:
      if let integer = NumberText.plainInteger(content) { return integer }
      guard let integer = NumberText.integer(content) else { return nil }
      isTruncated = integer.isTruncated
      return integer.value
    case .string: return withText(NumberText.plainInteger)
    default: return nil
    }
  }
}
