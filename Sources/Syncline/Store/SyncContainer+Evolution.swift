import GRDB
import SynclineSchema

extension SyncContainer {
  /// Returns the changes that opening a store for the models of a schema would make, without changing the store.
  ///
  /// The closures `beforeEvolution` and `afterEvolution` of a configuration do not run, so problems that they
  /// would fix are listed as obstacles.
  ///
  /// ```swift
  /// let evolution = try SyncContainer.evolution(for: TrackerSchema.self, storage: .file(url))
  /// print(evolution.rebuiltTables)
  /// ```
  ///
  /// - Returns: the changes; for a store that does not exist, the statements that would create it.
  /// - Throws: ``SyncError/schemaValidation(reason:)`` and ``SyncError/containerInitialization(reason:)`` in the same cases
  ///   as the initializer.
  public static func evolution(
    for schema: any SyncSchema.Type, storage: SyncStorage
  ) throws -> SyncEvolution {
    try evolution(of: schema.models, isWhole: true, storage)
  }

  /// Returns the changes that opening a store for models would make, without changing the store.
  ///
  /// - Throws: the same errors as the form for a schema.
  public static func evolution(
    for models: any SyncUpdatableModel.Type..., storage: SyncStorage
  ) throws -> SyncEvolution {
    try evolution(of: models, isWhole: false, storage)
  }

  /// Creates the tables of a schema without models: a store as an earlier version of a program left it.
  package static func makeStore(of schema: SyncSchemaSnapshot, in database: any DatabaseWriter) throws {
    _ = try SchemaEvolution(to: schema).run(database)
  }

  /// The schema of the container's models.
  package var schema: SyncSchemaSnapshot { SyncSchemaSnapshot(catalog) }

  private static func evolution(
    of models: [any SyncUpdatableModel.Type], isWhole: Bool, _ storage: SyncStorage
  ) throws -> SyncEvolution {
    let schema = SchemaEvolution(try ModelCatalog(models), SyncConfiguration(), isWhole: isWhole)
    do {
      return try storage.look(schema.preview) ?? DatabaseQueue().snapshot(schema.preview)
    } catch let error as DatabaseError {
      throw SyncError.containerInitialization(reason: error.description)
    }
  }
}
