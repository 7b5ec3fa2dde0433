/// Generates the type of a composite identity.
struct CompositeEmitter {
  let model: ModelEmitter

  private var parts: [Property] { model.model.identityParts.map { model.model.properties[$0.position] } }

  func emit(_ printer: inout CodePrinter) {
    printer.block("nonisolated extension \(model.name)") { printer in
      printer.line("/// The identity of a row.")
      printer.block(
        .declaration("\(model.access)struct ID", conformances: ["Syncline.SyncCompositeID"])
      ) { printer in
        for part in parts {
          printer.documentation(part.documentation)
          printer.line("\(model.access)var \(SwiftText.declared(part.name)): \(type(part))")
        }
        if !parts.isEmpty { printer.line() }
        let parameters: [Code] = parts.map { "\(SwiftText.parameter($0.name)): \(type($0))" }
        printer.block(.call("\(model.access)init", parameters)) { printer in
          for part in parts {
            printer.code(.pair("self.\(part.name) =", .text(SwiftText.value(part.name))))
          }
        }
        printer.line()
        printer.block("\(model.runtimeAccess)init(from parts: inout Syncline.SyncIDReader) throws") {
          printer in
          for part in parts {
            printer.line("self.\(part.name) = try parts.next(Syncline.SyncNamed<\(type(part))>.type)")
          }
        }
        printer.line()
        printer.block("\(model.runtimeAccess)func write(to parts: inout Syncline.SyncIDWriter)") { printer in
          for part in parts { printer.line("parts.write(self.\(part.name))") }
        }
      }
      printer.line()
      let isSingleton = model.model.isSingleton
      printer.line(
        "/// The identity of the row\(isSingleton ? ", which is the only one" : ". It changes if one of its parts changes")."
      )
      printer.block("\(model.access)var \(Model.compositeName): ID") { printer in
        let arguments: [Code] = parts.map {
          "\(SwiftText.label($0.name)): self.\($0.name)\($0.isRelationship ? ".id" : "")"
        }
        printer.code(.call("ID", arguments))
      }
    }
  }

  /// The type of a part's value; for a relationship, the identity type of its target.
  private func type(_ part: Property) -> String { model.names.column(part) }
}
