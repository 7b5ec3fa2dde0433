/// Checks that a transient property has a default, because it is neither synced nor stored.
enum TransientRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models where model.propertyAttributes.contains(.transient) {
      for property in model.properties where property.isTransient && !property.isIncomplete {
        guard property.defaultRange == nil, !property.isOptional else { continue }
        bag.error(
          .invalidDefault, "“\(model.name).\(property.name)” is transient and needs a default",
          at: property.range)
      }
    }
  }
}
