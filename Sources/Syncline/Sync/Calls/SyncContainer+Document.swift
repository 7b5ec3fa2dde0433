import Foundation

extension SyncContainer {
  /// Syncs a document of JSON:API: the rows of a model, and all that is included with them, in one transaction.
  ///
  /// A resource is a row of the model that its `type` names: the model's name in any style, as one or as many (`BlogPost` is
  /// `blog_posts`, `blog-posts`, `BlogPost`), or what `@TypeName("posts")` says. What stands in its `attributes` and
  /// `relationships` is read as if it stood beside its `id`; names with hyphens are read in the container's style, and
  /// identities are text, whatever they are in the store.
  ///
  /// Rows of the model that `data` does not name are deleted by the policy, where it is a list of known types, and neither
  /// `links.next` nor `links.prev` says that it is a page of it. What is included deletes nothing. Types that no model has are
  /// reported, and passed over.
  ///
  /// ```swift
  /// let report = try await container.sync(jsonAPI: body, as: Article.self)
  /// ```
  ///
  /// In pages, and with validators, ``SyncDocument`` is the payload.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - model: the model of the rows in `data`.
  ///   - relationshipOperations: which relationship work is done.
  ///   - deletionPolicy: what happens to rows the document does not name; nil for the model's default.
  ///   - isolation: the actor that waits: the caller's.
  /// - Throws: what `sync(payload:as:)` throws, and ``SyncError/invalidPayload(model:reason:)`` for a document of errors, or
  ///   without a resource of the model.
  @discardableResult
  @_disfavoredOverload
  public func sync<Model: SyncUpdatableModel>(
    jsonAPI document: some SyncPayloadSource, as model: Model.Type,
    relationshipOperations: SyncRelationshipOperations = .all, deletionPolicy: DeletionPolicy? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await sync(
      payload: SyncDocument(document), as: model, relationshipOperations: relationshipOperations,
      deletionPolicy: deletionPolicy, isolation: isolation)
  }

  // With an optional policy, `.none` would mean no policy, which is the model's default, and delete.

  /// Syncs a document of JSON:API, with a deletion policy of the call's own.
  ///
  /// - Throws: what the other form throws.
  @discardableResult
  public func sync<Model: SyncUpdatableModel>(
    jsonAPI document: some SyncPayloadSource, as model: Model.Type,
    relationshipOperations: SyncRelationshipOperations = .all, deletionPolicy: DeletionPolicy,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await sync(
      payload: SyncDocument(document), as: model, relationshipOperations: relationshipOperations,
      deletionPolicy: deletionPolicy, isolation: isolation)
  }

  /// Syncs a document of JSON:API, whose model is told by the types in `data`.
  ///
  /// Where these are of one type, rows of it that are not named are deleted by the model's default, as in a sync of that model.
  /// Where they are of several, nothing is.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for a document whose types no model has; else what the other
  ///   form throws.
  @discardableResult
  public func sync(
    jsonAPI document: some SyncPayloadSource, relationshipOperations: SyncRelationshipOperations = .all,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    let bytes = try document.syncPayloadBytes()
    let (models, isOne) = try bytes.withUnsafeBytes { try PayloadDocument.models(of: $0, in: catalog) }
    guard let model = models.first else { return SyncReport() }
    return try await sync(
      SyncDocument(bytes), as: model, relationshipOperations, deletes: isOne, isolation)
  }

  private func sync<Model: SyncUpdatableModel>(
    _ document: SyncDocument, as model: Model.Type, _ operations: SyncRelationshipOperations, deletes: Bool,
    _ isolation: isolated (any Actor)?
  ) async throws -> SyncReport {
    guard deletes else {
      return try await sync(
        payload: document, as: model, relationshipOperations: operations,
        deletionPolicy: DeletionPolicy.none, isolation: isolation)
    }
    return try await sync(
      payload: document, as: model, relationshipOperations: operations, isolation: isolation)
  }
}
