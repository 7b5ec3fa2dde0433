extension SyncContainer {
  /// Syncs a JSON:API document: the rows of a model and the included resources, in one transaction.
  ///
  /// A resource becomes a row of the model that matches its `type`: the model's name in any style, singular or plural (`BlogPost`
  /// matches `blog_posts`, `blog-posts` and `BlogPost`), or the name in `@TypeName("posts")`. Members of `attributes` and
  /// `relationships` are read as if they were next to `id`. Names with hyphens are read in the container's key style. Identities
  /// may be strings, whatever their type in the store.
  ///
  /// Rows that are missing from `data` are deleted by the policy, if `data` is a list of known types, and neither `links.next`
  /// nor `links.prev` refers to another page. Included resources cause no deletions. Resources whose type matches no model are
  /// reported and skipped.
  ///
  /// ```swift
  /// let report = try await container.sync(jsonAPI: body, as: Article.self)
  /// ```
  ///
  /// For pages and validators, use ``SyncDocument`` as the payload.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - model: the model of the rows in `data`.
  ///   - relationshipOperations: which changes of links and nested rows the sync may make.
  ///   - deletionPolicy: what happens to rows that are missing from the document; nil for the model's default.
  ///   - moment: ``SyncContainer/moment``, read before the payload was requested; nil if nothing was pushed meanwhile.
  ///   - isolation: the actor of the caller.
  /// - Throws: the errors of `sync(payload:as:)`, and ``SyncError/invalidPayload(model:reason:)`` for a document of errors, or
  ///   one whose `data` has only resources of other models.
  @discardableResult
  @_disfavoredOverload
  public func sync<Model: SyncUpdatableModel>(
    jsonAPI document: some SyncPayloadSource, as model: Model.Type,
    relationshipOperations: SyncRelationshipOperations = .all, deletionPolicy: DeletionPolicy? = nil,
    requestedAt moment: SyncMoment? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await sync(
      payload: SyncDocument(document), as: model, relationshipOperations: relationshipOperations,
      deletionPolicy: deletionPolicy, requestedAt: moment, isolation: isolation)
  }

  // As an argument for an optional parameter, `.none` would be nil: the model's default, which deletes.

  /// Syncs a JSON:API document, with the given deletion policy.
  ///
  /// - Throws: the same errors as the other form.
  @discardableResult
  public func sync<Model: SyncUpdatableModel>(
    jsonAPI document: some SyncPayloadSource, as model: Model.Type,
    relationshipOperations: SyncRelationshipOperations = .all, deletionPolicy: DeletionPolicy,
    requestedAt moment: SyncMoment? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await sync(
      payload: SyncDocument(document), as: model, relationshipOperations: relationshipOperations,
      deletionPolicy: deletionPolicy, requestedAt: moment, isolation: isolation)
  }

  /// Syncs a JSON:API document, and takes the model from the types in `data`.
  ///
  /// If all resources in `data` have one type, missing rows of its model are deleted by the model's default, as in a sync of that
  /// model. If they have several types, nothing is deleted.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` if no model has any of the types, and the errors of the other
  ///   form.
  @discardableResult
  public func sync(
    jsonAPI document: some SyncPayloadSource, relationshipOperations: SyncRelationshipOperations = .all,
    requestedAt moment: SyncMoment? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    let bytes = try document.syncPayloadBytes()
    let (models, isOne) = try bytes.withUnsafeBytes { try PayloadDocument.models(of: $0, in: catalog) }
    guard let model = models.first else { return SyncReport() }
    return try await sync(
      jsonAPI: SyncDocument(bytes), as: model, relationshipOperations: relationshipOperations,
      deletionPolicy: isOne ? nil : DeletionPolicy.none, requestedAt: moment, isolation: isolation)
  }
}
