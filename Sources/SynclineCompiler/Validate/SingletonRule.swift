/// Checks `@Singleton`: the model has one row, so it needs no identity, and lists of it make no sense.
enum SingletonRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    let names = Set((schema.models + schema.imported).filter(\.isSingleton).map(\.name))
    guard !names.isEmpty else { return }
    for model in schema.models {
      if model.isSingleton { checkIdentity(of: model, &bag) }
      for property in model.properties where property.isToMany && !property.isIncomplete {
        guard let target = property.target, names.contains(target) else { continue }
        bag.error(
          .invalidSingleton,
          "“\(model.name).\(property.schemaName)” is a list, but “\(target)” is a “@Singleton”, which has at most one row",
          at: property.typeRange,
          fixIts: property.unionPart == nil ? [.write("\(target)?", for: property.typeRange)] : [])
      }
    }
  }

  private static func checkIdentity(of model: Model, _ bag: inout DiagnosticBag) {
    let own = [AttributeKind.primaryKey, .parentScoped].compactMap { kind in
      model.places[kind].map { (kind, $0) }
    }
    let inside = model.properties.compactMap { property in
      property.places[.primaryKey].map { (AttributeKind.primaryKey, $0) }
    }
    for (kind, range) in own + inside {
      bag.error(
        .invalidSingleton,
        "“\(model.name)” has at most one row because of “@Singleton”, and needs no identity: “@\(kind.rawValue)” has no effect",
        at: range, fixIts: [.remove(range, "“@\(kind.rawValue)”")])
    }
  }
}
