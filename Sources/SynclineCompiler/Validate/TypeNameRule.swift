import SynclineNaming

/// Checks that type names in JSON are unique among the models.
enum TypeNameRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    var owners: [String: Model] = [:]
    for model in schema.models + schema.imported {
      guard let name = model.typeName else { continue }
      if name.value.isEmpty {
        bag.error(.invalidModelAttribute, "the name of a type must not be empty", at: name.range)
      } else if let other = owners[name.value], let first = other.typeName {
        bag.error(
          .invalidModelAttribute,
          "“\(other.name)” and “\(model.name)” have the same “@TypeName”, “\(name.value)”",
          at: name.range,
          notes: [.init(message: "“\(other.name)” has it here", range: first.range)])
      } else {
        owners[name.value] = model
      }
    }
    guard !owners.isEmpty else { return }
    for model in schema.models + schema.imported where model.typeName == nil {
      let snake = Names.snake(model.name)
      // Singular and plural may be equal, as in “series”.
      for name in Set([snake, Names.plural(of: snake)]).sorted() {
        guard let owner = owners[name], let place = owner.typeName else { continue }
        bag.error(
          .invalidModelAttribute,
          "“\(name)” is already the type name of “\(model.name)”; give that model another one with “@TypeName”",
          at: place.range, notes: [.init(message: "“\(model.name)” is here", range: model.range)])
      }
    }
  }
}
