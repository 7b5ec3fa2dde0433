/// Generates the type itself: its properties, the initializer, and what queries use.
extension ModelEmitter {
  func emitStruct(_ printer: inout CodePrinter) {
    let identity = model.identityProperty
    let hasOtherID = identity?.name != "id" && model.properties.contains { $0.schemaName == "id" }
    let conformances = ["Swift.Sendable", "Swift.Equatable"] + (hasOtherID ? [] : ["Swift.Identifiable"])
    printer.documentation(model.documentation)
    let declaration = Code.declaration("\(access)nonisolated struct \(name)", conformances: conformances)
    printer.block(declaration) { printer in
      for property in held {
        printer.documentation(property.documentation)
        let declaration = "\(access)var \(SwiftText.declared(property.name)):"
        let type = names.full(property)
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
        printer.line("\(access)var id: \(names.value(identity)) { self.\(identity.name) }")
      }
      if !hasMemberwiseInitializer {
        printer.line()
        initializer(&printer)
      }
      printer.line()
      emitQueries(&printer)
    }
  }

  /// Whether Swift's memberwise initializer is used. It is internal. Each row that is read also computes the initial values of
  /// the properties, although the row's own values replace them, so only cheap initial values are used.
  private var hasMemberwiseInitializer: Bool {
    access.isEmpty && !held.isEmpty
      && held.allSatisfy { property in
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
    printer.block(.call("\(access)init", held.map(names.parameter))) { printer in
      for property in held {
        printer.code(.pair("self.\(property.name) =", .text(SwiftText.value(property.name))))
      }
    }
  }
}
