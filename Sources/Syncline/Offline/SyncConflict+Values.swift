extension SyncConflict {
  /// Returns the base, local and remote value in the type of a column, each nil for null. Returns nil if the
  /// conflict is about another column.
  ///
  /// Columns of several models may have the same name, so check ``model`` first.
  ///
  /// ```swift
  /// configuration.conflict = { conflict in
  ///   guard conflict.model == "Task", let due = conflict.values(of: Task.Columns.due) else { return .local }
  ///   // The earlier of two dates.
  ///   return (due.local ?? .distantFuture) < (due.remote ?? .distantFuture) ? .local : .remote
  /// }
  /// ```
  public func values<Value: SyncScalar>(
    of column: ModelColumn<Value>
  ) -> (base: Value?, local: Value?, remote: Value?)? {
    guard column.name == property else { return nil }
    return (Value.syncLoad(base), Value.syncLoad(local), Value.syncLoad(remote))
  }
}
