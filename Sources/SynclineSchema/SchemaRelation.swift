/// A relationship as it is stored: once, whatever ends a schema gives it.
package struct SchemaRelation: Hashable, Sendable {
  /// One end: a property of a model.
  package struct End: Hashable, Sendable {
    /// The model.
    package let model: String
    /// The property.
    package let property: String

    package init(model: String, property: String) {
      self.model = model
      self.property = property
    }

    /// The end as people name it.
    package var name: String { "\(model).\(property)" }
  }

  /// Where the links are.
  package enum Storage: Hashable, Sendable {
    /// In the near end's own column. A one-to-one has a unique one.
    case column(isUnique: Bool)
    /// In a table of links, whose `source` is the near end's.
    case table(String)
  }

  /// Where the links are.
  package let storage: Storage
  /// The end that holds the column, or is the source of the table.
  package let near: End
  /// The model at the other end.
  package let farModel: String
  /// The property at the other end, where there is one.
  package let far: End?
}

extension SyncSchemaSnapshot {
  /// The relationships of all models.
  package var relations: [SchemaRelation] {
    let models = Dictionary(self.models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
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
