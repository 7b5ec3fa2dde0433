/// Checks that the properties in a model's attributes have a column.
enum StoredPropertyRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models {
      for (kind, anchor) in [
        (AttributeKind.parentScoped, model.parentScopeAnchor), (.updatedAt, model.updatedAtAnchor),
        (.softDelete, model.softDeleteAnchor),
      ] {
        guard let anchor, let property = unstored(anchor.position, of: model) else { continue }
        bag.error(
          .invalidModelAttribute,
          "“@\(kind.rawValue)” of “\(model.name)”: “\(property.name)” is not stored", at: anchor.range)
      }
      for index in model.indexes {
        guard let property = index.terms.lazy.compactMap({ unstored($0.property, of: model) }).first,
          // `ContradictionRule` reports it together with “@Transient”.
          !property.isTransient || property.places[.index] != index.range
        else { continue }
        bag.error(
          .invalidModelAttribute, "“@Index”: “\(property.name)” has no column in “\(model.name)”",
          at: index.range)
      }
    }
  }

  private static func unstored(_ position: Int, of model: Model) -> Property? {
    let property = model.properties[position]
    let isUnknown = property.isIncomplete || (property.relationship?.isIncomplete ?? false)
    return isUnknown || property.isStored ? nil : property
  }
}
