/// Reports `@Merged` on properties and members whose values have no members.
enum MergedRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    // `ContradictionRule` reports it together with “@Transform” or “@Transient”.
    for (model, _, property, range) in schema.typesWithProperties.properties(with: .merged)
    where property.type != .invalid && !property.hasMembers && property.transform == nil
      && !property.isTransient
    {
      bag.error(
        .invalidMerge,
        "“\(model.name).\(property.schemaName)” is \(property.typeText), which has no members to merge: “@Merged” is for structs, unions of structs and maps",
        at: range, fixIts: [.remove(range)])
    }
  }
}

extension Property {
  /// Whether its values are structs, unions of structs or maps.
  fileprivate var hasMembers: Bool {
    switch valueType {
    case .structure, .union, .map: true
    case .scalar, .enumeration, .list, nil: false
    }
  }
}
