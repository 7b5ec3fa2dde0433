import SynclineCompiler

extension ModelDiagram {
  /// The models of a schema, and the related models of other targets.
  package init(_ schema: Schema, titled title: String) {
    let related = schema.models.flatMap(\.properties).compactMap(\.target).filter {
      !schema.declaresModel($0)
    }
    let others = schema.imported.filter { related.contains($0.name) }
    let models = schema.models + others
    let places = Dictionary(zip(models.map(\.name), models.indices), uniquingKeysWith: { first, _ in first })
    self.init(title: title, boxes: models.map(Box.init), edges: [])
    for (place, model) in schema.models.enumerated() {
      edges += model.properties.compactMap { Edge($0, from: place, places) }
    }
  }
}

extension ModelDiagram.Box {
  /// A model with its values. Relationships are not listed, since lines show them.
  fileprivate init(_ model: Model) {
    let parts = Set(model.identityParts.map(\.position))
    let rows = model.properties.enumerated().compactMap { place, property -> ModelDiagram.Row? in
      let isAdded = property.isComposite || property.orderedList != nil || property.unionPart != nil
      let isKey = place == model.identity || parts.contains(place)
      guard !isAdded, isKey || !property.isRelationship else { return nil }
      return ModelDiagram.Row(name: property.name, type: property.typeText, isKey: isKey)
    }
    self.init(name: model.name, rows: rows)
  }
}

extension ModelDiagram.Edge {
  /// A relationship; nil for other properties, and for the end of a relationship without a column or join table.
  fileprivate init?(_ property: Property, from place: Int, _ places: [String: Int]) {
    guard let storage = property.relationship?.storage, let target = property.target.flatMap({ places[$0] })
    else {
      return nil
    }
    let kind: ModelDiagram.Kind
    switch storage {
    case .column(let isUnique): kind = isUnique ? .oneToOne : .toOne
    case .link(_, isSource: true): kind = .manyToMany
    case .link, .inverse: return nil
    }
    self.init(
      from: place, to: target, label: property.schemaName, kind: kind,
      isOptional: property.isOptional)
  }
}
