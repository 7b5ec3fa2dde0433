/// Patterns of keys that no key could be read by, or that stand where there is none.
enum KeyPatternRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models where model.propertyAttributes.contains(.keyPattern) {
      for property in model.properties where !property.keyPatterns.isEmpty && !property.isIncomplete {
        if !property.isRelationship, model.identityProperty?.name != property.name,
          let range = property.places[.keyPattern]
        {
          bag.error(
            .invalidKeyPattern,
            "“\(model.name).\(property.name)” is no key: “@KeyPattern” stands on the identity, and on relationships",
            at: range, fixIts: [.remove(range)])
          continue
        }
        if property.unionPart != nil, let range = property.places[.keyPattern] {
          bag.error(
            .invalidKeyPattern, "keys of several models are not told apart by texts around them", at: range,
            fixIts: [.remove(range)])
          continue
        }
        if let target = property.target, schema.isComposite(target), let range = property.places[.keyPattern]
        {
          bag.error(
            .invalidKeyPattern,
            "rows of “\(target)” are identified by several properties, and have no key that texts could stand around",
            at: range, fixIts: [.remove(range)])
          continue
        }
        for pattern in property.keyPatterns { check(pattern, &bag) }
      }
    }
  }

  private static func check(_ pattern: Located<String>, _ bag: inout DiagnosticBag) {
    let count = pattern.value.components(around: "{}").count - 1
    guard count != 1 else { return }
    bag.error(
      .invalidKeyPattern,
      count == 0
        ? "“\(pattern.value)” does not say where the key is: write “{}” in its place"
        : "“\(pattern.value)” has more than one place for a key",
      at: pattern.range)
  }
}

extension String {
  /// The texts between a separator.
  fileprivate func components(around separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
