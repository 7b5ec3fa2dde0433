/// Checks that a composite identity consists of scalars and to-one relationships that are neither optional nor mutable.
/// ``OwnerRule`` checks an identity that is only an owner.
enum CompositeRule {
  static func check(_ model: Model, _ schema: Schema, _ bag: inout DiagnosticBag) {
    // Another rule reports that a model with one row must not have an identity.
    if model.isSingleton { return }
    for part in model.identityParts {
      let property = model.properties[part.position]
      if property.isIncomplete || property.isInvalid { continue }
      if model.identifyingOwner != nil, property.valueType != nil { continue }
      if let target = property.target, isOfEarlierCycle(model, to: target, schema) { continue }
      guard let problem = problem(property, in: model, schema) else { continue }
      bag.error(
        .invalidIdentity, "“\(property.name)” cannot identify a row of “\(model.name)”: \(problem)",
        at: part.range, notes: [.init(message: "it is declared here", range: property.range)])
    }
    if let scope = model.places[.parentScoped] {
      bag.error(
        .contradiction,
        "“\(model.name)” has a composite primary key, which makes “@ParentScoped” redundant",
        at: scope,
        fixIts: [.remove(scope)])
    }
  }

  private static func problem(_ property: Property, in model: Model, _ schema: Schema) -> String? {
    let isOwner = model.identifyingOwner != nil && property.target != nil
    if property.unionPart != nil { return "it refers to rows of several models" }
    if property.isTransient { return "it is transient, and must be stored" }
    if property.isOptional, isOwner { return nil }
    if property.isOptional { return "it is \(property.typeText), and must not be optional" }
    if property.defaultValue != nil { return "its value comes from the payload, so it cannot have a default" }
    if property.isPosition { return "it is the position of the row in a list" }
    if property.transform != nil { return "“@Transform” is not allowed in a primary key" }
    if names.contains(property.name) { return "generated code cannot use its name there" }
    switch property.type {
    case .toOne(let target):
      guard let relationship = property.relationship else { return nil }
      if leads(from: target, to: model.name, schema) { return "its own identity depends on “\(model.name)”" }
      guard case .column(let isUnique) = relationship.storage else {
        return "its foreign key is stored in “\(target)”"
      }
      return isUnique && !isOwner ? "it is one-to-one, so it would identify a row on its own" : nil
    case .value(.enumeration): return nil
    case .value(.scalar(let scalar)) where scalar.canBeIdentity || scalar == .date: return nil
    default:
      return
        "it is \(property.typeText); it must be “String”, an integer, “UUID”, a date, an enum or a to-one relationship"
    }
  }

  /// Whether the part belongs to a cycle of identities that was already reported at an earlier model.
  private static func isOfEarlierCycle(_ model: Model, to target: String, _ schema: Schema) -> Bool {
    let reached = models(from: target, schema)
    guard reached.contains(model.name) else { return false }
    return schema.models.prefix { $0.name != model.name }.contains { other in
      reached.contains(other.name) && leads(from: other.name, to: model.name, schema)
    }
  }

  /// Whether the identity of a model depends on another model's. Such dependencies must not form a cycle.
  static func leads(from name: String, to goal: String, _ schema: Schema) -> Bool {
    models(from: name, schema).contains(goal)
  }

  /// The models on which the identity of a model depends, including itself.
  private static func models(from name: String, _ schema: Schema) -> Set<String> {
    var (next, seen): ([String], Set<String>) = ([name], [])
    while let name = next.popLast() {
      guard seen.insert(name).inserted, let model = schema.model(name) else { continue }
      next += model.identityParts.compactMap { model.properties[$0.position].target }
    }
    return seen
  }

  /// The names that the generated identity type already uses.
  private static let names: Set<String> = [
    "syncIdentity", "syncDatabaseValue", "databaseValue", "sqlExpression",
  ]
}
