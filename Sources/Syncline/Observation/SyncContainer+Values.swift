import GRDB

extension SyncContainer {
  /// The rows of a model, as they are and as they become.
  ///
  /// After a commit the changed rows alone are read: <doc:Following> says when all are.
  ///
  /// ```swift
  /// let open = container.values(of: Task.self, where: Task.Columns.state == .open, orderBy: [Task.Columns.title])
  /// for try await tasks in open { print(tasks.map(\.title)) }
  /// ```
  ///
  /// - Parameters:
  ///   - model: the model of the rows.
  ///   - filter: which rows; nil for all.
  ///   - order: what they are ordered by, before their identities.
  ///   - limit: how many rows at most; nil for all.
  ///   - refreshOn: models whose changes bring the rows again, equal or not: for who reads related rows with them.
  public func values<Model: SyncUpdatableModel>(
    of model: Model.Type, where filter: (any SQLExpressible)? = nil,
    orderBy order: [any SQLOrderingTerm] = [],
    limit: Int? = nil, refreshOn: [any SyncUpdatableModel.Type] = []
  ) -> SyncValues<SyncRows<Model>> {
    values(ListQuery(where: filter, orderBy: order, limit: limit, refreshOn: refreshOn))
  }

  /// The rows of a model that a relationship links to one row, as they are and as they become.
  ///
  /// ```swift
  /// container.values(of: Task.self, relationship: \.project, relationshipID: 7)   // the tasks of project 7
  /// container.values(of: Task.self, relationship: \.tags, relationshipID: 3)      // those tagged with 3
  /// ```
  ///
  /// - Parameters:
  ///   - model: the model of the rows.
  ///   - filter: which of these rows; nil for all.
  ///   - order: what they are ordered by, before their identities.
  ///   - limit: how many rows at most; nil for all.
  ///   - relationship: the relationship, to-one or to-many.
  ///   - relationshipID: the identity of the row that it leads to.
  ///   - refreshOn: models whose changes bring the rows again, equal or not.
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

  /// The row of an identity, as it is and as it becomes; nil where there is none.
  ///
  /// Of a model whose identities are unique within a parent only, the row of the first parent.
  ///
  /// ```swift
  /// for try await task in container.value(of: Task.self, id: 42) { print(task?.title ?? "gone") }
  /// ```
  public func value<Model: SyncUpdatableModel>(
    of model: Model.Type, id: Model.SyncID, refreshOn: [any SyncUpdatableModel.Type] = []
  ) -> SyncValues<Model?> {
    values(.row(id, refreshOn)).map(\.first)
  }

  /// The result of any fetch, as it is and as it becomes.
  ///
  /// It is fetched again when a table or a column has changed that it has read, and is given where it is another: of
  /// values that are `Equatable`, as arrays of models are.
  ///
  /// ```swift
  /// for try await count in container.values({ db in try Task.filter(Task.Columns.state == .open).fetchCount(db) }) {
  ///   print(count)
  /// }
  /// ```
  ///
  /// - Parameter fetch: reads the database. It must not write, and its result must follow from what it reads.
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
