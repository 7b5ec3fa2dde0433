extension SyncContainer {
  /// Makes the stored rows of a union's models match a payload with objects of several models, such as a
  /// feed.
  ///
  /// Each object is synced as a row of the model that matches its type, in one transaction. Missing rows of each model are
  /// deleted, so all rows of a model are deleted if the payload contains none of them. Objects of a type that the schema does not
  /// know are reported and skipped. An object without a type is reported, and then nothing is deleted, because it may be any of
  /// the stored rows.
  ///
  /// ```swift
  /// try await container.sync(payload: feed, at: "items", as: FeedItem.self)
  /// ```
  ///
  /// - Parameters:
  ///   - payload: a JSON array of objects; see ``SyncPayloadSource`` for what it may be.
  ///   - path: where the array is inside an envelope; nil for the root.
  ///   - union: the union of the rows.
  ///   - relationshipOperations: which changes of links and nested rows the sync may make.
  ///   - deletionPolicy: what happens to rows that are missing from the payload; nil for the defaults of their models.
  ///   - requireNonEmptyFullSlice: whether an empty payload deletes nothing and is reported, instead of deleting all rows.
  ///   - progress: a closure that is called with the progress of the sync, model by model.
  ///   - moment: ``SyncContainer/moment``, read before the payload was requested; nil if nothing was pushed meanwhile.
  ///   - isolation: the actor of the caller.
  /// - Throws: the errors of `sync(payload:as:)`; then nothing was written.
  @discardableResult
  @_disfavoredOverload
  public func sync<Union: SyncUnion>(
    payload: some SyncPayloadSource, at path: String? = nil, as union: Union.Type,
    relationshipOperations: SyncRelationshipOperations = .all, deletionPolicy: DeletionPolicy? = nil,
    requireNonEmptyFullSlice: Bool = false, requestedAt moment: SyncMoment? = nil,
    progress: SyncProgress.Handler? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try call(
        payload.syncPayloadBytes(), at: path, Union.syncCases, operations: relationshipOperations,
        policy: deletionPolicy, requiresRows: requireNonEmptyFullSlice, progress: progress,
        requestedAt: moment)
    }
  }

  // As an argument for an optional parameter, `.none` would be nil: the models' defaults, which delete.

  /// Makes the stored rows of a union's models match a payload, with the given deletion policy.
  ///
  /// - Throws: the same errors as the other form.
  @discardableResult
  public func sync<Union: SyncUnion>(
    payload: some SyncPayloadSource, at path: String? = nil, as union: Union.Type,
    relationshipOperations: SyncRelationshipOperations = .all, deletionPolicy: DeletionPolicy,
    requireNonEmptyFullSlice: Bool = false, requestedAt moment: SyncMoment? = nil,
    progress: SyncProgress.Handler? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await sync(
      payload: payload, at: path, as: union, relationshipOperations: relationshipOperations,
      deletionPolicy: Optional(deletionPolicy), requireNonEmptyFullSlice: requireNonEmptyFullSlice,
      requestedAt: moment, progress: progress)
  }

  /// Inserts or updates one row of the model that matches its type.
  ///
  /// - Parameters:
  ///   - item: a JSON object.
  ///   - path: where the object is inside an envelope; nil for the root.
  ///   - union: the union of the row.
  ///   - relationshipOperations: which changes of links and nested rows the sync may make.
  ///   - moment: ``SyncContainer/moment``, read before the payload was requested; nil if nothing was pushed meanwhile.
  ///   - isolation: the actor of the caller.
  /// - Throws: the errors of `sync(item:as:)`; then nothing was written.
  @discardableResult
  public func sync<Union: SyncUnion>(
    item: some SyncPayloadSource, at path: String? = nil, as union: Union.Type,
    relationshipOperations: SyncRelationshipOperations = .all, requestedAt moment: SyncMoment? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try call(
        item.syncPayloadBytes(), at: path, Union.syncCases, isItem: true, operations: relationshipOperations,
        requestedAt: moment)
    }
  }

  /// The call for rows of a union.
  ///
  /// - Parameter isItem: whether the payload is a single row.
  private func call(
    _ bytes: SyncPayloadBytes, at path: String?, _ cases: SyncUnionCases<any SyncUpdatableModel.Type>,
    isItem: Bool = false, operations: SyncRelationshipOperations, policy: DeletionPolicy? = nil,
    requiresRows: Bool = false, progress: SyncProgress.Handler? = nil, requestedAt moment: SyncMoment? = nil
  ) throws -> SyncCall {
    let part = try CallPart(
      of: cases, isItem: isItem, policy: policy, requiresRows: requiresRows,
      CallContext(
        container: self, isLines: bytes.isLines, operations: operations, progress: progress,
        requestedAt: moment), at: path)
    return SyncCall(parts: [part], bytes: bytes)
  }
}
