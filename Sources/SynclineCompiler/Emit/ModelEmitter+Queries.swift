/// Generates the columns of a model, and the associations and requests of its relationships.
extension ModelEmitter {
  func emitQueries(_ printer: inout CodePrinter) {
    columns(&printer)
    filter(&printer)
    for property in model.properties { association(property, &printer) }
    emitUnionProperties(&printer)
    notDeleted(&printer)
  }

  private func columns(_ printer: inout CodePrinter) {
    printer.line("/// The columns, for queries.")
    printer.block("\(access)enum Columns") { printer in
      for property in stored {
        let type = property.valueType?.hasParts ?? false ? "ValueColumn" : "ModelColumn"
        printer.getter(
          "\(access)static var \(SwiftText.declared(property.name)): "
            + "Syncline.\(type)<\(names.column(property))>",
          .call(".init", [.literal(property.name)]))
      }
    }
  }

  /// GRDB's `filter` accepts conditions of every type, so the type checker takes too long for three comparisons. It tries a
  /// member of the model itself first.
  private func filter(_ printer: inout CodePrinter) {
    printer.line("/// The rows for which a condition is true.")
    printer.block(
      "\(access)static func filter(_ condition: (Columns.Type) throws -> GRDB.SQLExpression) rethrows"
        + " -> GRDB.QueryInterfaceRequest<Self>"
    ) { printer in
      printer.line("Self.filter(try condition(Columns.self))")
    }
  }

  private func association(_ property: Property, _ printer: inout CodePrinter) {
    guard let target = property.target, let relationship = property.relationship else { return }
    let (kind, function) = association(of: property, relationship.storage)
    let type = names.type(target)
    printer.line()
    printer.documentation(["The association with \(target), for joined requests."])
    printer.getter(
      "\(access)static var \(SwiftText.declared(property.name)): GRDB.\(kind)"
        + .list(opening: "<", ["Self", .text(type)], closing: ">"),
      .call("Self.\(function)", [.literal(property.name)]))
    guard !property.isStored else { return }
    printer.line()
    printer.documentation(
      property.documentation.isEmpty ? ["A request for the related rows."] : property.documentation)
    let isOrdered = model.properties.contains { $0.orderedList == property.name }
    let order: Code = isOrdered ? .call(".syncOrdered", ["by: self.\(property.orderName)"]) : ""
    printer.getter(
      "\(access)var \(SwiftText.declared(property.name)): GRDB.QueryInterfaceRequest"
        + .list(opening: "<", [.text(type)], closing: ">"),
      "self.request(for: Self.\(property.name))" + order)
  }

  /// The type of an association, and the function that creates it: it infers the related model from the type, and reads the rest
  /// from the table.
  private func association(
    of property: Property, _ storage: Relationship.Storage
  ) -> (kind: String, function: String) {
    switch storage {
    case .column: ("BelongsToAssociation", "syncBelongsTo")
    case .inverse where property.isToMany: ("HasManyAssociation", "syncHasMany")
    case .inverse: ("HasOneAssociation", "syncHasOne")
    case .link: ("HasManyThroughAssociation", "syncHasMany")
    }
  }

  /// The filter of models with `@SoftDelete`.
  private func notDeleted(_ printer: inout CodePrinter) {
    guard let mark = model.softDelete, model.property("notDeleted") == nil else { return }
    printer.line()
    printer.line("/// A request for the rows that are not marked as deleted.")
    printer.getter(
      "\(access)static var notDeleted: GRDB.QueryInterfaceRequest<Self>",
      "Self.filter(Columns.\(model.properties[mark].name) == nil)")
  }
}
