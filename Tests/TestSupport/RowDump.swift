import Syncline
import SynclineTesting

/// The rows of all models, with each property under its Swift name, and the rows of the join tables.
package struct RowDump: Equatable, Sendable {
  package struct Model: Equatable, Sendable {
    /// The relationships that are stored in the model's own columns.
    package let columns: [String]
    /// The relationships that are stored in another table.
    package let lists: [String]
    /// The rows by the primary key of their table.
    package let rows: [[SyncJSON]: SyncJSONObject]
  }

  package let models: [String: Model]
  /// The rows of the join tables, as text.
  package let links: Set<String>

  package init(_ store: SyncContainer, _ schema: any SyncSchema.Type) async throws {
    try await self.init(store, schema.models, StoreDump(store))
  }

  /// - Parameter dump: the tables of the store.
  package init(
    _ store: SyncContainer, _ schema: [any SyncUpdatableModel.Type], _ dump: StoreDump
  ) async throws {
    func rows(of model: (some SyncUpdatableModel).Type) async throws -> Model {
      let (key, columns) = try await store.database.read { database in
        (
          try database.primaryKey(model.databaseTableName).columns,
          Set(try database.columns(in: model.databaseTableName).map(\.name))
        )
      }
      var rows: [[SyncJSON]: SyncJSONObject] = [:]
      for row in try store.rows(of: model) { rows[key.map { row[$0] ?? .null }] = row.object }
      let names = model.syncRelationshipSchemaDescriptors.map(\.name)
      return Model(
        columns: names.filter(columns.contains), lists: names.filter { !columns.contains($0) }, rows: rows)
    }
    var models: [String: Model] = [:]
    for model in schema { models[model.databaseTableName] = try await rows(of: model) }
    self.models = models
    let names = Set(models.keys)
    var links: Set<String> = []
    for (name, rows) in dump.tables
    where !names.contains(name) && !name.hasPrefix("syncline_") {
      links.formUnion(rows.map { "\(name): \($0)" })
    }
    self.links = links
  }
}
