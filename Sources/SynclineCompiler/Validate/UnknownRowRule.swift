/// Checks `@Relationship(unknown: .create)`: a new row must require nothing but the key.
enum UnknownRowRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for (model, _, property, _) in schema.models.properties(with: .relationship) {
      guard let unknown = property.relationshipClause?.unknown, let problem = problem(property, schema) else {
        continue
      }
      bag.error(
        .invalidUnknownRule,
        "foreign keys of “\(model.name).\(property.schemaName)” cannot insert rows: \(problem)",
        at: unknown.range)
    }
  }

  private static func problem(_ property: Property, _ schema: Schema) -> String? {
    if property.unionPart != nil { return "a key does not state the model of its row" }
    if let lookup = property.lookup { return "they are looked up by “\(lookup)”, which is not the identity" }
    guard let target = property.target.flatMap(schema.visibleModel), !target.isIncomplete,
      let identity = target.identityProperty
    else { return nil }
    if target.isSingleton { return "no key identifies the only row of “\(target.name)”" }
    if target.identifyingOwner != nil { return "a “\(target.name)” is identified by its owner" }
    if identity.isComposite { return "“\(target.name)” is identified by several properties" }
    if target.places[.parentScoped] != nil {
      // On any other relationship to such rows, `ParentScopeRule` reports an error.
      guard let relationship = property.relationship, ParentScopeRule.isOwnList(relationship, of: target)
      else { return nil }
      return "a “\(target.name)” is identified within a parent, which the key does not name"
    }
    let required = target.properties.first {
      $0.name != identity.name && $0.isStored && !$0.isOptional && $0.defaultRange == nil && !$0.isIncomplete
        && !$0.isPosition
    }
    return required.map { "a “\(target.name)” requires “\($0.name)” as well" }
  }
}
