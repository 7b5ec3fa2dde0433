/// Reports `@Unique` on properties whose values cannot be unique, or always are.
enum UniqueRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for (model, position, property, range) in schema.models.properties(with: .unique) {
      guard let problem = problem(property, at: position, of: model) else { continue }
      bag.error(
        .invalidUnique, "“\(model.name).\(property.name)” cannot be “@Unique”: \(problem)", at: range,
        fixIts: [.remove(range)])
    }
  }

  private static func problem(_ property: Property, at position: Int, of model: Model) -> String? {
    // `ContradictionRule` reports it together with “@Transient”.
    guard !property.isTransient, let type = property.valueType else { return nil }
    if position == model.identity {
      return model.parentScope == nil
        ? "it identifies rows, so it is unique already" : "it identifies rows within a parent"
    }
    if property.isPosition { return "it is the index of a row in a list, and each list has an index 0" }
    if position == model.softDelete {
      return "only deleted rows have a value, and deleted rows are not compared"
    }
    guard type.isPlain, type != .scalar(.json) else {
      return "it is \(property.typeText); only single values other than JSON can be unique"
    }
    return nil
  }
}
