extension SyncContainer {
  /// Makes the stored rows of all models of a union those of a payload whose rows are of any of them: a feed.
  ///
  /// Each row goes to the model that its type names, in one transaction. Rows that the payload does not name are missing in
  /// each of the models, so one that it has no row of at all is emptied. Rows of a type that the schema does not know are
  /// reported, and passed over. Where a row does not say of which type it is, it is reported, and nothing is deleted: it may
  /// be any of those that are stored.
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
  ///   - deletionPolicy: what happens to rows the payload does not name; nil for the defaults of their models.
  ///   - requireNonEmptyFullSlice: an empty payload deletes nothing, and is reported.
  ///   - progress: is told how far the sync has come, model by model.
  ///   - isolation: the actor that waits: the caller's.
  /// - Throws: what `sync(payload:as:)` throws; then nothing was written.
  @discardableResult
  @_disfavoredOverload
  public func sync<Union: SyncUnion>(
    payload: some SyncPayloadSource, at path: String? = nil, as union: Union.Type,
    relationshipOperations: SyncRelationshipOperations = .all, deletionPolicy: DeletionPolicy? = nil,
    requireNonEmptyFullSlice: Bool = false, progress: SyncProgress.Handler? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try call(
        payload.syncPayloadBytes(), at: path, Union.syncCases, operations: relationshipOperations,
        policy: deletionPolicy, requiresRows: requireNonEmptyFullSlice, progress: progress)
    }
  }

  // With an optional policy, `.none` would mean no policy, which is the models' default, and delete.

  /// Makes the stored rows of all models of a union those of a payload, with a deletion policy of the call's own.
  ///
  /// - Throws: what the other form throws.
  @discardableResult
  public func sync<Union: SyncUnion>(
    payload: some SyncPayloadSource, at path: String? = nil, as union: Union.Type,
    relationshipOperations: SyncRelationshipOperations = .all, deletionPolicy: DeletionPolicy,
    requireNonEmptyFullSlice: Bool = false, progress: SyncProgress.Handler? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try call(
        payload.syncPayloadBytes(), at: path, Union.syncCases, operations: relationshipOperations,
        policy: deletionPolicy, requiresRows: requireNonEmptyFullSlice, progress: progress)
    }
  }

  /// Updates or inserts one row of the model that its type names.
  ///
  /// - Parameters:
  ///   - item: a JSON object.
  ///   - path: where the object is inside an envelope; nil for the root.
  ///   - union: the union of the row.
  ///   - relationshipOperations: which relationship work is done.
  ///   - isolation: the actor that waits: the caller's.
  /// - Throws: what `sync(item:as:)` throws; then nothing was written.
  @discardableResult
  public func sync<Union: SyncUnion>(
    item: some SyncPayloadSource, at path: String? = nil, as union: Union.Type,
    relationshipOperations: SyncRelationshipOperations = .all, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try call(
        item.syncPayloadBytes(), at: path, Union.syncCases, isItem: true, operations: relationshipOperations)
    }
  }

  /// The call for rows of a union.
  ///
  /// - Parameter isItem: whether the payload is one row by itself.
  private func call(
    _ bytes: SyncPayloadBytes, at path: String?, _ cases: SyncUnionCases<any SyncUpdatableModel.Type>,
    isItem: Bool = false, operations: SyncRelationshipOperations, policy: DeletionPolicy? = nil,
    requiresRows: Bool = false, progress: SyncProgress.Handler? = nil
  ) throws -> SyncCall {
    let union = try RowUnion(cases, in: catalog, policy: policy)
    func call<Model: SyncUpdatableModel>(of model: Model.Type) throws -> SyncCall {
      try SyncCall(
        self, bytes, at: path, of: model, .union(union, isItem: isItem), operations: operations,
        policy: policy,
        requiresRows: requiresRows, progress: progress)
    }
    guard let first = cases.cases.first?.element else {
      throw SyncError.schemaValidation(reason: "\(cases.name) has no cases")
    }
    let result = try call(of: first)
    try union.check()
    return result
  }
}
