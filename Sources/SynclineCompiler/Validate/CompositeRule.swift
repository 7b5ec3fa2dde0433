/// What identifies a row where several properties do so together: scalars and to-one relationships, none of which may be
/// missing or change.
enum CompositeRule {
  static func check(_ model: Model, _ schema: Schema, _ bag: inout DiagnosticBag) {
    for part in model.identityParts {
      let property = model.properties[part.position]
      if property.isIncomplete || property.type == .invalid { continue }
      guard let problem = problem(property, in: model, schema) else { continue }
      bag.error(
        .invalidIdentity, "“\(property.name)” cannot identify a row of “\(model.name)”: \(problem)",
        at: part.range, notes: [.init(message: "it is declared here", range: property.range)])
    }
    if let scope = model.places[.parentScoped] {
      bag.error(
        .contradiction,
        "several properties identify a row of “\(model.name)”: “@ParentScoped” says the same again",
        at: scope,
        fixIts: [.remove(scope)])
    }
  }

  private static func problem(_ property: Property, in model: Model, _ schema: Schema) -> String? {
    if property.unionPart != nil { return "it leads to rows of several models" }
    if property.isTransient { return "it is transient, and must be stored" }
    if property.isOptional { return "it is \(property.typeText), and must not be optional" }
    if property.defaultValue != nil { return "it comes with the payload, and has no default" }
    if property.isPosition { return "it is the place of the row in a list" }
    if property.transform != nil { return "no “@Transform” reads what identifies a row" }
    if names.contains(property.name) { return "generated code cannot use its name there" }
    switch property.type {
    case .toOne(let target):
      guard let relationship = property.relationship else { return nil }
      guard case .column(let isUnique) = relationship.storage else {
        return "it is stored with “\(target)”"
      }
      if isUnique { return "no two rows have the same, so it would identify a row alone" }
      return leads(from: target, to: model.name, schema) ? "it leads back to “\(model.name)”" : nil
    case .value(.enumeration): return nil
    case .value(.scalar(let scalar)) where scalar.canBeIdentity || scalar == .date: return nil
    default:
      return
        "it is \(property.typeText); it must be “String”, an integer, “UUID”, a date, an enum or a to-one relationship"
    }
  }

  /// Whether what identifies rows of a model leads on to another model, as it must not without an end.
  private static func leads(from name: String, to goal: String, _ schema: Schema) -> Bool {
    var (next, seen): ([String], Set<String>) = ([name], [])
    while let name = next.popLast() {
      if name == goal { return true }
      guard seen.insert(name).inserted, let model = schema.model(name) else { continue }
      next += model.identityParts.compactMap { model.properties[$0.position].target }
    }
    return false
  }

  /// What the type of identities has already.
  private static let names: Set<String> = [
    "syncIdentity", "syncDatabaseValue", "databaseValue", "sqlExpression",
  ]
}
