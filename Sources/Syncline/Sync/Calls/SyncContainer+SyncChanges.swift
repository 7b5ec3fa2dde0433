extension SyncContainer {
  /// Applies a server's changes since an earlier call: new, changed and deleted rows.
  ///
  /// Rows in the `deleted` list are deleted, or marked if the model has `@SoftDelete`. Everything happens in one transaction.
  /// Rows that are in none of the lists stay. A row that is in `deleted` and in another list is deleted. A payload that is synced
  /// twice writes nothing the second time.
  ///
  /// ```swift
  /// let body = #"{"created": [{"id": 9, "title": "New"}], "updated": [], "deleted": [4, 5], "token": "t7"}"#
  /// try await container.sync(changes: body, as: Task.self)
  /// ```
  ///
  /// - Parameters:
  ///   - changes: an object with the lists. Some of them may be absent or null.
  ///   - path: where the object is inside an envelope; nil for the root.
  ///   - model: the model of the rows.
  ///   - keys: the keys of the lists.
  ///   - relationshipOperations: which changes of links and nested rows the sync may make.
  ///   - children: what happens to members that are missing from nested lists.
  ///   - moment: ``SyncContainer/moment``, read before the payload was requested; nil if nothing was pushed meanwhile.
  ///   - isolation: the actor of the caller.
  /// - Throws: the errors of `sync(payload:as:)`; then nothing was written.
  @discardableResult
  public func sync<Model: SyncUpdatableModel>(
    changes: some SyncPayloadSource, at path: String? = nil, as model: Model.Type,
    keys: SyncChangeKeys = SyncChangeKeys(), relationshipOperations: SyncRelationshipOperations = .all,
    children: [SyncChildPolicy<Model>] = [], requestedAt moment: SyncMoment? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try SyncCall(
        self, changes.syncPayloadBytes(), at: path, of: model, .changes(keys),
        operations: relationshipOperations,
        children: children, requestedAt: moment)
    }
  }

  /// Applies a server's changes to the rows of one parent. A listed row that now has another parent is not deleted.
  ///
  /// - Throws: the errors of `sync(payload:as:)`; then nothing was written.
  @discardableResult
  public func sync<Model: SyncUpdatableModel, Link: SyncParentLink>(
    changes: some SyncPayloadSource, at path: String? = nil, as model: Model.Type, parent: Link.Parent.SyncID,
    relationship: KeyPath<Model, Link>, keys: SyncChangeKeys = SyncChangeKeys(),
    relationshipOperations: SyncRelationshipOperations = .all, children: [SyncChildPolicy<Model>] = [],
    requestedAt moment: SyncMoment? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try SyncCall(
        self, changes.syncPayloadBytes(), at: path, of: model, .changes(keys),
        operations: relationshipOperations,
        children: children, parent: ParentScope(relationship, parent.syncIdentity),
        requestedAt: moment)
    }
  }
}
