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
  let catalog: ModelCatalog

  /// Opens a store for models, and creates the tables that are missing.
  ///
  /// - Throws: ``SyncError/schemaValidation(reason:)`` when a model's relationships lead outside of the models,
  ///   ``SyncError/containerInitialization(reason:)`` when the store cannot be opened or does not fit.
  public convenience init(
    for models: any SyncUpdatableModel.Type..., storage: SyncStorage = .inMemory,
    configuration: SyncConfiguration = SyncConfiguration()
  ) throws {
    try self.init(models: models, storage: storage, configuration: configuration)
  }

  /// Opens a store for the models of a schema.
  ///
  /// - Throws: as ``init(for:storage:configuration:)-(SyncUpdatableModel.Type...,_,_)``.
  public convenience init(
    for schema: any SyncSchema.Type, storage: SyncStorage = .inMemory,
    configuration: SyncConfiguration = SyncConfiguration()
  ) throws {
    try self.init(models: schema.models, storage: storage, configuration: configuration)
  }

  init(
    models: [any SyncUpdatableModel.Type], storage: SyncStorage, configuration: SyncConfiguration
  ) throws {
    self.configuration = configuration
    let catalog = try ModelCatalog(models)
    self.catalog = catalog
    do {
      database = try storage.open()
      try database.write { try TableCreation(catalog: catalog).run($0) }
    } catch let error as DatabaseError {
      throw SyncError.containerInitialization(reason: error.description)
    }
  }
}
