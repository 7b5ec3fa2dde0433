import Foundation
import GRDB
import GRDBSQLite

/// What reading a JSON value as a scalar gave.
@frozen
public enum SyncReading<Value> {
  /// The value, whole.
  case value(Value)
  /// A value that could not be kept whole, as a fraction read as an integer. It counts, and is reported.
  case inexact(Value)
  /// The JSON value means null.
  case null
  /// The JSON value is none of the type.
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
  /// The value as it is stored.
  var syncDatabaseValue: DatabaseValue { get }
}

/// A type that a property of a model can have: read from JSON, stored in one column, written to JSON.
public protocol SyncScalar: SyncStored, Sendable, Codable {
  /// Reads a JSON value that is not null, with the coercions of its type.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - form: the property's own date format, tried before the standard forms, and the names of members.
  static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<Self>

  /// What null means for a required property; nil where it is an error.
  static var syncValueForNull: Self? { get }

  /// What an unreadable value means for a required property of a new row; nil where it is an error.
  static var syncValueForUnreadable: Self? { get }

  /// Whether two values are stored alike, byte by byte.
  static func syncIsSame(_ left: Self, _ right: Self) -> Bool

  /// Whether two values are the same but for what an export of the stored one loses.
  static func syncIsSame(_ stored: Self, _ new: Self, exportedBy form: SyncForm) -> Bool

  /// The value of a stored one; nil where it is none of this type.
  static func syncLoad(_ stored: DatabaseValue) -> Self?

  /// The value as JSON.
  ///
  /// - Throws: what a ``SyncTransform`` throws.
  func syncExport(form: SyncForm) throws -> SyncJSON

  /// Binds the value to a parameter of a statement.
  func syncBind(to statement: SyncStatement, at index: Int32)

  /// Reads the value of a column of the statement's current row.
  static func syncLoad(_ column: SyncColumn) -> Self?

  /// Whether values have members: of one that cannot be read, it is said which member is why.
  static var syncHasMembers: Bool { get }

  /// Whether a JSON value has members that no export writes. Without them, those that are stored stay.
  static func syncStatesUnexported(_ value: SyncValue, form: SyncForm) -> Bool

  /// What keeps a JSON value from being read whole.
  static func syncFaults(in value: SyncValue, form: SyncForm) -> [SyncFault]

  /// Writes a JSON value that is not null as it would be stored inside of another, without making it.
  ///
  /// - Returns: false where it takes a report, or is none of the type.
  static func syncTranscribe(_ value: SyncValue, form: SyncForm, to text: inout SyncStoredText) -> Bool
}

extension SyncScalar {
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
