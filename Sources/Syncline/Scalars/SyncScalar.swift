import Foundation
import GRDB
import GRDBSQLite

/// The result of reading a JSON value as a scalar.
@_spi(Generated)
@frozen
public enum SyncReading<Value> {
  /// The value, read without loss.
  case value(Value)
  /// A value that was read with loss, such as an integer from a fraction. It is used, and reported.
  case inexact(Value)
  /// The JSON value means null.
  case null
  /// The JSON value does not have this type.
  case unreadable

  /// The value, exact or not.
  public var value: Value? {
    switch self {
    case .value(let value), .inexact(let value): value
    case .null, .unreadable: nil
    }
  }

  @inlinable
  init(_ value: Value?) {
    self = value.map(SyncReading.value) ?? .unreadable
  }

  @inlinable
  func map<Result>(_ transform: (Value) -> Result?) -> SyncReading<Result> {
    switch self {
    case .value(let value): SyncReading<Result>(transform(value))
    case .inexact(let value): transform(value).map(SyncReading<Result>.inexact) ?? .unreadable
    case .null: .null
    case .unreadable: .unreadable
    }
  }
}

/// A value that is stored in one column.
public protocol SyncStored {
  /// The value in stored form.
  @_spi(Generated)
  var syncDatabaseValue: DatabaseValue { get }
}

/// A type for properties of a model. Its values are read from JSON, stored in one column, and written to
/// JSON.
///
/// `Bool`, numbers, `String`, `Date`, `Data`, `UUID`, `URL`, `Decimal`, ``SyncJSON``, enums and structs of schemas, and arrays
/// and string-keyed dictionaries of these conform. The protocol's requirements are visible only to generated code, so you
/// cannot conform other types. For a custom format, write a ``SyncTransform`` whose `Value` is one of these types.
public protocol SyncScalar: SyncStored, Sendable, Codable {
  /// Reads a JSON value that is not null, with the coercions of its type.
  ///
  /// - Parameter form: the property's own date format, which is tried before the standard forms, and the names of members.
  @_spi(Generated)
  static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<Self>

  /// Reads a JSON value that is not null into the stored value, which keeps the members that the JSON lacks: `@Merged`.
  ///
  /// - Parameters:
  ///   - stored: the stored value, which is changed in place; nil if there is none yet, so that the payload's value must be
  ///     complete.
  ///   - form: as in ``syncRead(_:form:)``.
  @_spi(Generated)
  static func syncMerge(
    _ value: SyncValue, into stored: inout Self?, form: SyncForm
  ) -> SyncMergedReading

  /// The value of a required property for null; nil if null is an error.
  @_spi(Generated)
  static var syncValueForNull: Self? { get }

  /// The value of a new row's required property if the payload's is unreadable; nil if that is an error.
  @_spi(Generated)
  static var syncValueForUnreadable: Self? { get }

  /// Whether the stored forms of two values are equal, byte by byte.
  @_spi(Generated)
  static func syncIsSame(_ left: Self, _ right: Self) -> Bool

  /// Whether two values are equal, ignoring precision that an export of the stored value loses.
  @_spi(Generated)
  static func syncIsSame(_ stored: Self, _ new: Self, exportedBy form: SyncForm) -> Bool

  /// Creates a value from a stored one; nil if that does not have this type.
  @_spi(Generated)
  static func syncLoad(_ stored: DatabaseValue) -> Self?

  /// The value as JSON.
  ///
  /// - Throws: the error of a ``SyncTransform``.
  @_spi(Generated)
  func syncExport(form: SyncForm) throws -> SyncJSON

  /// Binds the value to a parameter of a statement.
  @_spi(Generated)
  func syncBind(to statement: SyncStatement, at index: Int32)

  /// Reads the value of a column of the statement's current row.
  @_spi(Generated)
  static func syncLoad(_ column: SyncColumn) -> Self?

  /// Whether values have members. If so, problems name the member that cannot be read.
  @_spi(Generated)
  static var syncHasMembers: Bool { get }

  /// Whether a JSON value has members that exports omit. If not, the stored values of those members are kept.
  @_spi(Generated)
  static func syncStatesUnexported(_ value: SyncValue, form: SyncForm) -> Bool

  /// The parts of a JSON value that cannot be read.
  @_spi(Generated)
  static func syncFaults(in value: SyncValue, form: SyncForm) -> [SyncFault]

  /// Writes a JSON value that is not null in the form in which it is stored inside another value, without
  /// creating a Swift value.
  ///
  /// - Returns: false if the value must be reported, or has another type.
  @_spi(Generated)
  static func syncTranscribe(_ value: SyncValue, form: SyncForm, to text: inout SyncStoredText) -> Bool
}

@_spi(Generated)
extension SyncScalar {
  @inlinable
  public static var syncValueForNull: Self? { nil }

  @inlinable
  public static var syncValueForUnreadable: Self? { nil }

  @inlinable
  public static func syncIsSame(_ stored: Self, _ new: Self, exportedBy form: SyncForm) -> Bool {
    false
  }

  public func syncBind(to statement: SyncStatement, at index: Int32) {
    statement.bind(syncDatabaseValue, at: index)
  }

  public static func syncLoad(_ column: SyncColumn) -> Self? {
    syncLoad(column.databaseValue)
  }
}

extension SyncScalar where Self: Equatable {
  @inlinable
  public static func syncIsSame(_ left: Self, _ right: Self) -> Bool { left == right }
}
