import Foundation
import GRDB

/// Local edits that are not pushed yet, of models with `@Offline`.
extension SyncContainer {
  /// The table of the flag that each sync sets while it runs, for `expectUnchanged`.
  package static let flagTable = EditTriggers.gate

  /// The local edits of a model's rows, in the order in which they are pushed: each row after the rows that
  /// it requires, and deletions last.
  ///
  /// Every local change is an edit: by records, SQL, another program or a trigger. A row that was changed back to the server's
  /// values has no edit. The time depends on the number of edited rows.
  ///
  /// - Throws: ``SyncError/schemaValidation(reason:)`` for a model without `@Offline`,
  ///   ``SyncError/unreadableRow(model:reason:)`` if a value of an edited row is not one of its type (``pendingChanges()`` lists
  ///   these rows, too), or the database's error.
  public func pendingChanges<Model: SyncUpdatableModel>(
    for model: Model.Type
  ) async throws -> [SyncPendingChange<Model>] {
    _ = try offlineModel(model)
    return try await readChanges { changes in
      try changes.all(of: model).compactMap { try SyncPendingChange($0, in: changes) }
    }
  }

  /// Whether any row of any model has local edits that are not pushed.
  ///
  /// - Throws: the database's error.
  public func hasPendingChanges() async throws -> Bool {
    try await readChanges { try $0.hasAny() }
  }

  /// The state of the local edit of a row; nil if the row has none. Each call reads the store: for the rows of a list use
  /// ``pendingEdits(for:)``, which reads once for all rows.
  ///
  /// - Throws: ``SyncError/schemaValidation(reason:)`` for a model without `@Offline`, or the database's error.
  public func pendingState<Model: SyncUpdatableModel>(of row: Model) async throws -> SyncPendingState? {
    let model = try offlineModel(Model.self)
    let key = LinkedRow(model.entry.number, try row.rowKey)
    return try await readChanges { try $0.state(of: key) }
  }

  // MARK: Giving up

  /// Restores the server's last version of a row, and drops its local edit. If a push of the row has no response yet, its change is
  /// kept until the response arrives. Does nothing if the row no longer has an edit.
  ///
  /// A new row is deleted, and so is a row that the server no longer has. Rows that were deleted together with the row are
  /// restored, and links to it. If the row itself lacks a link because the deletion of the linked row is pending, the change is
  /// kept, and the link is restored when that deletion is discarded.
  ///
  /// - Throws: ``SyncError/schemaValidation(reason:)`` for a model without `@Offline`, ``SyncError/storeBusy(reason:)`` or a similar
  ///   error if the store cannot be written, or the database's error.
  public func discard<Model: SyncUpdatableModel>(_ change: SyncPendingChange<Model>) async throws {
    let model = try offlineModel(Model.self)
    try await writeChanges { try $0.discard(change.rowKey, model) }
  }

  /// Drops all local edits of all models, and restores the server's last version of their rows. Call it when a
  /// user signs out.
  ///
  /// - Throws: ``SyncError``, or the database's error.
  public func discardAllPendingChanges() async throws {
    try await writeChanges { try $0.discardAll() }
  }

  /// Marks a rejected change, so that the next push sends it again. Does nothing if the change has been sent and
  /// has no response yet.
  ///
  /// - Parameters:
  ///   - change: the change.
  ///   - kind: `.insert` to send all properties of a row that the server no longer has, as a new row; nil to keep the
  ///     kind of the change.
  /// - Throws: ``SyncError``, or the database's error.
  public func retry<Model: SyncUpdatableModel>(
    _ change: SyncPendingChange<Model>, as kind: SyncPendingKind? = nil
  ) async throws {
    let model = try offlineModel(Model.self)
    try await writeChanges { try $0.retry(change.rowKey, model, asNew: kind == .insert) }
  }

  // MARK: Access

  /// - Throws: ``SyncError/schemaValidation(reason:)`` for a model without `@Offline`.
  func offlineModel(_ model: any SyncUpdatableModel.Type) throws -> OfflineModel {
    guard let model = catalog.offlineModel(try catalog.entry(for: model).number) else {
      throw SyncError.schemaValidation(
        reason: "local edits of \(model.databaseTableName) are not kept: the model has no `@Offline`")
    }
    return model
  }

  func readChanges<T: Sendable>(_ body: @Sendable @escaping (PendingChanges) throws -> T) async throws -> T {
    try await readStore { [self] in try body(changes(in: $0)) }
  }

  func changes(in database: Database) -> PendingChanges {
    PendingChanges(database: database, catalog: catalog, configuration: configuration)
  }

  /// Runs a closure in a transaction, in its turn among the store's syncs. The triggers do not record what it writes.
  func writeChanges<T: Sendable>(_ body: @Sendable @escaping (PendingChanges) throws -> T) async throws -> T {
    let place = store.queue.take()
    defer { place.leave() }
    let cancellation = CancellationFlag()
    do {
      try store.checkIsWritable()
      try await place.turn()
      return try await write(cancellation) { [self] database in
        var result: T?
        try database.transaction(.immediate) {
          let hasTriggers = !catalog.offlineModels.isEmpty
          if hasTriggers { try EditTriggers.setGate(database, isSyncing: true) }
          result = try body(changes(in: database))
          if hasTriggers { try EditTriggers.setGate(database, isSyncing: false) }
          return .commit
        }
        guard let result else { throw SyncError.cancelled }
        return result
      }
    } catch {
      throw SyncError.ofSync(error, isCancelled: cancellation.isSet)
    }
  }
}
