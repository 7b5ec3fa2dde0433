/// The properties that attributes of a model name must have a column.
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
          // Together with “@Transient” it is reported by `ContradictionRule`.
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
