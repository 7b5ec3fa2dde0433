import GRDB

extension SyncContainer {
  /// Returns the cursor that was stored with the last page of a model's rows. Send it to the server to
  /// request the next page.
  ///
  /// The cursor is written in the transaction of its page, so the rows before it are always stored. It is removed if a new schema
  /// changes how a model of its pages is read, because the stored rows then lack the new values.
  ///
  /// ```swift
  /// let pages = SyncPages(startingAt: try await container.cursor(for: Task.self)) { cursor in
  ///   try await api.tasks(after: cursor)
  /// }
  /// try await container.sync(pages: pages, as: Task.self)
  /// ```
  ///
  /// - Parameters:
  ///   - model: the model of the rows.
  ///   - name: the name of the cursor, as given to `sync(pages:)`.
  /// - Returns: nil if you must request the rows from the start.
  /// - Throws: ``SyncError/storeBusy(reason:)`` or a similar error if the store cannot be read,
  ///   ``SyncError/reentrantCall(reason:)`` inside a database access.
  public func cursor<Model: SyncUpdatableModel>(for model: Model.Type, _ name: String = "") throws -> String?
  {
    try readStore { try bookmark(.cursor, of: model, name, $0) }
  }

  /// Returns the cursor of the last stored page of a model's rows without blocking the caller.
  ///
  /// - Throws: the same errors as the blocking form.
  public func cursor<Model: SyncUpdatableModel>(
    for model: Model.Type, _ name: String = ""
  ) async throws -> String? {
    try await readStore { [self] in try bookmark(.cursor, of: model, name, $0) }
  }

  /// Returns the validator of the last synced response, for a conditional request.
  ///
  /// It is written in the transaction of the sync, and removed in the same cases as a cursor.
  ///
  /// ```swift
  /// if let validator = try await container.validator(for: Task.self) {
  ///   for (name, value) in validator.requestFields { request.setValue(value, forHTTPHeaderField: name) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - model: the model of the rows.
  ///   - name: the name of the response, as given to ``SyncResponse``.
  /// - Throws: ``SyncError/storeBusy(reason:)`` or a similar error if the store cannot be read,
  ///   ``SyncError/reentrantCall(reason:)`` inside a database access.
  public func validator<Model: SyncUpdatableModel>(
    for model: Model.Type, _ name: String = ""
  ) throws -> SyncValidator? {
    try readStore { try bookmark(.validator, of: model, name, $0) }
      .flatMap(SyncValidator.init(stored:))
  }

  /// Returns the validator of the last synced response without blocking the caller.
  ///
  /// - Throws: the same errors as the blocking form.
  public func validator<Model: SyncUpdatableModel>(
    for model: Model.Type, _ name: String = ""
  ) async throws -> SyncValidator? {
    try await readStore { [self] in try bookmark(.validator, of: model, name, $0) }
      .flatMap(SyncValidator.init(stored:))
  }

  /// Reads, and blocks until the read has ended. Throws the errors that syncs throw.
  func readStore<T>(_ body: (Database) throws -> T) throws -> T {
    do {
      return try database.snapshot(body)
    } catch {
      throw SyncError.ofSync(error, isCancelled: false)
    }
  }

  /// Reads without waiting for the writer. Throws the errors that syncs throw.
  func readStore<T: Sendable>(_ body: @Sendable @escaping (Database) throws -> T) async throws -> T {
    do {
      return try await database.snapshot(body)
    } catch {
      throw SyncError.ofSync(error, isCancelled: _Concurrency.Task.isCancelled)
    }
  }

  private func bookmark<Model: SyncUpdatableModel>(
    _ kind: StoredBookmarks.Kind, of model: Model.Type, _ name: String, _ database: Database
  ) throws -> String? {
    let table = try catalog.entry(for: model).table
    let bookmark = try StoredBookmarks(database: database).bookmark(
      .init(kind: kind, model: table.name, name: name))
    let style = configuration.ofCall(about: table).style
    guard let bookmark, catalog.models(ofReading: bookmark.models, in: style) != nil else { return nil }
    return bookmark.value
  }

  /// The current moment. Read it before you request a payload from a server, and pass it as `requestedAt:` to
  /// the sync of that payload.
  ///
  /// The sync does not change rows whose push ended after that moment, because the payload may not contain the
  /// pushed values yet.
  public var moment: SyncMoment { configuration.sources.moment() }
}
