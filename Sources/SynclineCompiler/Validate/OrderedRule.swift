/// Lists whose order is kept: a property beside them holds it.
enum OrderedRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models where model.propertyAttributes.contains(.ordered) {
      for property in model.properties where property.isOrdered && !property.isIncomplete {
        guard let range = property.places[.ordered], let problem = problem(property, in: model, schema) else {
          continue
        }
        bag.error(
          .invalidModelAttribute, "“@Ordered” of “\(model.name).\(property.name)”: \(problem)", at: range)
      }
    }
  }

  private static func problem(_ property: Property, in model: Model, _ schema: Schema) -> String? {
    if property.unionPart != nil { return "rows of several models have no order in one list" }
    guard property.isToMany else { return property.type == .invalid ? nil : "one row has no order" }
    if property.explicitKeys.contains(where: { $0.value.contains("{") }) {
      return "the members of an object have none"
    }
    if let target = property.target, schema.isComposite(target) {
      return "rows of “\(target)” are identified by several properties"
    }
    if !property.keyPatterns.isEmpty { return "its keys stand in texts, by “@KeyPattern”" }
    let name = property.orderName.lowercased()
    if model.properties.contains(where: { $0.name.lowercased() == name && $0.orderedList != property.name }) {
      return "the order is kept in a property “\(property.orderName)”, and there is another one of that name"
    }
    return nil
  }
}
