/// Checks models that are identified by their owner, `@PrimaryKey(\.user)`: the owner is a required to-one relationship, and each
/// owner has one row.
enum OwnerRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models where !model.isSingleton {
      guard let part = model.identifyingOwner else { continue }
      let owner = model.properties[part.position]
      if owner.isIncomplete || owner.unionPart != nil { continue }
      switch owner.type {
      case .toOne(let target): check(owner, target, of: model, schema, &bag)
      case .value:
        bag.error(
          .invalidOwner,
          "“\(owner.name)” is \(owner.typeText), not a to-one relationship. For a single value, write “@PrimaryKey” before the property",
          at: part.range, notes: [.init(message: "it is declared here", range: owner.range)])
      case .toMany, .union, .invalid: continue
      }
    }
  }

  private static func check(
    _ owner: Property, _ target: String, of model: Model, _ schema: Schema, _ bag: inout DiagnosticBag
  ) {
    if owner.isOptional {
      bag.error(
        .invalidOwner, "“\(owner.name)” identifies a row of “\(model.name)” and must not be optional",
        at: owner.typeRange, fixIts: [.write(target, for: owner.typeRange)])
    }
    guard let relationship = owner.relationship, !relationship.isIncomplete,
      let list = relationship.inverse.flatMap({ schema.model(target)?.property($0) }), list.isToMany
    else { return }
    bag.error(
      .invalidOwner,
      "“\(target).\(list.schemaName)” is a list, but each “\(target)” identifies at most one “\(model.name)”, as its owner",
      at: list.typeRange,
      notes: [.init(message: "“@PrimaryKey” is here", range: model.places[.primaryKey] ?? model.range)],
      fixIts: list.unionPart == nil ? [.write("\(model.name)?", for: list.typeRange)] : [])
  }
}
