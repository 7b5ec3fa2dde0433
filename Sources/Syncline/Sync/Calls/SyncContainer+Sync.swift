import Foundation
import GRDB

extension SyncContainer {
  /// Makes the stored rows of a model those of a payload: inserts, updates, links, and deletes the missing.
  ///
  /// The cost follows the payload and, for the search of missing rows, the table. All happens in one
  /// transaction; a payload that changes nothing writes nothing.
  ///
  /// Syncs on one store, whichever containers they are called on, run one at a time in the order in which they were
  /// called. Calls of one actor are made in the order in which the actor makes them; calls that tasks make side by side
  /// have none. A call that waits ends as soon as its task is cancelled.
  ///
  /// - Parameters:
  ///   - payload: a JSON array of objects; see ``SyncPayloadSource`` for what it may be.
  ///   - path: where the array is inside an envelope: `statuses`, `data.items`. Nil for the root.
  ///   - model: the model of the rows.
  ///   - relationshipOperations: which relationship work is done.
  ///   - deletionPolicy: what happens to rows the payload does not name; nil for the model's default, which is to
  ///     delete them, or to mark them where the model has `@SoftDelete`.
  ///   - requireNonEmptyFullSlice: an empty payload deletes nothing, and is reported.
  ///   - children: what happens to the members that nested lists do not name.
  ///   - progress: is told how far the sync has come.
  ///   - isolation: the actor that waits: the caller's.
  /// - Throws: and then nothing was written:
  ///   - ``SyncError/invalidPayload(model:reason:)`` for a payload that cannot be synced, and
  ///     ``SyncError/schemaValidation(reason:)`` for a model that the container is not for;
  ///   - ``SyncError/cancelled`` when the task was cancelled;
  ///   - ``SyncError/storeBusy(reason:)``, ``SyncError/storeUnavailable(reason:)``,
  ///     ``SyncError/storeCorrupted(reason:)`` and ``SyncError/storeReplaced(reason:)`` for what is wrong with the file;
  ///   - what the payload's conversion and models written by hand throw, and GRDB's `DatabaseError` for constraints and
  ///     triggers of one's own.
  @discardableResult
  @_disfavoredOverload
  public func sync<Model: SyncUpdatableModel>(
    payload: some SyncPayloadSource, at path: String? = nil, as model: Model.Type,
    relationshipOperations: SyncRelationshipOperations = .all, deletionPolicy: DeletionPolicy? = nil,
    requireNonEmptyFullSlice: Bool = false, children: [SyncChildPolicy<Model>] = [],
    progress: SyncProgress.Handler? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try SyncCall(
        self, payload.syncPayloadBytes(), at: path, of: model, operations: relationshipOperations,
        policy: deletionPolicy, requiresRows: requireNonEmptyFullSlice, children: children, progress: progress
      )
    }
  }

  /// Makes the rows of one parent those of a payload, each linked to exactly that parent.
  ///
  /// - Parameters:
  ///   - payload: a JSON array of objects; see ``SyncPayloadSource`` for what it may be.
  ///   - path: where the array is inside an envelope; nil for the root.
  ///   - model: the model of the rows.
  ///   - parent: the identity of the parent.
  ///   - relationship: the to-one relationship to the parent, as `\.project`.
  ///   - relationshipOperations: which relationship work is done.
  ///   - deletionPolicy: what happens to the parent's rows that the payload does not name; nil for the model's default.
  ///   - requireNonEmptyFullSlice: an empty payload deletes nothing, and is reported.
  ///   - children: what happens to the members that nested lists do not name.
  ///   - progress: is told how far the sync has come.
  ///   - isolation: the actor that waits: the caller's.
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the parent is not stored, any other ``SyncError``, or the
  ///   database's error; then nothing was written.
  @discardableResult
  @_disfavoredOverload
  public func sync<Model: SyncUpdatableModel, Link: SyncParentLink>(
    payload: some SyncPayloadSource, at path: String? = nil, as model: Model.Type, parent: Link.Parent.SyncID,
    relationship: KeyPath<Model, Link>, relationshipOperations: SyncRelationshipOperations = .all,
    deletionPolicy: DeletionPolicy? = nil, requireNonEmptyFullSlice: Bool = false,
    children: [SyncChildPolicy<Model>] = [], progress: SyncProgress.Handler? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try SyncCall(
        self, payload.syncPayloadBytes(), at: path, of: model, operations: relationshipOperations,
        policy: deletionPolicy, requiresRows: requireNonEmptyFullSlice, children: children,
        parent: ParentScope(relationship, parent.syncIdentity), progress: progress)
    }
  }

  /// Makes the rows of one parent those of a payload, each linked to exactly that parent.
  @discardableResult
  @_disfavoredOverload
  public func sync<Model: SyncUpdatableModel, Link: SyncParentLink>(
    payload: some SyncPayloadSource, at path: String? = nil, as model: Model.Type, parent: Link.Parent,
    relationship: KeyPath<Model, Link>, relationshipOperations: SyncRelationshipOperations = .all,
    deletionPolicy: DeletionPolicy? = nil, requireNonEmptyFullSlice: Bool = false,
    children: [SyncChildPolicy<Model>] = [], progress: SyncProgress.Handler? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await sync(
      payload: payload, at: path, as: model, parent: parent[keyPath: Link.Parent.syncIdentity],
      relationship: relationship, relationshipOperations: relationshipOperations,
      deletionPolicy: deletionPolicy,
      requireNonEmptyFullSlice: requireNonEmptyFullSlice, children: children, progress: progress)
  }

  /// Updates or inserts one row, and deletes nothing but what nested lists drop.
  ///
  /// - Parameters:
  ///   - item: a JSON object.
  ///   - path: where the object is inside an envelope; nil for the root.
  ///   - model: the model of the row.
  ///   - relationshipOperations: which relationship work is done.
  ///   - children: what happens to the members that nested lists do not name.
  ///   - progress: is told how far the sync has come.
  ///   - isolation: the actor that waits: the caller's.
  /// - Throws: what `sync(payload:as:)` throws; then nothing was written.
  @discardableResult
  public func sync<Model: SyncUpdatableModel>(
    item: some SyncPayloadSource, at path: String? = nil, as model: Model.Type,
    relationshipOperations: SyncRelationshipOperations = .all, children: [SyncChildPolicy<Model>] = [],
    progress: SyncProgress.Handler? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try SyncCall(
        self, item.syncPayloadBytes(), at: path, of: model, .item, operations: relationshipOperations,
        children: children, progress: progress)
    }
  }

  /// Updates or inserts one row of a parent.
  @discardableResult
  public func sync<Model: SyncUpdatableModel, Link: SyncParentLink>(
    item: some SyncPayloadSource, at path: String? = nil, as model: Model.Type, parent: Link.Parent.SyncID,
    relationship: KeyPath<Model, Link>, relationshipOperations: SyncRelationshipOperations = .all,
    children: [SyncChildPolicy<Model>] = [], progress: SyncProgress.Handler? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try SyncCall(
        self, item.syncPayloadBytes(), at: path, of: model, .item, operations: relationshipOperations,
        children: children, parent: ParentScope(relationship, parent.syncIdentity), progress: progress)
    }
  }

  /// Updates or inserts one row of a parent.
  @discardableResult
  public func sync<Model: SyncUpdatableModel, Link: SyncParentLink>(
    item: some SyncPayloadSource, at path: String? = nil, as model: Model.Type, parent: Link.Parent,
    relationship: KeyPath<Model, Link>, relationshipOperations: SyncRelationshipOperations = .all,
    children: [SyncChildPolicy<Model>] = [], progress: SyncProgress.Handler? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await sync(
      item: item, at: path, as: model, parent: parent[keyPath: Link.Parent.syncIdentity],
      relationship: relationship, relationshipOperations: relationshipOperations, children: children,
      progress: progress)
  }
}
