import Foundation
import GRDB

/// Opens a store for your models, syncs payloads into it, and exports its rows.
///
/// A sync inserts, updates, links and deletes rows in one transaction. If it throws, nothing was written. `sync(pages:as:)`
/// uses a transaction for each page, and keeps the pages that came before an error.
///
/// ```swift
/// let container = try SyncContainer(for: AppSchema.self, storage: .file(url))
/// let report = try await container.sync(payload: #"[{"id": 1, "title": "Write"}]"#, as: Task.self)
/// print(report.inserted)  // 1
/// let tasks = try await container.database.read { db in try Task.fetchAll(db) }
/// ```
///
/// A container is `Sendable`: all tasks and actors of a program can share one. The syncs of a store run one at a time, in the
/// order in which they were called.
///
/// ## Topics
///
/// ### Reading and writing rows of your own
///
/// - ``SyncContainer/database``
///
/// ### Syncing
///
/// - ``SyncContainer/sync(item:at:as:relationshipOperations:children:requestedAt:progress:isolation:)``
/// - ``SyncContainer/sync(item:at:as:relationshipOperations:requestedAt:isolation:)``
/// - ``SyncContainer/sync(payload:relationshipOperations:requestedAt:_:progress:isolation:)``
/// - ``SyncContainer/sync(changes:at:as:keys:relationshipOperations:children:requestedAt:isolation:)``
/// - ``SyncContainer/sync(changes:at:as:parent:relationship:keys:relationshipOperations:children:requestedAt:isolation:)``
/// - ``SyncContainer/sync(jsonAPI:relationshipOperations:requestedAt:isolation:)``
///
/// ### Following the store
///
/// - ``SyncContainer/values(of:where:orderBy:limit:refreshOn:)``
/// - ``SyncContainer/values(of:where:orderBy:limit:relationship:relationshipID:refreshOn:)``
/// - ``SyncContainer/value(of:id:refreshOn:)``
/// - ``SyncContainer/values(_:)``
/// - ``SyncContainer/changes()``
///
/// ### Exporting to files and streams
///
/// - ``SyncContainer/exportData(as:nulls:to:)``
/// - ``SyncContainer/exportData(as:parent:relationship:nulls:to:)``
/// - ``SyncContainer/exportChunks(as:nulls:)``
/// - ``SyncContainer/exportChunks(as:parent:relationship:nulls:)``
///
/// ### Inspecting the container
///
/// - ``SyncContainer/configuration``
/// - ``SyncContainer/recovery``
/// - ``SyncContainer/evolution``
///
/// ### Maintaining the file
///
/// - ``SyncContainer/checkpoint()``
public final class SyncContainer: Sendable {
  /// The database, for reads and local edits.
  public let database: any DatabaseWriter
  /// How payloads are read and rows exported, as given to the initializer.
  public let configuration: SyncConfiguration
  /// The replacement of the store, if it could not be opened and `recoverOnFailure` was set; otherwise nil.
  public let recovery: StoreRecovery?
  /// The migration of an existing store to the schema of the models; nil if none was necessary, or the store
  /// was new.
  public let evolution: SyncEvolution?
  let catalog: ModelCatalog
  let store: OpenStore
  let hub: ChangeHub

  /// Opens a store for models: creates missing tables, and migrates tables of an earlier schema.
  ///
  /// If another connection has locked the file, the initializer blocks for up to ten seconds; `SyncContainer.open` waits
  /// without blocking the caller.
  ///
  /// - Parameters:
  ///   - models: the models, and all models that they relate to.
  ///   - storage: where the store is.
  ///   - configuration: how payloads are read and rows exported.
  ///   - recoverOnFailure: whether to replace a file that is corrupt, truncated, not a database, or does not fit the models by a
  ///     new store. The file and its companions are renamed; see ``recovery``. Use it for stores that you can fill again. A file
  ///     that is busy, open elsewhere, read-only or unreadable is never renamed, nor is any file because of a mistake in the
  ///     program, such as a step of an evolution that throws.
  /// - Throws: ``SyncError/schemaValidation(reason:)`` when the target of a relationship is not among the models,
  ///   ``SyncError/containerInitialization(reason:)`` when the store cannot be opened or does not fit, or when another connection
  ///   holds its lock for more than ten seconds.
  public convenience init(
    for models: any SyncUpdatableModel.Type..., storage: SyncStorage = .inMemory,
    configuration: SyncConfiguration = SyncConfiguration(), recoverOnFailure: Bool = false
  ) throws {
    try self.init(
      models: models, isWhole: false, storage: storage, configuration: configuration,
      recoverOnFailure: recoverOnFailure)
  }

  /// Opens a store for the models of a schema.
  ///
  /// - Throws: the same errors as the form for models.
  public convenience init(
    for schema: any SyncSchema.Type, storage: SyncStorage = .inMemory,
    configuration: SyncConfiguration = SyncConfiguration(), recoverOnFailure: Bool = false
  ) throws {
    try self.init(
      models: schema.models, isWhole: true, storage: storage, configuration: configuration,
      recoverOnFailure: recoverOnFailure)
  }

  package init(
    models: [any SyncUpdatableModel.Type], isWhole: Bool, storage: SyncStorage,
    configuration: SyncConfiguration,
    recoverOnFailure: Bool
  ) throws {
    self.configuration = configuration
    catalog = try ModelCatalog(models)
    do {
      if case .database(let writer) = storage,
        let reason = try writer.writeWithoutTransaction(catalog.hiddenTable)
      {
        throw StoreMisfit(reason: reason)
      }
      let schema = SchemaEvolution(catalog, configuration, isWhole: isWhole)
      (database, recovery, evolution) = try StoreOpening(storage: storage, schema: schema).run(
        recovering: recoverOnFailure)
      store = try OpenStore(database, of: storage, schema: schema.wholeFingerprint, configuration.sources)
      hub = ChangeHub(database, catalog)
      if let recovery { configuration.logger?.warning("\(recovery)") }
      if let evolution {
        let changes = evolution.changes.map(\.description).joined(separator: "; ")
        configuration.logger?.warning("The store was evolved: \(changes)")
      }
    } catch let error as StoreMisfit {
      throw SyncError.containerInitialization(reason: error.reason)
    } catch let error as DatabaseError {
      throw SyncError.containerInitialization(reason: error.description)
    }
  }
}
