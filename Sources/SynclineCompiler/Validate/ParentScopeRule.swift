/// Links to rows whose identity alone names no row.
enum ParentScopeRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    let scoped = Set(
      schema.models.filter { model in model.parentScope.map { model.properties[$0].isStored } ?? false }.map(
        \.name)
        + schema.imported.filter { $0.places[.parentScoped] != nil }.map(\.name))
    for model in schema.models {
      for property in model.properties {
        guard let target = property.target, let relationship = property.relationship,
          !relationship.isIncomplete
        else { continue }
        let storage = relationship.storage
        let isOwnList: Bool
        if case .inverse(let column) = storage, let scope = schema.model(target)?.parentScope {
          isOwnList = schema.model(target)?.properties[scope].name == column
        } else {
          isOwnList = false
        }
        let isLink = if case .link = storage { true } else { false }
        if scoped.contains(target), !isOwnList {
          bag.error(
            .linkToParentScoped,
            "“\(model.name).\(property.name)” leads to “\(target)”, whose identity is unique only within its parent",
            at: property.range)
        } else if scoped.contains(model.name), isLink {
          bag.error(
            .linkToParentScoped,
            "“\(model.name).\(property.name)” would link rows of “\(model.name)” by an identity that is unique only within its parent",
            at: property.range)
        }
      }
    }
  }
}
