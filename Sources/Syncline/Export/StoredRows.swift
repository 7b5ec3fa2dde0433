import GRDB

extension SyncContainer {
  /// The stored rows of a model under their Swift names, for tests.
  package func storedRows<Model: SyncUpdatableModel>(of model: Model.Type) throws -> [SyncJSON] {
    try database.read { database in
      let table = try catalog.entry(for: model).table
      let context = SyncExportContext(database, catalog, configuration)
      let rows = try Model.fetchAll(database).map { row in
        (row, row[keyPath: Model.syncIdentity].syncIdentity)
      }
      return try rows.sorted { $0.1 < $1.1 }.map { row, identity in
        let encoder = SyncColumnEncoder(jsonCount: table.columnCount)
        try row.encodeColumns(to: encoder)
        var object = SyncJSONObject()
        for (position, property) in table.properties.enumerated() {
          guard !property.isStored else {
            object[property.name] = encoder.json[position]
            continue
          }
          let identities = try context.identities(property, of: identity).map(\.json)
          object[property.name] = property.isToMany ? .array(identities) : identities.first ?? .null
        }
        return .object(object)
      }
    }
  }
}
