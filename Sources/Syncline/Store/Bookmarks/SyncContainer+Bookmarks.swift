import GRDB

extension SyncContainer {
  /// Where a server goes on with the rows of a model: the cursor of the last page that is stored.
  ///
  /// It is written in the transaction of its page, so it is never ahead of the rows; and it is forgotten when the schema reads
  /// one of the models in another way that its pages touched, since what was stored before lacks what is read now.
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
  ///   - name: which of the model's cursors it is, as given to `sync(pages:)`.
  /// - Returns: nil where the rows are to be asked for from the start.
  /// - Throws: ``SyncError/storeBusy(reason:)`` and its like where the store cannot be read,
  ///   ``SyncError/reentrantCall(reason:)`` within a read or a write of the database.
  public func cursor<Model: SyncUpdatableModel>(for model: Model.Type, _ name: String = "") throws -> String?
  {
    try readStore { try bookmark(.cursor, of: model, name, $0) }
  }

  /// Where a server goes on with the rows of a model, without holding up the caller.
  ///
  /// - Throws: what the other form throws.
  public func cursor<Model: SyncUpdatableModel>(
    for model: Model.Type, _ name: String = ""
  ) async throws -> String? {
    try await readStore { [self] in try bookmark(.cursor, of: model, name, $0) }
  }

  /// The validators of the response that was synced last, to ask whether there is a newer one.
  ///
  /// They are written in the transaction of the sync, and forgotten as a cursor is.
  ///
  /// ```swift
  /// if let validator = try await container.validator(for: Task.self) {
  ///   for (name, value) in validator.requestFields { request.setValue(value, forHTTPHeaderField: name) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - model: the model of the rows.
  ///   - name: which of the model's responses it is, as given to ``SyncResponse``.
  /// - Throws: ``SyncError/storeBusy(reason:)`` and its like where the store cannot be read,
  ///   ``SyncError/reentrantCall(reason:)`` within a read or a write of the database.
  public func validator<Model: SyncUpdatableModel>(
    for model: Model.Type, _ name: String = ""
  ) throws -> SyncValidator? {
    try readStore { try bookmark(.validator, of: model, name, $0) }
      .flatMap(SyncValidator.init(stored:))
  }

  /// The validators of the response that was synced last, without holding up the caller.
  ///
  /// - Throws: what the other form throws.
  public func validator<Model: SyncUpdatableModel>(
    for model: Model.Type, _ name: String = ""
  ) async throws -> SyncValidator? {
    try await readStore { [self] in try bookmark(.validator, of: model, name, $0) }
      .flatMap(SyncValidator.init(stored:))
  }

  private func readStore<T>(_ body: (Database) throws -> T) throws -> T {
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
    let bookmark = try StoredBookmarks(database).bookmark(.init(kind: kind, model: table.name, name: name))
    guard let bookmark, catalog.models(ofReading: bookmark.models, in: configuration.keyStyle) != nil else {
      return nil
    }
    return bookmark.value
  }
}
