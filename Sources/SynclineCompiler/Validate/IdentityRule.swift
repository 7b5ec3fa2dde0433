/// Checks that each model has exactly one identity.
enum IdentityRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models {
      let isMarked = model.propertyAttributes.contains(.primaryKey)
      let marked = isMarked ? model.properties.filter { $0.places[.primaryKey] != nil } : []
      if marked.count > 1 {
        bag.error(
          .twoIdentities, "“\(model.name)” has two identities", at: marked[1].range,
          notes: [.init(message: "the first is here", range: marked[0].range)])
      }
      if let attribute = model.places[.primaryKey], let marked = marked.first {
        bag.error(
          .twoIdentities,
          "“\(model.name)” has “@PrimaryKey” both on the model and on “\(marked.name)”: keep the one on the model, and name all properties there",
          at: marked.range, notes: [.init(message: "several are named here", range: attribute)])
      }
      if model.identityProperty?.isComposite ?? false {
        CompositeRule.check(model, schema, &bag)
      } else if let identity = model.identityProperty {
        check(identity, &bag)
      } else if !model.isIncomplete, !model.properties.contains(where: { mayBeIdentity($0, schema) }) {
        reportMissing(model, &bag)
      }
    }
  }

  /// Whether a property may be intended as the identity: it has another error, or a name that an identity cannot have.
  private static func mayBeIdentity(_ property: Property, _ schema: Schema) -> Bool {
    property.mayBeIdentity || PropertyNameRule.isTaken(property) || schema.declares(property.name)
  }

  private static func check(_ identity: Property, _ bag: inout DiagnosticBag) {
    if identity.isInvalid || identity.isIncomplete { return }
    guard !identity.isTransient else {
      bag.error(
        .invalidIdentity, "the identity “\(identity.name)” is transient; it must be stored",
        at: identity.range)
      return
    }
    if identity.transform != nil, let range = identity.places[.transform] {
      bag.error(
        .contradiction,
        "“\(identity.name)” is the identity, where “@Transform” is not allowed: use “@KeyPattern” for text around it",
        at: range, fixIts: [.remove(range)])
      return
    }
    if case .value(.scalar(let scalar)) = identity.type, scalar.canBeIdentity, !identity.isOptional {
      reportDefault(of: identity, &bag)
      return
    }
    bag.error(
      .invalidIdentity,
      "the identity “\(identity.name)” is \(identity.typeText); it must be “String”, an integer or “UUID”, and not optional",
      at: identity.typeRange)
  }

  private static func reportDefault(of identity: Property, _ bag: inout DiagnosticBag) {
    guard identity.defaultValue != nil, let range = identity.defaultRange else { return }
    bag.error(
      .invalidIdentity, "the identity “\(identity.name)” comes from the payload and cannot have a default",
      at: range, fixIts: [.remove(identity.typeRange.behind.through(range), "the default")])
  }

  private static func reportMissing(_ model: Model, _ bag: inout DiagnosticBag) {
    if let named = model.properties.first(where: { ["id", "remoteID"].contains($0.schemaName) }) {
      bag.error(
        .invalidIdentity,
        "the identity “\(named.schemaName)” is a relationship; it must be “String”, an integer or “UUID”, and not optional",
        at: named.typeRange)
      return
    }
    let isTaken = model.properties.contains { $0.isNamed("id") }
    bag.error(
      .noIdentity, "“\(model.name)” has no identity: name a property “id” or mark one with “@PrimaryKey”",
      at: model.range, fixIts: isTaken ? [] : [fixIt(model)])
  }

  /// A fix-it that inserts a property before the closing brace, on its own line if the brace has its own line.
  private static func fixIt(_ model: Model) -> Diagnostic.FixIt {
    let (file, offset) = (model.end.file, model.end.offsets.lowerBound)
    let before = file.text(file.lineStarts[file.lineIndex(of: offset)]..<offset)
    let replacement = before.allSatisfy { $0 == " " || $0 == "\t" } ? "  id: Int\n\(before)" : "; id: Int "
    return .init(message: "write “id: Int”", range: model.end.before, replacement: replacement)
  }
}
