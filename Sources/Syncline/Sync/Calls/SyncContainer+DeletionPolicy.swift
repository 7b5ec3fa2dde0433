import GRDB

// As an argument for an optional parameter, `.none` would be nil: the model's default, which deletes. These overloads make it
// ``DeletionPolicy/none``.
extension SyncContainer {
  /// Makes the stored rows of a model match a payload, with the given deletion policy.
  ///
  /// - Throws: the errors of `sync(payload:as:)`; then nothing was written.
  @discardableResult
  public func sync<Model: SyncUpdatableModel>(
    payload: some SyncPayloadSource, at path: String? = nil, as model: Model.Type,
    relationshipOperations: SyncRelationshipOperations = .all, deletionPolicy: DeletionPolicy,
    requireNonEmptyFullSlice: Bool = false, within condition: (any SQLExpressible & Sendable)? = nil,
    children: [SyncChildPolicy<Model>] = [],
    requestedAt moment: SyncMoment? = nil, progress: SyncProgress.Handler? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await sync(
      payload: payload, at: path, as: model, relationshipOperations: relationshipOperations,
      deletionPolicy: Optional(deletionPolicy), requireNonEmptyFullSlice: requireNonEmptyFullSlice,
      within: condition, children: children, requestedAt: moment, progress: progress)
  }

  /// Makes the rows of one parent match a payload, with the given deletion policy.
  ///
  /// - Throws: the errors of `sync(payload:as:)`; then nothing was written.
  @discardableResult
  public func sync<Model: SyncUpdatableModel, Link: SyncParentLink>(
    payload: some SyncPayloadSource, at path: String? = nil, as model: Model.Type,
    parent: Link.Parent.SyncID, relationship: KeyPath<Model, Link>,
    relationshipOperations: SyncRelationshipOperations = .all, deletionPolicy: DeletionPolicy,
    requireNonEmptyFullSlice: Bool = false, within condition: (any SQLExpressible & Sendable)? = nil,
    children: [SyncChildPolicy<Model>] = [],
    requestedAt moment: SyncMoment? = nil, progress: SyncProgress.Handler? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await sync(
      payload: payload, at: path, as: model, parent: parent, relationship: relationship,
      relationshipOperations: relationshipOperations, deletionPolicy: Optional(deletionPolicy),
      requireNonEmptyFullSlice: requireNonEmptyFullSlice, within: condition, children: children,
      requestedAt: moment, progress: progress)
  }

  /// Makes the rows of one parent match a payload, with the given deletion policy.
  ///
  /// - Throws: the errors of `sync(payload:as:)`; then nothing was written.
  @discardableResult
  public func sync<Model: SyncUpdatableModel, Link: SyncParentLink>(
    payload: some SyncPayloadSource, at path: String? = nil, as model: Model.Type, parent: Link.Parent,
    relationship: KeyPath<Model, Link>, relationshipOperations: SyncRelationshipOperations = .all,
    deletionPolicy: DeletionPolicy, requireNonEmptyFullSlice: Bool = false,
    within condition: (any SQLExpressible & Sendable)? = nil, children: [SyncChildPolicy<Model>] = [],
    requestedAt moment: SyncMoment? = nil, progress: SyncProgress.Handler? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await sync(
      payload: payload, at: path, as: model, parent: parent[keyPath: Link.Parent.syncIdentity],
      relationship: relationship, relationshipOperations: relationshipOperations,
      deletionPolicy: Optional(deletionPolicy), requireNonEmptyFullSlice: requireNonEmptyFullSlice,
      within: condition, children: children, requestedAt: moment, progress: progress)
  }
}
