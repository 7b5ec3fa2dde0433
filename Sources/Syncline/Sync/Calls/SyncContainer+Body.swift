extension SyncContainer {
  /// Syncs several lists, items and changes of one body, in one transaction.
  ///
  /// The body is read once. Links are made, and required rows are checked, after all of it was read, so the order of the lists does
  /// not matter. A part that is absent or null changes and deletes nothing.
  ///
  /// ```swift
  /// let body = #"{"tasks": [{"id": 1, "title": "Write", "project_id": 7}], "projects": [{"id": 7, "name": "Book"}]}"#
  /// let report = try await container.sync(payload: body) {
  ///   $0.list("projects", as: Project.self)
  ///   $0.list("tasks", as: Task.self)
  /// }
  /// ```
  ///
  /// The validator and the cursor of a ``SyncResponse`` are stored for the model of the part that the closure adds
  /// first.
  ///
  /// - Parameters:
  ///   - payload: a JSON object; see ``SyncPayloadSource`` for what it may be.
  ///   - relationshipOperations: which changes of links and nested rows the sync may make.
  ///   - moment: ``SyncContainer/moment``, read before the payload was requested; nil if nothing was pushed meanwhile. A part is skipped
  ///     if a response that was requested later was already synced for it; then no validator and no cursor is stored.
  ///   - parts: a closure that adds the parts of the body.
  ///   - progress: a closure that is called with the progress of the sync.
  ///   - isolation: the actor of the caller.
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for a body that has none of the parts, or has one in another form, and
  ///   the errors of `sync(payload:as:)`; then nothing was written.
  @discardableResult
  public func sync(
    payload: some SyncPayloadSource, relationshipOperations: SyncRelationshipOperations = .all,
    requestedAt moment: SyncMoment? = nil, _ parts: (inout SyncBody) -> Void,
    progress: SyncProgress.Handler? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      let bytes = try payload.syncPayloadBytes()
      var body = SyncBody()
      parts(&body)
      let call = CallContext(
        container: self, isLines: bytes.isLines, operations: relationshipOperations, progress: progress,
        requestedAt: moment)
      return try SyncCall(bodyOf: body.parts(of: call), bytes)
    }
  }
}
