import Foundation
import GRDB

// For enums and dates only. With overloads for all types, the type checker would try both these and GRDB's.

extension Array where Element: SyncEnum {
  /// Whether the column has one of the values: `[.open, .done].contains(Task.Columns.state)`.
  public func contains(_ column: ModelColumn<Element>) -> SQLExpression {
    map(\.syncDatabaseValue).contains(column.sqlExpression)
  }
}

extension [Date] {
  /// Whether the column has one of the dates.
  public func contains(_ column: ModelColumn<Date>) -> SQLExpression {
    map(\.syncDatabaseValue).contains(column.sqlExpression)
  }
}

extension ClosedRange<Date> {
  /// Whether the column is in the range.
  public func contains(_ column: ModelColumn<Date>) -> SQLExpression {
    column >= lowerBound && column <= upperBound
  }
}

extension Range<Date> {
  /// Whether the column is in the range.
  public func contains(_ column: ModelColumn<Date>) -> SQLExpression {
    column >= lowerBound && column < upperBound
  }
}
