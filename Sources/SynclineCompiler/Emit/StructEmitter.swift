/// Generates the type itself: its properties and the initializer.
struct StructEmitter {
  let model: ModelEmitter

  func emit(_ printer: inout CodePrinter) {
    let access = model.access
    let identity = model.model.identityProperty
    let hasOtherID = identity?.name != "id" && model.model.property("id") != nil
    let conformances = ["Swift.Sendable", "Swift.Equatable"] + (hasOtherID ? [] : ["Swift.Identifiable"])
    printer.documentation(model.model.documentation)
    printer.block(
      .declaration("\(access)nonisolated struct \(model.name)", conformances: conformances)
    ) { printer in
      for property in model.held {
        printer.documentation(property.documentation)
        printer.code(
          .pair("\(access)var \(SwiftText.declared(property.name)):", .text(model.names.full(property))))
      }
      if let identity, identity.name != "id", !hasOtherID {
        printer.line()
        printer.line("\(access)var id: \(model.names.value(identity)) { self.\(identity.name) }")
      }
      printer.line()
      initializer(&printer)
    }
  }

  private func initializer(_ printer: inout CodePrinter) {
    let parameters: [Code] = model.held.map { property in
      let parameter: Code = "\(SwiftText.parameter(property.name)): \(model.names.full(property))"
      return property.initialValue.map { .pair(parameter.flat + " =", $0) } ?? parameter
    }
    printer.block(.call("\(model.access)init", parameters)) { printer in
      for property in model.held {
        printer.code(.pair("self.\(property.name) =", .text(SwiftText.value(property.name))))
      }
    }
  }
}
