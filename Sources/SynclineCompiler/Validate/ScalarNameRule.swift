/// A model or a struct called like a scalar takes its name: whoever writes it may have meant the other.
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
          "“\(model.name).\(property.name)” leads to the model “\(target)”; the scalar is “\(spelling)”, and “@Relationship(inverse:)” says that the model is meant",
          at: property.typeRange,
          fixIts: [.write(property.typeText.replacing(target, with: spelling), for: property.typeRange)])
      }
    }
  }

  /// A struct has nothing that could say that it is meant.
  private static func checkStructs(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for structure in schema.structs {
      guard let scalar = ScalarType(rawValue: structure.name), scalar.canBeShadowed else { continue }
      let spelling = "\(scalar.module).\(structure.name)"
      bag.warning(
        .scalarName, "“\(structure.name)” is a scalar, which is “\(spelling)” where a struct has its name",
        at: structure.range)
    }
  }

  private static func isAnchored(_ property: Property, in schema: Schema) -> Bool {
    if property.relationshipClause?.inverse != nil { return true }
    guard let inverse = property.relationship?.inverse, let target = property.target else { return false }
    return schema.model(target)?.property(inverse)?.relationshipClause?.inverse != nil
  }
}
