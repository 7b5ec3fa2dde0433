import GRDB

extension SyncContainer {
  /// Returns a sequence of the rows of a model: the current rows, and the new rows after each change.
  ///
  /// After a commit, usually only the changed rows are read; <doc:Following> describes when all rows are read. Iterating throws
  /// the database's error if a read fails.
  ///
  /// ```swift
  /// let open = container.values(of: Task.self, where: Task.Columns.state == .open, orderBy: [Task.Columns.title])
  /// for try await tasks in open { print(tasks.map(\.title)) }
  /// ```
  ///
  /// - Parameters:
  ///   - model: the model of the rows.
  ///   - filter: the condition of the rows; nil for all.
  ///   - order: the ordering terms; the identity follows them.
  ///   - limit: the maximum number of rows; nil for all.
  ///   - refreshOn: models whose changes return the rows again, even if they are equal. Use it if you read related rows
  ///     together with these rows.
  public func values<Model: SyncUpdatableModel>(
    of model: Model.Type, where filter: (any SQLExpressible)? = nil,
    orderBy order: [any SQLOrderingTerm] = [],
    limit: Int? = nil, refreshOn: [any SyncUpdatableModel.Type] = []
  ) -> SyncValues<SyncRows<Model>> {
    values(ListQuery(where: filter, orderBy: order, limit: limit, refreshOn: refreshOn))
  }

  /// Returns a sequence of the rows of a model that are linked to one row: the current rows, and the new rows after each
  /// change.
  ///
  /// ```swift
  /// container.values(of: Task.self, relationship: \.project, relationshipID: 7)   // the tasks of project 7
  /// container.values(of: Task.self, relationship: \.tags, relationshipID: 3)      // those tagged with 3
  /// ```
  ///
  /// Iterating throws ``SyncError/schemaValidation(reason:)`` if the key path is not a relationship of the model, and the database's
  /// error if a read fails.
  ///
  /// - Parameters:
  ///   - model: the model of the rows.
  ///   - filter: the condition of these rows; nil for all.
  ///   - order: the ordering terms; the identity follows them.
  ///   - limit: the maximum number of rows; nil for all.
  ///   - relationship: the relationship, to-one or to-many.
  ///   - relationshipID: the identity of the row that it refers to.
  ///   - refreshOn: models whose changes return the rows again, even if no row has changed.
  public func values<Model: SyncUpdatableModel, Link: SyncRelationshipLink>(
    of model: Model.Type, where filter: (any SQLExpressible)? = nil,
    orderBy order: [any SQLOrderingTerm] = [],
    limit: Int? = nil, relationship: KeyPath<Model, Link>, relationshipID: Link.RelatedModel.SyncID,
    refreshOn: [any SyncUpdatableModel.Type] = []
  ) -> SyncValues<SyncRows<Model>> {
    values(
      ListQuery(
        where: filter, orderBy: order, limit: limit,
        relationship: Relationship(relationship, relationshipID.syncIdentity), refreshOn: refreshOn))
  }

  /// Returns a sequence of the row with an identity: the current row, and the new row after each change; nil
  /// if there is none.
  ///
  /// If identities are unique only within a parent, it is the row of the first parent.
  ///
  /// ```swift
  /// for try await task in container.value(of: Task.self, id: 42) { print(task?.title ?? "gone") }
  /// ```
  public func value<Model: SyncUpdatableModel>(
    of model: Model.Type, id: Model.SyncID, refreshOn: [any SyncUpdatableModel.Type] = []
  ) -> SyncValues<Model?> {
    values(.row(id, refreshOn)).map(\.first)
  }

  /// Returns a sequence of the results of any fetch: the current result, and a new result after each change.
  ///
  /// The fetch runs again when a table or a column that it reads has changed. If the results are `Equatable`, such as arrays of
  /// models, a result that equals the previous one is left out.
  ///
  /// ```swift
  /// for try await count in container.values({ db in try Task.filter(Task.Columns.state == .open).fetchCount(db) }) {
  ///   print(count)
  /// }
  /// ```
  ///
  /// - Parameter fetch: reads the database. It must not write, and its result must depend only on what it reads.
  public func values<Value: Sendable>(
    _ fetch: @escaping @Sendable (Database) throws -> Value
  ) -> SyncValues<Value> {
    SyncValues { [hub] publish in
      hub.follow(FollowedFetch(fetch, isEqual: areEqual, publish: publish))
    }
  }

  func values<Model: SyncUpdatableModel>(_ query: ListQuery<Model>) -> SyncValues<SyncRows<Model>> {
    SyncValues { [hub, catalog] publish in
      let entry = try catalog.entry(for: Model.self)
      let query = try query.resolved()
      guard entry.table.isGenerated else {
        return hub.follow(
          FollowedFetch(query.fetch, refreshTables: query.refreshTables, isEqual: ==, publish: publish))
      }
      return hub.follow(FollowedList(query, publish: publish))
    }
  }
}

/// Whether values are equal; false if their type is not `Equatable`.
func areEqual<Value>(_ left: Value, _ right: Value) -> Bool {
  func isEqual<Left: Equatable>(_ left: Left) -> Bool { left == right as? Left }
  return (left as? any Equatable).map { isEqual($0) } ?? false
}
