/// A stored relationship. It is one relation even if the schema declares both ends.
package struct SchemaRelation: Hashable, Sendable {
  /// One end: a property of a model.
  package struct End: Hashable, Sendable {
    package let model: String
    package let property: String

    package init(model: String, property: String) {
      self.model = model
      self.property = property
    }

    /// The name of the end in messages: `Model.property`.
    package var name: String { "\(model).\(property)" }
  }

  package enum Storage: Hashable, Sendable {
    /// In the near end's own column, which is unique for a one-to-one relationship.
    case column(isUnique: Bool)
    /// In a join table, whose `source` column belongs to the near end.
    case table(String)
  }

  /// Where the links are stored.
  package let storage: Storage
  /// The end with the column, or the source of the join table.
  package let near: End
  /// The model at the other end.
  package let farModel: String
  /// The property at the other end, if there is one.
  package let far: End?
}

extension SyncSchemaSnapshot {
  /// The relationships of all models.
  package var relations: [SchemaRelation] {
    let models = self.models.first(by: \.name)
    return self.models.flatMap { model in
      model.properties.compactMap { property -> SchemaRelation? in
        guard let target = property.target else { return nil }
        let storage: SchemaRelation.Storage
        switch property.kind {
        case .toOne(_, let isUnique): storage = .column(isUnique: isUnique)
        case .links(_, let table, isSource: true): storage = .table(table)
        default: return nil
        }
        let far = models[target]?.properties.first { other in
          switch (other.kind, property.kind) {
          case (.inverse(let column, model.name, _), .toOne): column == property.name
          case (.links(_, let table, isSource: false), .links(_, let own, _)): table == own
          default: false
          }
        }
        return SchemaRelation(
          storage: storage, near: .init(model: model.name, property: property.name), farModel: target,
          far: far.map { .init(model: target, property: $0.name) })
      }
    }
  }
}
