import Foundation
import GRDB

extension SyncScalar where Self: FixedWidthInteger {
  @inlinable
  public static func syncRead(_ value: SyncValue, format: SyncDateFormat?) -> SyncReading<Self> {
    // SQLite holds signed 64-bit integers: what exceeds them is refused on the way in.
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
    Int64.fromDatabaseValue(stored).flatMap { Self(exactly: $0) }
  }

  public func syncExport(format: SyncDateFormat) -> SyncJSON { .number(SyncNumber(self)) }

  @inlinable
  public func syncBind(to statement: SyncStatement, at index: Int32) {
    statement.bind(Int64(clamping: self), at: index)
  }

  @inlinable
  public static func syncLoad(_ column: SyncColumn) -> Self? {
    column.isNull ? nil : Self(exactly: column.int64)
  }
}

extension SyncValue {
  /// The integer of a number or of whole text, its fraction cut; nil where there is none of 64 bits.
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

extension Int: SyncScalar {}
extension Int8: SyncScalar {}
extension Int16: SyncScalar {}
extension Int32: SyncScalar {}
extension Int64: SyncScalar {}
extension UInt: SyncScalar {}
extension UInt8: SyncScalar {}
extension UInt16: SyncScalar {}
extension UInt32: SyncScalar {}
extension UInt64: SyncScalar {}

extension Double: SyncScalar {
  public static func syncRead(_ value: SyncValue, format: SyncDateFormat?) -> SyncReading<Double> {
    switch value.kind {
    case .number: SyncReading(NumberText.double(value.content))
    case .string:
      SyncReading(value.withText { NumberText.isNumber($0) ? NumberText.double($0) : nil })
    default: .unreadable
    }
  }

  public static var syncValueForNull: Double? { 0 }
  public var syncDatabaseValue: DatabaseValue { databaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> Double? { fromDatabaseValue(stored) }
  public func syncExport(format: SyncDateFormat) -> SyncJSON {
    SyncNumber(self).map(SyncJSON.number) ?? .null
  }

  public func syncBind(to statement: SyncStatement, at index: Int32) {
    statement.bind(self, at: index)
  }

  public static func syncLoad(_ column: SyncColumn) -> Double? {
    column.isNull ? nil : column.double
  }
}

extension Float: SyncScalar {
  public static func syncRead(_ value: SyncValue, format: SyncDateFormat?) -> SyncReading<Float> {
    Double.syncRead(value, format: format).map { double in
      let float = Float(double)
      return float.isFinite ? float : nil
    }
  }

  public static var syncValueForNull: Float? { 0 }
  public var syncDatabaseValue: DatabaseValue { Double(self).databaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> Float? {
    Double.fromDatabaseValue(stored).map { Float($0) }
  }

  public func syncExport(format: SyncDateFormat) -> SyncJSON {
    // The shortest text of a float, not of the double nearest to it.
    guard isFinite else { return .null }
    return .number(Int64(exactly: self).map { SyncNumber($0) } ?? SyncNumber(verified: "\(self)"))
  }
}

extension Decimal: SyncScalar {
  public static func syncRead(_ value: SyncValue, format: SyncDateFormat?) -> SyncReading<Decimal> {
    switch value.kind {
    case .number, .string: SyncReading(value.withText(NumberText.decimal))
    default: .unreadable
    }
  }

  public static var syncValueForNull: Decimal? { 0 }
  public var syncDatabaseValue: DatabaseValue { databaseValue }

  public static func syncLoad(_ stored: DatabaseValue) -> Decimal? {
    guard case .string(var text) = stored.storage else { return fromDatabaseValue(stored) }
    return text.withUTF8(NumberText.decimal)
  }

  public func syncExport(format: SyncDateFormat) -> SyncJSON {
    SyncNumber(self).map(SyncJSON.number) ?? .null
  }
}

extension Bool: SyncScalar {
  public static func syncRead(_ value: SyncValue, format: SyncDateFormat?) -> SyncReading<Bool> {
    switch value.kind {
    case .true: return .value(true)
    case .false: return .value(false)
    case .number:
      switch NumberText.integer(value.content)?.exact {
      case 0: return .value(false)
      case 1: return .value(true)
      default: return .unreadable
      }
    case .string:
      switch value.string?.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() {
      case "true", "1", "yes": return .value(true)
      case "false", "0", "no": return .value(false)
      default: return .unreadable
      }
    default: return .unreadable
    }
  }

  public static var syncValueForNull: Bool? { false }
  public var syncDatabaseValue: DatabaseValue { databaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> Bool? { fromDatabaseValue(stored) }
  public func syncExport(format: SyncDateFormat) -> SyncJSON { .bool(self) }

  public func syncBind(to statement: SyncStatement, at index: Int32) {
    statement.bind(Int64(self ? 1 : 0), at: index)
  }

  public static func syncLoad(_ column: SyncColumn) -> Bool? {
    column.isNull ? nil : column.int64 != 0
  }
}
