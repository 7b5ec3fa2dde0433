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
  public let configuration: SyncConfiguration
  /// What became of the store that was found, where it could not be opened and `recoverOnFailure` was set.
  public let recovery: StoreRecovery?
  let catalog: ModelCatalog

  /// Opens a store for models, and creates the tables that are missing.
  ///
  /// - Parameters:
  ///   - models: the models, and all that they relate to.
  ///   - storage: where the store is.
  ///   - configuration: how payloads are read and rows exported.
  ///   - recoverOnFailure: a file that is corrupt or does not fit the models is moved aside, with what belongs to it,
  ///     and a new one is made; see ``recovery``. For stores that can be filled again. A file that is busy or must not be
  ///     read is never moved.
  /// - Throws: ``SyncError/schemaValidation(reason:)`` when a model's relationships lead outside of the models,
  ///   ``SyncError/containerInitialization(reason:)`` when the store cannot be opened or does not fit.
  public convenience init(
    for models: any SyncUpdatableModel.Type..., storage: SyncStorage = .inMemory,
    configuration: SyncConfiguration = SyncConfiguration(), recoverOnFailure: Bool = false
  ) throws {
    try self.init(
      models: models, storage: storage, configuration: configuration, recoverOnFailure: recoverOnFailure)
  }

  /// Opens a store for the models of a schema.
  ///
  /// - Throws: what opening a store for models throws.
  public convenience init(
    for schema: any SyncSchema.Type, storage: SyncStorage = .inMemory,
    configuration: SyncConfiguration = SyncConfiguration(), recoverOnFailure: Bool = false
  ) throws {
    try self.init(
      models: schema.models, storage: storage, configuration: configuration,
      recoverOnFailure: recoverOnFailure)
  }

  init(
    models: [any SyncUpdatableModel.Type], storage: SyncStorage, configuration: SyncConfiguration,
    recoverOnFailure: Bool
  ) throws {
    self.configuration = configuration
    let catalog = try ModelCatalog(models)
    self.catalog = catalog
    do {
      do {
        database = try SyncContainer.open(storage, catalog)
        recovery = nil
      } catch  where recoverOnFailure && SyncStorage.isBeyondRepair(error) {
        guard let moved = try storage.moveAside(), !moved.isEmpty else { throw error }
        database = try SyncContainer.open(storage, catalog)
        recovery = StoreRecovery(reason: "\(error)", movedFiles: moved)
      }
    } catch let error as DatabaseError {
      throw SyncError.containerInitialization(reason: error.description)
    }
  }

  private static func open(_ storage: SyncStorage, _ catalog: ModelCatalog) throws -> any DatabaseWriter {
    let database = try storage.open()
    try database.write { try TableCreation(catalog: catalog).run($0) }
    return database
  }
}
