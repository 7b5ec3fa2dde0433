/// Generates the type itself: its properties, the initializer, and what queries use.
struct StructEmitter {
  let model: ModelEmitter

  func emit(_ printer: inout CodePrinter) {
    let access = model.access
    let identity = model.model.identityProperty
    let hasOtherID = identity?.name != "id" && model.model.properties.contains { $0.schemaName == "id" }
    let conformances = ["Swift.Sendable", "Swift.Equatable"] + (hasOtherID ? [] : ["Swift.Identifiable"])
    printer.documentation(model.model.documentation)
    printer.block(
      .declaration("\(access)nonisolated struct \(model.name)", conformances: conformances)
    ) { printer in
      for property in model.held {
        printer.documentation(property.documentation)
        let declaration = "\(access)var \(SwiftText.declared(property.name)):"
        let type = model.names.full(property)
        // An optional is nil without an explicit initial value.
        if hasMemberwiseInitializer, !property.isOptional || property.defaultValue != nil,
          let value = property.initialValue
        {
          printer.code(.pair("\(declaration) \(type) =", value))
        } else {
          printer.code(.pair(declaration, .text(type)))
        }
      }
      if let identity, identity.name != "id", !hasOtherID {
        printer.line()
        printer.line("\(access)var id: \(model.names.value(identity)) { self.\(identity.name) }")
      }
      if !hasMemberwiseInitializer {
        printer.line()
        initializer(&printer)
      }
      printer.line()
      InterfaceEmitter(model: model).emit(&printer)
    }
  }

  /// Whether Swift's memberwise initializer is used. It is internal. Each row that is read also computes the initial values of
  /// the properties, although the row's own values replace them, so only cheap initial values are used.
  private var hasMemberwiseInitializer: Bool {
    model.access.isEmpty && !model.held.isEmpty
      && model.held.allSatisfy { property in
        guard property.identityMaker == nil, property.defaultValue != nil else {
          return property.identityMaker == nil
        }
        return switch property.valueType {
        case .scalar(let scalar)?: scalar.module == "Swift"
        case .enumeration?: true
        default: false
        }
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
