import Foundation
import GRDB

// For enums and dates only: for all types these and GRDB's would make the type checker try both.

extension Array where Element: SyncEnum {
  /// The column has one of the values: `[.open, .done].contains(Task.Columns.state)`.
  public func contains(_ column: ModelColumn<Element>) -> SQLExpression {
    map(\.syncDatabaseValue).contains(column.sqlExpression)
  }
}

extension [Date] {
  /// The column has one of the dates.
  public func contains(_ column: ModelColumn<Date>) -> SQLExpression {
    map(\.syncDatabaseValue).contains(column.sqlExpression)
  }
}

extension ClosedRange<Date> {
  /// The column is in the range.
  public func contains(_ column: ModelColumn<Date>) -> SQLExpression {
    column >= lowerBound && column <= upperBound
  }
}

extension Range<Date> {
  /// The column is in the range.
  public func contains(_ column: ModelColumn<Date>) -> SQLExpression {
    column >= lowerBound && column < upperBound
  }
}
