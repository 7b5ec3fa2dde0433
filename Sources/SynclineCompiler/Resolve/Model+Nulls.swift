extension Model {
  /// Finds the values that mean null for each property: its own, those of the model, and those of the target.
  func resolveNulls(target: [NullWord], _ table: DeclarationTable) {
    let inherited = NullWord.join(ownNulls, target)
    let parts = Set(identityParts.map(\.position))
    for (position, property) in properties.enumerated() {
      guard !property.isTransient, !property.isPosition, !property.isComposite, !property.isLocal,
        property.type != .invalid
      else {
        continue
      }
      let isIdentity = position == identity || parts.contains(position)
      let applicable = inherited.filter { $0.applies(to: property, isIdentity: isIdentity, table) }
      property.nulls = NullWord.join(property.ownNulls, applicable)
    }
  }
}

extension NullWord {
  /// The words of an attribute, followed by others. An attribute without words excludes the others.
  fileprivate static func join(_ own: [Located<NullWord>]?, _ others: [NullWord]) -> [NullWord] {
    guard let own else { return others }
    if own.isEmpty { return [] }
    let words = own.map(\.value)
    return words + others.filter { !words.contains($0) }
  }

  /// Whether a word of a model or a target means null for a property. It does not if it is an ordinary value of the property's
  /// type.
  fileprivate func applies(to property: Property, isIdentity: Bool, _ table: DeclarationTable) -> Bool {
    guard case .value(let type) = property.type else { return true }
    switch (type, self) {
    // A JSON property keeps every value unchanged.
    case (.scalar(.json), _): return property.transform != nil
    case (.scalar(.bool), .bool), (.scalar(.bool), .number): return false
    case (.scalar(let scalar), .number): return !scalar.isNumber && !isIdentity
    case (.enumeration(let name), .number): return table.cases[name]?.areIntegers != true
    // For a required string, null and the empty string are the same value.
    case (.scalar(.string), .text("")): return property.isOptional || isIdentity || property.transform != nil
    default: return true
    }
  }
}

extension ScalarType {
  fileprivate var isNumber: Bool {
    switch self {
    case .double, .float, .decimal: true
    default: integerRange != nil
    }
  }
}
