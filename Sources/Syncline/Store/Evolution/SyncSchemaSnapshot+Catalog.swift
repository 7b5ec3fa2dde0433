import SynclineSchema

extension SyncSchemaSnapshot {
  /// The schema of a catalog's generated models. The tables of other models belong to the user.
  init(_ catalog: ModelCatalog) {
    self.init(models: catalog.tables.filter(\.isGenerated).map(Model.init))
  }
}

extension SchemaModel {
  fileprivate init(_ table: SyncTable) {
    func name(_ position: Int) -> String { table.properties[position].name }
    self.init(
      name: table.name, identity: table.identityProperty.name,
      identityParts: table.identityParts.map { "\(name($0)): \(table.properties[$0].identityType)" },
      parentScope: table.parentScope.map(name),
      properties: table.exportOrder.compactMap { SchemaProperty(table.properties[$0]) },
      indexes: table.indexes.map { $0.map { ([name($0.position)] + $0.path).joined(separator: ".") } },
      renamedFrom: table.renamedFrom, isOffline: table.isOffline,
      isSingleton: table.isComposite && table.identityParts.isEmpty,
      softDelete: table.uniqueValues.isEmpty ? nil : table.softDelete.map(name))
  }
}

extension SyncProperty {
  /// The stored type of a property that is part of a composite identity.
  fileprivate var identityType: String {
    guard let table = related?.syncTable else { return storedType?.name ?? "" }
    guard table.isComposite else { return table.identityProperty.storedType?.name ?? "" }
    return "[\(table.identityParts.map { table.properties[$0].identityType }.joined(separator: ", "))]"
  }
}

extension SchemaProperty {
  fileprivate init?(_ property: SyncProperty) {
    let kind: Kind
    let target = property.related?.syncTable.name
    switch (property.kind, target) {
    case (.scalar, _):
      guard let type = property.storedType else { return nil }
      kind = .value(type)
    case (.toOne, let target?): kind = .toOne(target, isUnique: property.isUnique)
    case (.inverse(let column, let isToMany), let target?):
      kind = .inverse(of: column, in: target, isToMany: isToMany)
    case (.link(let link), let target?):
      kind = .links(to: target, table: link.name, isSource: link.isSource)
    default: return nil
    }
    self.init(
      name: property.name, kind: kind, isOptional: property.isOptional, hasDefault: property.hasDefault,
      missing: property.missing?.rawValue, renamedFrom: property.renamedFrom,
      isUnique: property.hasUniqueValues)
  }
}
