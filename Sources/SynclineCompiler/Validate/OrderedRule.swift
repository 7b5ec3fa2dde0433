/// Checks ordered lists, whose order is stored in an added property.
enum OrderedRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for (model, _, property, range) in schema.models.properties(with: .ordered) {
      guard let problem = problem(property, in: model, schema) else { continue }
      bag.error(
        .invalidModelAttribute, "“@Ordered” of “\(model.name).\(property.name)”: \(problem)", at: range)
    }
  }

  private static func problem(_ property: Property, in model: Model, _ schema: Schema) -> String? {
    if property.unionPart != nil { return "a union of models cannot be ordered" }
    guard property.isToMany else {
      return property.isInvalid ? nil : "a to-one relationship cannot be ordered"
    }
    if property.explicitKeys.contains(where: { $0.value.contains("{") }) {
      return "the members of a JSON object have no order"
    }
    if let target = property.target, schema.isComposite(target) {
      return """
        rows of “\(target)” are identified by several properties; a “@Position” of “\(target)” stores the order of a \
        list that is synced with “parent:”
        """
    }
    if !property.keyPatterns.isEmpty {
      return "it has “@KeyPattern”, which cannot be combined with “@Ordered”"
    }
    let name = property.orderName
    if model.properties.contains(where: { $0.isNamed(name) && $0.orderedList != property.name }) {
      return
        "the order is stored in a generated property “\(name)”, but the model declares that name itself"
    }
    return nil
  }
}
