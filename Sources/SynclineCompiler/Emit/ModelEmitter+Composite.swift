/// Generates the type of a composite identity.
extension ModelEmitter {
  private var parts: [Property] { model.identityParts.map { model.properties[$0.position] } }

  func emitComposite(_ printer: inout CodePrinter) {
    printer.block("nonisolated extension \(name)") { printer in
      printer.line("/// The identity of a row.")
      printer.block("\(access)struct ID: Syncline.SyncCompositeID") { printer in
        for part in parts {
          printer.documentation(part.documentation)
          printer.line("\(access)var \(SwiftText.declared(part.name)): \(type(part))")
        }
        if !parts.isEmpty { printer.line() }
        let parameters: [Code] = parts.map { "\(SwiftText.parameter($0.name)): \(type($0))" }
        printer.block(.call("\(access)init", parameters)) { printer in
          for part in parts {
            printer.code(.pair("self.\(part.name) =", .text(SwiftText.value(part.name))))
          }
        }
        printer.line()
        printer.block("\(runtimeAccess)init(from parts: inout Syncline.SyncIDReader) throws") { printer in
          for part in parts {
            printer.line("self.\(part.name) = try parts.next(Syncline.SyncNamed<\(type(part))>.type)")
          }
        }
        printer.line()
        printer.block("\(runtimeAccess)func write(to parts: inout Syncline.SyncIDWriter)") { printer in
          for part in parts { printer.line("parts.write(self.\(part.name))") }
        }
      }
      printer.line()
      let note = model.isSingleton ? ", which is the only one" : ". It changes if one of its parts changes"
      printer.line("/// The identity of the row\(note).")
      printer.block("\(access)var \(Model.compositeName): ID") { printer in
        let arguments: [Code] = parts.map {
          "\(SwiftText.label($0.name)): self.\($0.name)\($0.isRelationship ? ".id" : "")"
        }
        printer.code(.call("ID", arguments))
      }
    }
  }

  /// The type of a part's value; for a relationship, the identity type of its target.
  private func type(_ part: Property) -> String { names.column(part) }
}
