import GRDB

extension SyncContainer {
  /// The stored rows of a model under their Swift names, for tests. Blocks until they are read.
  package func storedRows<Model: SyncUpdatableModel>(of model: Model.Type) throws -> [SyncJSON] {
    try blockingExport(of: Model.syncTable, nulls: .write) { try $0.storedRows(of: model) }
  }
}

extension SyncExportContext {
  fileprivate func storedRows<Model: SyncUpdatableModel>(of model: Model.Type) throws -> [SyncJSON] {
    let table = try table(of: model)
    let rows = try values(of: model, in: table).map { row in
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
        let identities = try identities(property, of: identity).map(\.json)
        object[property.name] = property.isToMany ? .array(identities) : identities.first ?? .null
      }
      return .object(object)
    }
  }
}
