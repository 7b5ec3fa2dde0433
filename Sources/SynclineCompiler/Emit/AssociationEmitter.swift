/// Writes the associations and requests of relationships.
struct AssociationEmitter {
  let model: ModelEmitter

  func emit(_ printer: inout CodePrinter) {
    let related = model.model.properties.filter { $0.relationship != nil }
    printer.block("nonisolated extension \(model.name) {") { printer in
      for (index, property) in related.enumerated() {
        if index > 0 { printer.line() }
        association(property, &printer)
      }
    }
  }

  private func association(_ property: Property, _ printer: inout CodePrinter) {
    guard let target = property.target, let relationship = property.relationship else { return }
    let access = model.access
    let name = SwiftText.name(property.name)
    let type = model.typeName(target)
    let kind: String
    let expression: String
    switch relationship.storage {
    case .column:
      kind = "BelongsToAssociation"
      expression = "belongsTo(\(type).self, using: GRDB.ForeignKey([\(SwiftText.literal(property.name))]))"
    case .inverse(let column):
      kind = property.isToMany ? "HasManyAssociation" : "HasOneAssociation"
      let method = property.isToMany ? "hasMany" : "hasOne"
      expression =
        "\(method)(\(type).self, using: GRDB.ForeignKey([\(SwiftText.literal(column))], to: [\(identityColumn)]))"
    case .link(let table, let isSource):
      kind = "HasManyThroughAssociation"
      expression =
        "syncLinks(to: \(type).self, through: .\(isSource ? "source" : "target")(of: \(SwiftText.literal(table))))"
    }
    // Two relationships may lead to one model, and columns of joined structs are called like their properties.
    let key = ".forKey(\(SwiftText.literal(property.name)))"
    printer.documentation(["The association with \(target), for joined requests."])
    printer.block("\(access) static var \(name): GRDB.\(kind)<\(model.name), \(type)> {") { printer in
      printer.line(expression + key)
    }
    guard !property.isStored else { return }
    printer.line()
    printer.documentation(
      property.documentation.isEmpty ? ["A request for the related rows."] : property.documentation)
    printer.block("\(access) var \(name): GRDB.QueryInterfaceRequest<\(type)> {") { printer in
      printer.line("self.request(for: \(model.name).\(name))")
    }
  }

  private var identityColumn: String {
    SwiftText.literal(model.model.identityProperty?.name ?? "id")
  }
}
