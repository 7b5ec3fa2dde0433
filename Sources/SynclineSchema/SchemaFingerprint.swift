import SynclineNaming

extension SyncSchemaSnapshot {
  /// A short string that is equal for schemas with equivalent stores. It ignores the order of declarations, former names,
  /// defaults and JSON keys.
  public var fingerprint: String {
    var hash = StableHash()
    for model in models.sorted(by: { $0.name < $1.name }) {
      hash.add("model", model.name, model.identity, model.parentScope ?? "")
      if model.isOffline { hash.add("offline") }
      if model.isSingleton { hash.add("singleton") }
      for part in model.identityParts { hash.add("part", part) }
      for property in model.properties.sorted(by: { $0.name < $1.name }) {
        hash.add("property", property.name, property.type)
        switch property.kind {
        case .value:
          hash.add("value")
          if property.isUnique { hash.add("unique", model.softDelete ?? "") }
        case .toOne(_, let isUnique): hash.add(isUnique ? "unique" : "toOne")
        case .inverse(let column, _, _): hash.add("inverse", column)
        case .links(_, let table, let isSource): hash.add(isSource ? "source" : "target", table)
        }
      }
      for index in model.indexes.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        hash.add("index")
        for column in index { hash.add(column) }
      }
    }
    return hash.text
  }
}
