import Foundation
import GRDB

/// A column of a model, with the type of its property.
///
/// You can use it like a GRDB column in every request. When you compare it with a value or set it, the value must have the
/// property's type. The value is bound in its stored form; `GRDB.Column` would truncate the microseconds of a date.
///
/// ```swift
/// Task.filter(Task.Columns.state == .open && Task.Columns.project == 5).order(Task.Columns.title)
/// ```
///
/// `Value` is never optional, even if the property is. For a to-one relationship, it is the type of the identity. To compare
/// with a value of another type, use the column's `sqlExpression`.
public struct ModelColumn<Value: SyncStored>: ColumnExpression, Sendable {
  /// The name of the column.
  public let name: String

  /// The column with a name. Generated code calls it.
  public init(_ name: String) {
    self.name = name
  }
}

// Few overloads, and none for `<` and similar operators: the type checker tries all overloads for each operator in a condition.
extension ModelColumn {
  /// Whether the column equals a value.
  public static func == (column: Self, value: Value) -> SQLExpression {
    column.sqlExpression == value.syncDatabaseValue
  }

  /// Whether the column equals a value. Nil means null.
  public static func == (column: Self, value: (any SQLExpressible)?) -> SQLExpression {
    column.sqlExpression == value.asStored
  }

  /// Whether the column differs from a value.
  public static func != (column: Self, value: Value) -> SQLExpression {
    column.sqlExpression != value.syncDatabaseValue
  }

  /// Whether the column differs from a value. Nil means null.
  public static func != (column: Self, value: (any SQLExpressible)?) -> SQLExpression {
    column.sqlExpression != value.asStored
  }

  /// Sets the column in an update.
  public func set(to value: Value) -> ColumnAssignment { Column(name).set(to: value.syncDatabaseValue) }

  /// Sets the column in an update. Nil means null.
  public func set(to value: (any SQLExpressible)?) -> ColumnAssignment {
    Column(name).set(to: value.asStored)
  }
}

/// GRDB's own operators would truncate the microseconds of the date.
extension ModelColumn<Date> {
  /// Whether the column is before a date.
  public static func < (column: Self, value: Date) -> SQLExpression {
    column.sqlExpression < value.syncDatabaseValue
  }

  /// Whether the column is not after a date.
  public static func <= (column: Self, value: Date) -> SQLExpression {
    column.sqlExpression <= value.syncDatabaseValue
  }

  /// Whether the column is after a date.
  public static func > (column: Self, value: Date) -> SQLExpression {
    column.sqlExpression > value.syncDatabaseValue
  }

  /// Whether the column is not before a date.
  public static func >= (column: Self, value: Date) -> SQLExpression {
    column.sqlExpression >= value.syncDatabaseValue
  }
}

/// Numbers of all types can be compared with each other.
extension ModelColumn where Value: Numeric & DatabaseValueConvertible {
  /// Whether the column equals a value.
  public static func == (
    column: Self, value: some SyncStored & DatabaseValueConvertible & Numeric
  ) -> SQLExpression {
    column.sqlExpression == value.syncDatabaseValue
  }

  /// Whether the column differs from a value.
  public static func != (
    column: Self, value: some SyncStored & DatabaseValueConvertible & Numeric
  ) -> SQLExpression {
    column.sqlExpression != value.syncDatabaseValue
  }

  /// Sets the column in an update.
  public func set(to value: some SyncStored & DatabaseValueConvertible & Numeric) -> ColumnAssignment {
    Column(name).set(to: value.syncDatabaseValue)
  }
}

extension (any SQLExpressible)? {
  /// The stored form, if the value has one.
  fileprivate var asStored: (any SQLExpressible)? {
    (self as? any SyncStored)?.syncDatabaseValue ?? self
  }
}

/// An actor that isolates the overloads for values of other types. They cannot be called, so comparing a column with such a
/// value, or setting it to one, does not compile.
///
/// If the overloads were unavailable instead, Swift would skip them and choose GRDB's, which accept values of all types. Swift
/// checks isolation only after it has chosen an overload.
@globalActor
public actor ValueOfAnotherType {
  /// The shared actor.
  public static let shared = ValueOfAnotherType()
}

extension ModelColumn where Value: DatabaseValueConvertible {
  /// Does not compile: the value has another type.
  @ValueOfAnotherType
  @available(*, deprecated, message: "the value is of another type than the column")
  public static func == (column: Self, value: some SyncStored & DatabaseValueConvertible) -> SQLExpression {
    column.sqlExpression == value
  }

  /// Does not compile: the value has another type.
  @ValueOfAnotherType
  @available(*, deprecated, message: "the value is of another type than the column")
  public static func != (column: Self, value: some SyncStored & DatabaseValueConvertible) -> SQLExpression {
    column.sqlExpression != value
  }

  /// Does not compile: the value has another type.
  @ValueOfAnotherType
  @available(*, deprecated, message: "the value is of another type than the column")
  public func set(to value: some SyncStored & DatabaseValueConvertible) -> ColumnAssignment {
    Column(name).set(to: value)
  }
}
