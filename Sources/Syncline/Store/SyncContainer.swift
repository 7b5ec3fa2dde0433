import Foundation
import GRDB

/// A store of models, and the calls that sync payloads into it and export rows from it.
///
/// ```swift
/// let container = try SyncContainer(for: TrackerSchema.self, storage: .file(url))
/// let report = try await container.sync(payload: data, as: Project.self)
/// let projects = try await container.database.read { db in try Project.fetchAll(db) }
/// ```
public final class SyncContainer: Sendable {
  /// The database, for reads and local edits.
  public let database: any DatabaseWriter
  /// How payloads are read and rows exported, as it was given to the container.
  public let configuration: SyncConfiguration
  /// What became of the store that was found, where it could not be opened and `recoverOnFailure` was set.
  public let recovery: StoreRecovery?
  /// What was done to the store that was found so that it fits the models; nil where nothing had to be, or it was new.
  public let evolution: SyncEvolution?
  let catalog: ModelCatalog
  let store: OpenStore
  let hub: ChangeHub

  /// Opens a store for models: creates the tables that are missing, and evolves those of another schema.
  ///
  /// A file that another connection holds is waited for, up to ten seconds; `SyncContainer.open` does so without
  /// holding up the caller.
  ///
  /// - Parameters:
  ///   - models: the models, and all that they relate to.
  ///   - storage: where the store is.
  ///   - configuration: how payloads are read and rows exported.
  ///   - recoverOnFailure: a file that is corrupt, truncated, no database, or does not fit the models is moved aside,
  ///     with what belongs to it, and a new one is made; see ``recovery``. For stores that can be filled again. A file
  ///     that is busy, open elsewhere, read-only or unreadable is never moved.
  /// - Throws: ``SyncError/schemaValidation(reason:)`` when a model's relationships lead outside of the models,
  ///   ``SyncError/containerInitialization(reason:)`` when the store cannot be opened or does not fit.
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
  /// - Throws: what opening a store for models throws.
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
      let schema = SchemaEvolution(catalog, configuration, isWhole: isWhole)
      (database, recovery, evolution) = try StoreOpening(storage: storage, schema: schema).run(
        recovering: recoverOnFailure)
      store = try OpenStore(database, of: storage, schema: schema.wholeFingerprint)
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
