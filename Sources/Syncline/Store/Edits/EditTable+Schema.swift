import SynclineSchema

extension EditTable {
  /// The table of a model.
  static func model(of model: SchemaModel, in schema: SyncSchemaSnapshot) -> SchemaModel {
    func value(
      _ name: String, _ type: SyncStoredType, isOptional: Bool = true, from former: [String] = []
    ) -> SchemaProperty {
      SchemaProperty(name: name, kind: .value(type), isOptional: isOptional, renamedFrom: former)
    }
    var properties = [
      value(Column.number, SyncStoredType(.int), isOptional: false),
      value(Column.key, schema.identityType(of: model.name), isOptional: false),
      value(Column.isNew, SyncStoredType(.bool), isOptional: false),
    ]
    if case .toOne(let target, _)? = model.parentScope.flatMap(model.property)?.kind {
      properties.append(value(Column.parent, schema.identityType(of: target)))
    }
    for name in [Column.isGone, Column.isPulled, Column.isAside, Column.isWithOwner] {
      properties.append(value(name, SyncStoredType(.bool)))
    }
    for name in [Column.sentKind, Column.pushKey, Column.body, Column.reason, Column.forced] {
      properties.append(value(name, SyncStoredType(.string)))
    }
    for name in [Column.sentAt, Column.nextTry] { properties.append(value(name, SyncStoredType(.double))) }
    for name in [Column.attempts, Column.conflicts] { properties.append(value(name, SyncStoredType(.int))) }
    for version in Version.allCases {
      for property in model.properties {
        let type: SyncStoredType
        switch property.kind {
        case .value(let own): type = own
        case .toOne(let target, _): type = schema.identityType(of: target)
        case .links(_, _, isSource: true): type = SyncStoredType(.json)
        case .links, .inverse: continue
        }
        properties.append(
          value(
            version.column(property.name), type, from: property.renamedFrom.map(version.column)))
      }
    }
    // An item finds the edits of rows that link, or linked, a row of its payload; so does the answer that renames a row.
    let linked = Version.allCases.flatMap { version in
      model.properties.filter(\.isLinked).map { [version.column($0.name)] }
    }
    return SchemaModel(
      name: name(of: model.name), identity: Column.number, properties: properties,
      indexes: [model.parentScope == nil ? [Column.key] : [Column.key, Column.parent]] + linked,
      renamedFrom: model.renamedFrom.map(name))
  }
}

extension SyncSchemaSnapshot {
  /// The schema together with the tables of edits.
  var withEditTables: SyncSchemaSnapshot {
    SyncSchemaSnapshot(models: models + models.filter(\.isOffline).map { EditTable.model(of: $0, in: self) })
  }

  /// The schema with the former names of columns in tables of edits, for relationships that were renamed without `@RenamedFrom`
  /// and are recognized by their other ends.
  func namingEdits(of former: SyncSchemaSnapshot) -> SyncSchemaSnapshot {
    let match = SchemaMatch(from: former, to: self)
    var schema = self
    for (table, model) in models.enumerated() {
      for (position, property) in model.properties.enumerated() {
        guard let end = EditTable.property(of: property.name, in: model.name),
          let old = match.former(end.property, of: end.model), old.property != end.property,
          let before = former.model(old.model)?.property(old.property),
          let now = self.model(end.model)?.property(end.property), before.isStored == now.isStored
        else { continue }
        let name = "\(property.name.dropLast(end.property.count))\(old.property)"
        guard !property.renamedFrom.contains(name) else { continue }
        schema.models[table].properties[position].renamedFrom.append(name)
      }
    }
    return schema
  }

  var withoutEditTables: SyncSchemaSnapshot {
    SyncSchemaSnapshot(models: models.filter { EditTable.model(of: $0.name) == nil })
  }
}

extension SchemaProperty {
  /// Whether edits have links of the relationship: a to-one, or a list that is stored with the model.
  fileprivate var isLinked: Bool {
    switch kind {
    case .toOne, .links(_, _, isSource: true): true
    case .value, .links, .inverse: false
    }
  }
}
