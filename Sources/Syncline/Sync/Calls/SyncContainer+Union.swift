extension SyncContainer {
  /// Makes the stored rows of a union's models match a payload that mixes them, such as a feed.
  ///
  /// Each row goes to the model that matches its type, in one transaction. Missing rows are found for each model, so a model
  /// without rows in the payload is emptied. Rows of a type that the schema does not know are reported and skipped. A row without
  /// a type is reported, and nothing is deleted: it may be any of the stored rows.
  ///
  /// ```swift
  /// try await container.sync(payload: feed, at: "items", as: FeedItem.self)
  /// ```
  ///
  /// - Parameters:
  ///   - payload: a JSON array of objects; see ``SyncPayloadSource`` for what it may be.
  ///   - path: where the array is inside an envelope; nil for the root.
  ///   - union: the union of the rows.
  ///   - relationshipOperations: which relationship work is done.
  ///   - deletionPolicy: what happens to rows that are missing from the payload; nil for the defaults of their models.
  ///   - requireNonEmptyFullSlice: an empty payload deletes nothing, and is reported.
  ///   - progress: is called with the progress of the sync, model by model.
  ///   - moment: when the payload was asked for, by ``SyncContainer/moment``; nil if nothing was pushed meanwhile.
  ///   - isolation: the actor of the caller.
  /// - Throws: what `sync(payload:as:)` throws; then nothing was written.
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
  /// - Throws: what the other form throws.
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

  /// Updates or inserts one row of the model that matches its type.
  ///
  /// - Parameters:
  ///   - item: a JSON object.
  ///   - path: where the object is inside an envelope; nil for the root.
  ///   - union: the union of the row.
  ///   - relationshipOperations: which relationship work is done.
  ///   - moment: when the payload was asked for, by ``SyncContainer/moment``; nil if nothing was pushed meanwhile.
  ///   - isolation: the actor of the caller.
  /// - Throws: what `sync(item:as:)` throws; then nothing was written.
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
    return SyncCall(part.arguments, bytes, part.kind.read(from: bytes))
  }
}
