import GRDB

// GRDB declares the same operators and methods generically. For each operator in a condition, the type checker tries all of them,
// and it gives up at three comparisons in a closure. Overloads for exactly these types, in the types themselves, are tried first.
// Generated code declares `filter` for the same reason.

extension SQLExpression {
  /// Whether both conditions are true.
  public static func && (left: SQLExpression, right: SQLExpression) -> SQLExpression {
    [left, right].joined(operator: .and)
  }

  /// Whether at least one of two conditions is true.
  public static func || (left: SQLExpression, right: SQLExpression) -> SQLExpression {
    [left, right].joined(operator: .or)
  }
}

extension QueryInterfaceRequest where RowDecoder: SyncModelable {
  /// The rows of the request for which a condition is true.
  ///
  /// ```swift
  /// let request = Task.all().filter { $0.state == .open && $0.project == 5 && $0.title != "" }
  /// ```
  public func filter(_ condition: (RowDecoder.DatabaseComponents) throws -> SQLExpression) rethrows -> Self {
    filter(try condition(RowDecoder.databaseComponents))
  }
}

extension BelongsToAssociation where RowDecoder: SyncModelable {
  /// The association with the rows for which a condition is true.
  public func filter(_ condition: (RowDecoder.DatabaseComponents) throws -> SQLExpression) rethrows -> Self {
    filter(try condition(RowDecoder.databaseComponents))
  }
}

extension HasManyAssociation where RowDecoder: SyncModelable {
  /// The association with the rows for which a condition is true.
  public func filter(_ condition: (RowDecoder.DatabaseComponents) throws -> SQLExpression) rethrows -> Self {
    filter(try condition(RowDecoder.databaseComponents))
  }
}

extension HasManyThroughAssociation where RowDecoder: SyncModelable {
  /// The association with the rows for which a condition is true.
  public func filter(_ condition: (RowDecoder.DatabaseComponents) throws -> SQLExpression) rethrows -> Self {
    filter(try condition(RowDecoder.databaseComponents))
  }
}

extension HasOneAssociation where RowDecoder: SyncModelable {
  /// The association with the rows for which a condition is true.
  public func filter(_ condition: (RowDecoder.DatabaseComponents) throws -> SQLExpression) rethrows -> Self {
    filter(try condition(RowDecoder.databaseComponents))
  }
}
