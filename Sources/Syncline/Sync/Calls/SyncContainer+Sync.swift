import GRDB

extension SyncContainer {
  /// Makes the stored rows of a model match a payload: inserts, updates and links rows, and deletes the missing ones.
  ///
  /// ```swift
  /// let report = try await container.sync(payload: #"[{"id": 1, "title": "Write"}]"#, as: Task.self)
  /// print(report.inserted, report.deleted)  // 1 0
  /// ```
  ///
  /// The time is linear in the size of the payload plus the number of stored rows that may be missing: those of the model, or of
  /// `parent`. With `deletionPolicy: .none` the stored rows are not scanned. Everything happens in one transaction; a payload that
  /// changes nothing writes nothing.
  ///
  /// Syncs of one store run one at a time, in the order in which they were called, even on several containers. The calls of one
  /// actor run in that actor's order; calls of concurrent tasks have no defined order. A call that waits in this queue ends as
  /// soon as its task is cancelled.
  ///
  /// - Parameters:
  ///   - payload: a JSON array of objects; see ``SyncPayloadSource`` for what it may be.
  ///   - path: where the array is inside an envelope: `statuses`, `data.items`. Nil for the root.
  ///   - model: the model of the rows.
  ///   - relationshipOperations: which changes of links and nested rows the sync may make.
  ///   - deletionPolicy: what happens to rows that are missing from the payload; nil for the model's default, which is to delete
  ///     them, or to mark them if the model has `@SoftDelete`.
  ///   - requireNonEmptyFullSlice: whether an empty payload deletes nothing and is reported, instead of deleting all rows.
  ///   - condition: only stored rows that met it before the call can be missing, and so be deleted: `Task.Columns.state == .open`
  ///     for a list of the open tasks. A row for which it is NULL does not meet it. All rows of the payload are stored, whether or
  ///     not they meet it.
  ///   - children: what happens to members that are missing from nested lists.
  ///   - moment: ``SyncContainer/moment``, read before the payload was requested. Rows whose push got its response after that
  ///     moment are not overwritten, and a payload older than one already synced is ignored. Nil skips both checks.
  ///   - progress: a closure that is called with the progress of the sync.
  ///   - isolation: the actor of the caller.
  /// - Throws: one of these errors; then nothing was written:
  ///   - ``SyncError/invalidPayload(model:reason:)`` for a payload that cannot be synced, and
  ///     ``SyncError/schemaValidation(reason:)`` for a model that is not the container's;
  ///   - ``SyncError/cancelled`` when the task was cancelled;
  ///   - ``SyncError/storeBusy(reason:)``, ``SyncError/storeUnavailable(reason:)``, ``SyncError/storeCorrupted(reason:)`` and
  ///     ``SyncError/storeReplaced(reason:)`` for problems with the file;
  ///   - errors of the payload's conversion and of handwritten models, and GRDB's `DatabaseError` for your own constraints and
  ///     triggers.
  @discardableResult
  @_disfavoredOverload
  public func sync<Model: SyncUpdatableModel>(
    payload: some SyncPayloadSource, at path: String? = nil, as model: Model.Type,
    relationshipOperations: SyncRelationshipOperations = .all, deletionPolicy: DeletionPolicy? = nil,
    requireNonEmptyFullSlice: Bool = false, within condition: (any SQLExpressible & Sendable)? = nil,
    children: [SyncChildPolicy<Model>] = [],
    requestedAt moment: SyncMoment? = nil, progress: SyncProgress.Handler? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try SyncCall(
        self, payload.syncPayloadBytes(), at: path, of: model, operations: relationshipOperations,
        policy: deletionPolicy, requiresRows: requireNonEmptyFullSlice, within: condition?.sqlExpression,
        children: children, progress: progress, requestedAt: moment)
    }
  }

  /// Makes the rows of one parent match a payload. Each row is linked to that parent.
  ///
  /// - Parameters:
  ///   - payload: a JSON array of objects; see ``SyncPayloadSource`` for what it may be.
  ///   - path: where the array is inside an envelope; nil for the root.
  ///   - model: the model of the rows.
  ///   - parent: the identity of the parent.
  ///   - relationship: the to-one relationship to the parent, such as `\.project`.
  ///   - relationshipOperations: which changes of links and nested rows the sync may make.
  ///   - deletionPolicy: what happens to the parent's rows that are missing from the payload; nil for the model's default.
  ///   - requireNonEmptyFullSlice: whether an empty payload deletes nothing and is reported, instead of deleting all rows of
  ///     the parent.
  ///   - condition: only stored rows that met it before the call can be missing, and so be deleted: `Task.Columns.state == .open`
  ///     for a list of the open tasks. A row for which it is NULL does not meet it. All rows of the payload are stored, whether or
  ///     not they meet it.
  ///   - children: what happens to members that are missing from nested lists.
  ///   - moment: ``SyncContainer/moment``, read before the payload was requested. Rows whose push got its response after that
  ///     moment are not overwritten, and a payload older than one already synced is ignored. Nil skips both checks.
  ///   - progress: a closure that is called with the progress of the sync.
  ///   - isolation: the actor of the caller.
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the parent is not stored, any other ``SyncError``, or the
  ///   database's error; then nothing was written.
  @discardableResult
  @_disfavoredOverload
  public func sync<Model: SyncUpdatableModel, Link: SyncParentLink>(
    payload: some SyncPayloadSource, at path: String? = nil, as model: Model.Type, parent: Link.Parent.SyncID,
    relationship: KeyPath<Model, Link>, relationshipOperations: SyncRelationshipOperations = .all,
    deletionPolicy: DeletionPolicy? = nil, requireNonEmptyFullSlice: Bool = false,
    within condition: (any SQLExpressible & Sendable)? = nil, children: [SyncChildPolicy<Model>] = [],
    requestedAt moment: SyncMoment? = nil,
    progress: SyncProgress.Handler? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try SyncCall(
        self, payload.syncPayloadBytes(), at: path, of: model, operations: relationshipOperations,
        policy: deletionPolicy, requiresRows: requireNonEmptyFullSlice, within: condition?.sqlExpression,
        children: children, parent: ParentScope(relationship, parent.syncIdentity), progress: progress,
        requestedAt: moment)
    }
  }

  /// Makes the rows of one parent match a payload. Each row is linked to that parent.
  @discardableResult
  @_disfavoredOverload
  public func sync<Model: SyncUpdatableModel, Link: SyncParentLink>(
    payload: some SyncPayloadSource, at path: String? = nil, as model: Model.Type, parent: Link.Parent,
    relationship: KeyPath<Model, Link>, relationshipOperations: SyncRelationshipOperations = .all,
    deletionPolicy: DeletionPolicy? = nil, requireNonEmptyFullSlice: Bool = false,
    within condition: (any SQLExpressible & Sendable)? = nil, children: [SyncChildPolicy<Model>] = [],
    requestedAt moment: SyncMoment? = nil,
    progress: SyncProgress.Handler? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await sync(
      payload: payload, at: path, as: model, parent: parent[keyPath: Link.Parent.syncIdentity],
      relationship: relationship, relationshipOperations: relationshipOperations,
      deletionPolicy: deletionPolicy,
      requireNonEmptyFullSlice: requireNonEmptyFullSlice, within: condition, children: children,
      requestedAt: moment, progress: progress)
  }

  /// Inserts or updates one row. The other rows of the model stay. Related rows that are missing from the nested lists of the
  /// object are unlinked, or deleted if the schema or `children` requires it. If the object matches `@Deleted`, the row is
  /// deleted.
  ///
  /// - Parameters:
  ///   - item: a JSON object.
  ///   - path: where the object is inside an envelope; nil for the root.
  ///   - model: the model of the row.
  ///   - relationshipOperations: which changes of links and nested rows the sync may make.
  ///   - children: what happens to members that are missing from nested lists.
  ///   - moment: ``SyncContainer/moment``, read before the payload was requested. Rows whose push got its response after that
  ///     moment are not overwritten, and a payload older than one already synced is ignored. Nil skips both checks.
  ///   - progress: a closure that is called with the progress of the sync.
  ///   - isolation: the actor of the caller.
  /// - Throws: the errors of `sync(payload:as:)`; then nothing was written.
  @discardableResult
  public func sync<Model: SyncUpdatableModel>(
    item: some SyncPayloadSource, at path: String? = nil, as model: Model.Type,
    relationshipOperations: SyncRelationshipOperations = .all, children: [SyncChildPolicy<Model>] = [],
    requestedAt moment: SyncMoment? = nil, progress: SyncProgress.Handler? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try SyncCall(
        self, item.syncPayloadBytes(), at: path, of: model, .item, operations: relationshipOperations,
        children: children, progress: progress, requestedAt: moment)
    }
  }

  /// Inserts or updates one row, and links it to a parent.
  ///
  /// ```swift
  /// try await container.sync(item: #"{"id": 3, "title": "Plan"}"#, as: Task.self, parent: 1, relationship: \.project)
  /// ```
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the parent is not stored, and the errors of `sync(item:as:)`; then
  ///   nothing was written.
  @discardableResult
  public func sync<Model: SyncUpdatableModel, Link: SyncParentLink>(
    item: some SyncPayloadSource, at path: String? = nil, as model: Model.Type, parent: Link.Parent.SyncID,
    relationship: KeyPath<Model, Link>, relationshipOperations: SyncRelationshipOperations = .all,
    children: [SyncChildPolicy<Model>] = [], requestedAt moment: SyncMoment? = nil,
    progress: SyncProgress.Handler? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try SyncCall(
        self, item.syncPayloadBytes(), at: path, of: model, .item, operations: relationshipOperations,
        children: children, parent: ParentScope(relationship, parent.syncIdentity), progress: progress,
        requestedAt: moment)
    }
  }

  /// Inserts or updates one row, and links it to a parent.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the parent is not stored, and the errors of `sync(item:as:)`; then
  ///   nothing was written.
  @discardableResult
  public func sync<Model: SyncUpdatableModel, Link: SyncParentLink>(
    item: some SyncPayloadSource, at path: String? = nil, as model: Model.Type, parent: Link.Parent,
    relationship: KeyPath<Model, Link>, relationshipOperations: SyncRelationshipOperations = .all,
    children: [SyncChildPolicy<Model>] = [], requestedAt moment: SyncMoment? = nil,
    progress: SyncProgress.Handler? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await sync(
      item: item, at: path, as: model, parent: parent[keyPath: Link.Parent.syncIdentity],
      relationship: relationship, relationshipOperations: relationshipOperations, children: children,
      requestedAt: moment, progress: progress)
  }
}
