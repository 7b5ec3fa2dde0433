/// Checks `@Position`: at most one per model, on a number that is not the identity.
enum PositionRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models where model.propertyAttributes.contains(.position) {
      var first: Property?
      for property in model.properties where property.isPosition && !property.isIncomplete {
        guard let range = property.places[.position], property.type != .invalid else { continue }
        // `ContradictionRule` reports an identity that is marked as such.
        if property === model.identityProperty, property.places[.primaryKey] == nil {
          bag.error(
            .contradiction,
            "“\(property.name)” is the identity, which cannot be the position of its row in a list",
            at: range, fixIts: [.remove(range, "“@Position”")])
        } else if property.type != .value(.scalar(.int)) {
          bag.error(
            .invalidModelAttribute,
            "“@Position” must be an “Int”, the position of a row in a list, but “\(property.name)” is \(property.typeText)",
            at: range)
        } else if let first {
          bag.error(
            .invalidModelAttribute, "“\(model.name)” has a “@Position” already, “\(first.name)”", at: range,
            notes: [.init(message: "“\(first.name)” is here", range: first.range)],
            fixIts: [.remove(range, "“@Position”")])
        } else {
          first = property
        }
      }
    }
  }
}
