import Foundation
import GRDB

/// A column of a model that knows the type of its property.
///
/// It is a column of GRDB in every request. Where it is equalled to a value, or set to one, it wants one of its own type, and
/// binds what is stored: `GRDB.Column` cuts the microseconds of a date.
///
/// ```swift
/// Task.filter(Task.Columns.state == .open && Task.Columns.project == 5).order(Task.Columns.title)
/// ```
///
/// `Value` is not optional, whatever the property is; that of a to-one relationship is the identity it holds. Compare the
/// column's `sqlExpression` where a value of another type is meant.
public struct ModelColumn<Value: SyncStored>: ColumnExpression, Sendable {
  /// The name of the column.
  public let name: String

  /// The column of a name. Generated code calls it.
  public init(_ name: String) {
    self.name = name
  }
}

// Few overloads, and none for `<` and its like: the type checker tries all of an operator for each that a condition has.
extension ModelColumn {
  /// The column has a value.
  public static func == (column: Self, value: Value) -> SQLExpression {
    column.sqlExpression == value.syncDatabaseValue
  }

  /// The column has a value. Nil is null.
  public static func == (column: Self, value: (any SQLExpressible)?) -> SQLExpression {
    column.sqlExpression == value.asStored
  }

  /// The column has another value.
  public static func != (column: Self, value: Value) -> SQLExpression {
    column.sqlExpression != value.syncDatabaseValue
  }

  /// The column has another value. Nil is null.
  public static func != (column: Self, value: (any SQLExpressible)?) -> SQLExpression {
    column.sqlExpression != value.asStored
  }

  /// Sets the column in an update.
  public func set(to value: Value) -> ColumnAssignment { Column(name).set(to: value.syncDatabaseValue) }

  /// Sets the column in an update. Nil is null.
  public func set(to value: (any SQLExpressible)?) -> ColumnAssignment {
    Column(name).set(to: value.asStored)
  }
}

/// GRDB would cut the microseconds of the date.
extension ModelColumn<Date> {
  /// The column is before a date.
  public static func < (column: Self, value: Date) -> SQLExpression {
    column.sqlExpression < value.syncDatabaseValue
  }

  /// The column is not after a date.
  public static func <= (column: Self, value: Date) -> SQLExpression {
    column.sqlExpression <= value.syncDatabaseValue
  }

  /// The column is after a date.
  public static func > (column: Self, value: Date) -> SQLExpression {
    column.sqlExpression > value.syncDatabaseValue
  }

  /// The column is not before a date.
  public static func >= (column: Self, value: Date) -> SQLExpression {
    column.sqlExpression >= value.syncDatabaseValue
  }
}

/// Numbers of all types are compared with each other.
extension ModelColumn where Value: Numeric & DatabaseValueConvertible {
  /// The column has a value.
  public static func == (
    column: Self, value: some SyncStored & DatabaseValueConvertible & Numeric
  ) -> SQLExpression {
    column.sqlExpression == value.syncDatabaseValue
  }

  /// The column has another value.
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
  /// The form that is stored, of a value of a model's.
  fileprivate var asStored: (any SQLExpressible)? {
    (self as? any SyncStored)?.syncDatabaseValue ?? self
  }
}

/// What values of other types are isolated to, which cannot be called: so that comparing a column with one, or setting it to
/// one, does not compile.
///
/// An operator that is unavailable would be passed over for GRDB's own, which take values of all types. Isolation is
/// looked at when the operator is chosen.
@globalActor
public actor ValueOfAnotherType {
  /// The actor.
  public static let shared = ValueOfAnotherType()
}

extension ModelColumn where Value: DatabaseValueConvertible {
  /// Does not compile: the value is of another type.
  @ValueOfAnotherType
  @available(*, deprecated, message: "the value is of another type than the column")
  public static func == (column: Self, value: some SyncStored & DatabaseValueConvertible) -> SQLExpression {
    column.sqlExpression == value
  }

  /// Does not compile: the value is of another type.
  @ValueOfAnotherType
  @available(*, deprecated, message: "the value is of another type than the column")
  public static func != (column: Self, value: some SyncStored & DatabaseValueConvertible) -> SQLExpression {
    column.sqlExpression != value
  }

  /// Does not compile: the value is of another type.
  @ValueOfAnotherType
  @available(*, deprecated, message: "the value is of another type than the column")
  public func set(to value: some SyncStored & DatabaseValueConvertible) -> ColumnAssignment {
    Column(name).set(to: value)
  }
}
