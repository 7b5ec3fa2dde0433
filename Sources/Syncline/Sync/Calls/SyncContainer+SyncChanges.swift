extension SyncContainer {
  /// Applies what a server says has changed since an earlier call: rows that are new or others than before, and rows that are gone.
  ///
  /// Rows that are gone are deleted, or marked where the model has `@SoftDelete`. All is one transaction, and nothing is missing that the payload does not name. A row that is both gone and among the others is
  /// gone. A payload that comes twice writes nothing the second time.
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
  ///   - relationshipOperations: which relationship work is done.
  ///   - children: what happens to the members that nested lists do not name.
  ///   - isolation: the actor that waits: the caller's.
  /// - Throws: what `sync(payload:as:)` throws; then nothing was written.
  @discardableResult
  public func sync<Model: SyncUpdatableModel>(
    changes: some SyncPayloadSource, at path: String? = nil, as model: Model.Type,
    keys: SyncChangeKeys = SyncChangeKeys(), relationshipOperations: SyncRelationshipOperations = .all,
    children: [SyncChildPolicy<Model>] = [], isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try SyncCall(
        self, changes.syncPayloadBytes(), at: path, of: model, .changes(keys),
        operations: relationshipOperations,
        children: children)
    }
  }

  /// Applies what a server says has changed among the rows of one parent. A row that has another parent by now is not deleted.
  ///
  /// - Throws: what `sync(payload:as:)` throws; then nothing was written.
  @discardableResult
  public func sync<Model: SyncUpdatableModel, Link: SyncParentLink>(
    changes: some SyncPayloadSource, at path: String? = nil, as model: Model.Type, parent: Link.Parent.SyncID,
    relationship: KeyPath<Model, Link>, keys: SyncChangeKeys = SyncChangeKeys(),
    relationshipOperations: SyncRelationshipOperations = .all, children: [SyncChildPolicy<Model>] = [],
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try SyncCall(
        self, changes.syncPayloadBytes(), at: path, of: model, .changes(keys),
        operations: relationshipOperations,
        children: children, parent: ParentScope(relationship, parent.syncIdentity))
    }
  }
}
