/// Warns about a model or a struct that has the name of a scalar. It shadows the scalar, so a use of the name may be a mistake.
enum ScalarNameRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    checkStructs(schema, &bag)
    let isShadowed = ScalarType.allCases.contains {
      $0.canBeShadowed && schema.visibleModel($0.rawValue) != nil
    }
    guard isShadowed else { return }
    for model in schema.models {
      for property in model.properties where !property.isIncomplete {
        guard let target = property.target, let scalar = ScalarType(rawValue: target), scalar.canBeShadowed,
          !isAnchored(property, in: schema)
        else { continue }
        let spelling = "\(scalar.module).\(target)"
        bag.warning(
          .scalarName,
          "“\(model.name).\(property.name)” refers to the model “\(target)”; write “\(spelling)” for the scalar, or add “@Relationship(inverse:)” to confirm the model",
          at: property.typeRange,
          fixIts: [.write(property.typeText.replacing(target, with: spelling), for: property.typeRange)])
      }
    }
  }

  /// Checks structs. A struct cannot have an attribute that confirms the use.
  private static func checkStructs(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for structure in schema.structs {
      guard let scalar = ScalarType(rawValue: structure.name), scalar.canBeShadowed else { continue }
      let spelling = "\(scalar.module).\(structure.name)"
      bag.warning(
        .scalarName,
        "the struct “\(structure.name)” shadows the scalar of that name, which is now written “\(spelling)”",
        at: structure.range)
    }
  }

  private static func isAnchored(_ property: Property, in schema: Schema) -> Bool {
    if property.relationshipClause?.inverse != nil { return true }
    guard let inverse = property.relationship?.inverse, let target = property.target else { return false }
    return schema.model(target)?.property(inverse)?.relationshipClause?.inverse != nil
  }
}
