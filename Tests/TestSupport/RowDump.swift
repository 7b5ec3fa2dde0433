import Syncline
import SynclineTesting

/// The rows of all models, each property under its Swift name.
package struct RowDump: Equatable, Sendable {
  package struct Model: Equatable, Sendable {
    /// The names of the properties that are relationships.
    package let relationships: [String]
    /// The rows by the values of their table's primary key.
    package let rows: [[SyncJSON]: SyncJSONObject]
  }

  package let models: [String: Model]

  package init(_ store: SyncContainer, _ schema: any SyncSchema.Type) async throws {
    func dump(_ model: (some SyncUpdatableModel).Type) async throws -> Model {
      let key = try await store.database.read { try $0.primaryKey(model.databaseTableName).columns }
      var rows: [[SyncJSON]: SyncJSONObject] = [:]
      for row in try await store.rows(of: model) {
        rows[key.map { row[$0] ?? .null }] = row.object
      }
      return Model(relationships: model.syncRelationshipSchemaDescriptors.map(\.name), rows: rows)
    }
    var models: [String: Model] = [:]
    for model in schema.models { models[model.databaseTableName] = try await dump(model) }
    self.models = models
  }
}
