/// Writes the type itself: its properties and the initializer.
struct StructEmitter {
  let model: ModelEmitter

  func emit(_ printer: inout CodePrinter) {
    let access = model.access
    let identity = model.model.identityProperty
    let hasOtherID = identity?.name != "id" && model.model.property("id") != nil
    let conformances = ["Swift.Sendable", "Swift.Equatable"] + (hasOtherID ? [] : ["Swift.Identifiable"])
    printer.documentation(model.model.documentation)
    printer.block("\(access) nonisolated struct \(model.name): \(conformances.joined(separator: ", ")) {") {
      printer in
      for property in model.held {
        printer.documentation(property.documentation)
        printer.line("\(access) var \(SwiftText.name(property.name)): \(model.fullType(property))")
      }
      if let identity, identity.name != "id", !hasOtherID {
        printer.line()
        printer.line(
          "\(access) var id: \(model.valueType(identity)) { self.\(SwiftText.name(identity.name)) }")
      }
      printer.line()
      initializer(&printer)
    }
  }

  private func initializer(_ printer: inout CodePrinter) {
    let parameters = model.held.map { property in
      "\(SwiftText.label(property.name)): \(model.fullType(property))"
        + (model.defaultExpression(property).map { " = \($0)" } ?? "")
    }
    printer.call("\(model.access) init(", closing: ") {", parameters)
    printer.indented { printer in
      for property in model.held {
        printer.line("self.\(SwiftText.name(property.name)) = \(SwiftText.name(property.name))")
      }
    }
    printer.line("}")
  }
}
