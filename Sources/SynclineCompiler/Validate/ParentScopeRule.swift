/// Reports relationships that would refer to rows by an identity that is unique only within a parent.
enum ParentScopeRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    let scoped = names(of: schema)
    for model in schema.models {
      for property in model.properties {
        guard let target = property.target, let relationship = property.relationship,
          !relationship.isIncomplete
        else { continue }
        let name = "“\(model.name).\(property.name)”"
        if scoped.contains(target), isOwnList(relationship, of: schema.model(target)) {
          if property.isToMany { continue }
          bag.error(
            .linkToParentScoped,
            "\(name) is a single “\(target)”, but its identity distinguishes several: make it a list, or identify the row by its owner",
            at: property.range)
        } else if scoped.contains(target) {
          bag.error(
            .linkToParentScoped,
            "\(name) refers to “\(target)”, whose identity is unique only within its parent",
            at: property.range)
        } else if scoped.contains(model.name), case .link = relationship.storage {
          bag.error(
            .linkToParentScoped,
            "\(name) would link rows of “\(model.name)” by an identity that is unique only within its parent",
            at: property.range)
        }
      }
    }
  }

  /// The models whose identity is unique within a parent.
  private static func names(of schema: Schema) -> Set<String> {
    var names = Set(schema.imported.filter { $0.places[.parentScoped] != nil }.map(\.name))
    for model in schema.models {
      if let scope = model.parentScope, model.properties[scope].isStored { names.insert(model.name) }
    }
    return names
  }

  /// Whether a relationship is the parent's list of the rows that are identified within it.
  static func isOwnList(_ relationship: Relationship, of target: Model?) -> Bool {
    guard case .inverse(let column) = relationship.storage, let target, let scope = target.parentScope else {
      return false
    }
    return target.properties[scope].name == column
  }
}
