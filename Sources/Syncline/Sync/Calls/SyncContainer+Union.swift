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
      try request(
        payload.syncPayloadBytes(), at: path, Union.syncCases,
        .init(
          operations: relationshipOperations, policy: deletionPolicy, requiresRows: requireNonEmptyFullSlice,
          progress: progress))
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
      try request(
        payload.syncPayloadBytes(), at: path, Union.syncCases,
        .init(
          operations: relationshipOperations, policy: deletionPolicy, requiresRows: requireNonEmptyFullSlice,
          progress: progress))
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
      try request(
        item.syncPayloadBytes(), at: path, Union.syncCases,
        .init(operations: relationshipOperations, isItem: true))
    }
  }

  /// The arguments of a call that are the same for all models.
  private struct UnionArguments {
    var operations: SyncRelationshipOperations
    var policy: DeletionPolicy?
    var requiresRows = false
    var isItem = false
    var progress: SyncProgress.Handler?
  }

  private func request(
    _ bytes: SyncPayloadBytes, at path: String?, _ cases: SyncUnionCases<any SyncUpdatableModel.Type>,
    _ arguments: UnionArguments
  ) throws -> SyncRequest {
    let union = try RowUnion(cases, in: catalog)
    func request<Model: SyncUpdatableModel>(of model: Model.Type) throws -> SyncRequest {
      try SyncRequest(
        container: self, bytes: bytes, path: path, of: model, operations: arguments.operations,
        policy: arguments.policy, requiresRows: arguments.requiresRows, children: [],
        isItem: arguments.isItem,
        progress: arguments.progress)
    }
    guard let first = cases.cases.first?.element else {
      throw SyncError.schemaValidation(reason: "\(cases.name) has no cases")
    }
    return try request(of: first).ofUnion(union)
  }
}
