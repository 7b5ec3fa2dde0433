/// Reports `@Local` on properties whose values payloads must contain, or that new rows could not initialize.
enum LocalRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for (model, position, property, range) in schema.models.properties(with: .local) {
      guard property.type != .invalid, let problem = problem(property, at: position, of: model) else {
        continue
      }
      let needsValue = problem == noValue || problem == noRow
      bag.error(
        .invalidLocal, "“\(property.schemaName)” cannot be “@Local”: \(problem)", at: range,
        fixIts: [needsValue ? .write("\(property.typeText)?", for: property.typeRange) : .remove(range)])
    }
  }

  private static let noValue = "new rows have no value for it, so it must be optional or have a default"
  private static let noRow = "new rows have no related row for it, so it must be optional"

  private static func problem(_ property: Property, at position: Int, of model: Model) -> String? {
    // `ContradictionRule` reports these combinations of attributes.
    if property.isTransient || property.isPosition { return nil }
    if position == model.identity || model.identityParts.contains(where: { $0.position == position }) {
      return "it identifies rows, so payloads must have it"
    }
    if position == model.parentScope { return "it is part of the identity, so payloads must have it" }
    if position == model.updatedAt { return "“@UpdatedAt” compares it with the dates of payloads" }
    if property.isToMany { return "it is a list of rows; only values and optional to-ones can be" }
    if let inverse = property.relationship?.inverse {
      return "“\(property.target ?? "").\(inverse)” is its other end, so payloads could change it"
    }
    guard !property.isOptional, property.defaultRange == nil else { return nil }
    return property.isRelationship ? noRow : noValue
  }
}
