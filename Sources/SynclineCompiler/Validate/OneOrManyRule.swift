/// Reports `@OneOrMany` where it has no effect.
enum OneOrManyRule: ModelRule {
  static func check(_ model: Model, _ bag: inout DiagnosticBag) {
    checkStruct(model, &bag)
    guard model.propertyAttributes.contains(.oneOrMany) else { return }
    for property in model.properties where !property.isIncomplete {
      guard let range = property.places[.oneOrMany], let why = problem(property, in: model) else { continue }
      let name = "“\(model.name).\(property.schemaName)”"
      bag.error(
        .uselessOneOrMany, "“@OneOrMany” of \(name) has no effect: \(why)", at: range,
        fixIts: [.remove(range)])
    }
  }

  /// Reports the attribute of a struct if it has no effect on any member. A model always has an identity, on which it has an
  /// effect.
  private static func checkStruct(_ model: Model, _ bag: inout DiagnosticBag) {
    guard model.isStruct, let range = model.places[.oneOrMany], !model.isIncomplete,
      !model.properties.isEmpty,
      model.properties.allSatisfy({ !$0.isIncomplete && $0.type != .invalid && $0.oneOrManyDepth == nil })
    else { return }
    bag.error(
      .uselessOneOrMany, "“@OneOrMany” of “\(model.name)” has no effect: its members are maps or JSON",
      at: range, fixIts: [.remove(range)])
  }

  private static func problem(_ property: Property, in model: Model) -> String? {
    if model.isOneOrMany { return "“\(model.name)” has it, for all of its properties" }
    switch property.type {
    case .value(.map): return "a map is always read from an object"
    case .value(.scalar(.json)): return "a property of the type JSON keeps lists and single values unchanged"
    default: break
    }
    let keys = property.explicitKeys.map(\.value)
    guard let key = keys.first, keys.allSatisfy({ $0.contains("{") && !$0.contains("[]") }) else {
      return nil
    }
    return "“\(key)” selects the members of an object, which cannot be a single value"
  }
}
