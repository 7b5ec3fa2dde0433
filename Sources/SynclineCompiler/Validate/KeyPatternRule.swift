/// Key patterns that cannot match any key, or are on a property that has no key.
enum KeyPatternRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models where model.propertyAttributes.contains(.keyPattern) {
      for property in model.properties where !property.keyPatterns.isEmpty && !property.isIncomplete {
        if !property.isRelationship, model.identityProperty?.name != property.name,
          let range = property.places[.keyPattern]
        {
          bag.error(
            .invalidKeyPattern,
            "“\(model.name).\(property.name)” is not a key: “@KeyPattern” is allowed only on the identity and on relationships",
            at: range, fixIts: [.remove(range)])
          continue
        }
        if property.unionPart != nil, let range = property.places[.keyPattern] {
          bag.error(
            .invalidKeyPattern, "“@KeyPattern” is not supported on a union of models", at: range,
            fixIts: [.remove(range)])
          continue
        }
        if let target = property.target, schema.isComposite(target), let range = property.places[.keyPattern]
        {
          bag.error(
            .invalidKeyPattern,
            "“\(target)” has a composite primary key, which “@KeyPattern” cannot read",
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
        ? "“\(pattern.value)” has no place for the key: write “{}” there"
        : "“\(pattern.value)” has more than one place for a key",
      at: pattern.range)
  }
}

extension String {
  /// The substrings around a separator.
  fileprivate func components(around separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
