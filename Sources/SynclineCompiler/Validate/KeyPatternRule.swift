/// Reports key patterns that cannot match any key, or that are on a property without keys of rows.
enum KeyPatternRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models where model.propertyAttributes.contains(.keyPattern) {
      for property in model.properties where !property.keyPatterns.isEmpty && !property.isIncomplete {
        if let range = property.places[.keyPattern], let problem = problem(property, of: model, schema) {
          bag.error(.invalidKeyPattern, problem, at: range, fixIts: [.remove(range)])
        } else {
          for pattern in property.keyPatterns { check(pattern, &bag) }
        }
      }
    }
  }

  private static func problem(_ property: Property, of model: Model, _ schema: Schema) -> String? {
    if !property.isRelationship, model.identityProperty?.name != property.name {
      return
        "“\(model.name).\(property.name)” is not a key: “@KeyPattern” is allowed only on the identity and on relationships"
    }
    if property.unionPart != nil { return "“@KeyPattern” is not supported on a union of models" }
    guard let target = property.target, schema.isComposite(target) else { return nil }
    return "“\(target)” has a composite primary key, which “@KeyPattern” cannot read"
  }

  private static func check(_ pattern: Located<String>, _ bag: inout DiagnosticBag) {
    let count = pattern.value.split(separator: "{}", omittingEmptySubsequences: false).count - 1
    guard count != 1 else { return }
    bag.error(
      .invalidKeyPattern,
      count == 0
        ? "“\(pattern.value)” does not contain “{}”, which marks the position of the key"
        : "“\(pattern.value)” contains “{}” more than once",
      at: pattern.range)
  }
}
