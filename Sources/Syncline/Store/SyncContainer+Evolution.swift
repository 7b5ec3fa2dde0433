import GRDB
import SynclineSchema

extension SyncContainer {
  /// What opening a store for the models of a schema would do to it, without touching it: for a look before an update.
  ///
  /// The steps of a configuration are not run: what they would mend is among the obstacles.
  ///
  /// ```swift
  /// let evolution = try SyncContainer.evolution(for: TrackerSchema.self, storage: .file(url))
  /// print(evolution.rebuiltTables)
  /// ```
  ///
  /// - Returns: what would be done; for a store that is not there, how it would be made.
  /// - Throws: ``SyncError/schemaValidation(reason:)`` and ``SyncError/containerInitialization(reason:)``, as opening does.
  public static func evolution(
    for schema: any SyncSchema.Type, storage: SyncStorage
  ) throws -> SyncEvolution {
    try evolution(of: schema.models, isWhole: true, storage)
  }

  /// What opening a store for models would do to it, without touching it.
  ///
  /// - Throws: what the other form does.
  public static func evolution(
    for models: any SyncUpdatableModel.Type..., storage: SyncStorage
  ) throws -> SyncEvolution {
    try evolution(of: models, isWhole: false, storage)
  }

  /// Makes the tables of a schema that has no models: a store as an earlier version of a program has left it.
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
      return try storage.look(schema.preview) ?? DatabaseQueue().read(schema.preview)
    } catch let error as DatabaseError {
      throw SyncError.containerInitialization(reason: error.description)
    }
  }
}
