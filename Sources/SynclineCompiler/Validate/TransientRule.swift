/// Checks that a transient property has a default, because it is neither synced nor stored.
enum TransientRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for (model, _, property, _) in schema.models.properties(with: .transient)
    where property.defaultRange == nil && !property.isOptional {
      bag.error(
        .invalidDefault, "“\(model.name).\(property.name)” is transient and needs a default",
        at: property.range)
    }
  }
}
