/// Generates the columns of a model, and the associations and requests of its relationships.
struct InterfaceEmitter {
  let model: ModelEmitter

  private var access: String { model.access }

  func emit(_ printer: inout CodePrinter) {
    columns(&printer)
    filter(&printer)
    for property in model.model.properties { association(property, &printer) }
    UnionPropertyEmitter(model: model).emit(&printer)
    notDeleted(&printer)
  }

  private func columns(_ printer: inout CodePrinter) {
    printer.line("/// The columns, for queries.")
    printer.block("\(access)enum Columns") { printer in
      for property in model.stored {
        let type = property.valueType?.hasParts ?? false ? "ValueColumn" : "ModelColumn"
        printer.getter(
          "\(access)static var \(SwiftText.declared(property.name)): "
            + "Syncline.\(type)<\(model.names.column(property))>",
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
    let (kind, expression) = association(property, relationship.storage, model.names.metatype(target))
    let type = model.names.type(target)
    printer.line()
    printer.documentation(["The association with \(target), for joined requests."])
    // Two relationships may reference one model, and joined structs name their columns after their
    // properties.
    printer.getter(
      "\(access)static var \(SwiftText.declared(property.name)): GRDB.\(kind)"
        + .list(opening: "<", ["Self", .text(type)], closing: ">"),
      expression + .call(".forKey", [.literal(property.name)]))
    guard !property.isStored else { return }
    printer.line()
    printer.documentation(
      property.documentation.isEmpty ? ["A request for the related rows."] : property.documentation)
    let isOrdered = model.model.properties.contains { $0.orderedList == property.name }
    let order: Code = isOrdered ? .call(".syncOrdered", ["by: self.\(property.orderName)"]) : ""
    printer.getter(
      "\(access)var \(SwiftText.declared(property.name)): GRDB.QueryInterfaceRequest"
        + .list(opening: "<", [.text(type)], closing: ">"),
      "self.request(for: Self.\(property.name))" + order)
  }

  /// The type of an association, and the call that creates it.
  private func association(
    _ property: Property, _ storage: Relationship.Storage, _ target: String
  ) -> (kind: String, Code) {
    func key(_ columns: Code...) -> Code { "using: " + .call("GRDB.ForeignKey", columns) }
    switch storage {
    case .column:
      return (
        "BelongsToAssociation",
        .call("Self.belongsTo", [.text(target), key(SwiftText.literals([property.name]))])
      )
    case .inverse(let column):
      let (kind, method) =
        property.isToMany ? ("HasManyAssociation", "hasMany") : ("HasOneAssociation", "hasOne")
      let identity = "to: " + SwiftText.literals([model.model.identityProperty?.name ?? "id"])
      return (kind, .call("Self.\(method)", [.text(target), key(SwiftText.literals([column]), identity)]))
    case .link(let table, let isSource):
      let end = Code.call(
        ".\(isSource ? "source" : "target")", [.text("of: " + SwiftText.literal(table))])
      return (
        "HasManyThroughAssociation",
        .call("Self.syncLinks", [.text("to: " + target), "through: " + end])
      )
    }
  }

  /// The filter of models with `@SoftDelete`.
  private func notDeleted(_ printer: inout CodePrinter) {
    guard let mark = model.model.softDelete.map({ model.model.properties[$0] }),
      model.model.property("notDeleted") == nil
    else { return }
    printer.line()
    printer.line("/// A request for the rows that are not marked as deleted.")
    printer.getter(
      "\(access)static var notDeleted: GRDB.QueryInterfaceRequest<Self>",
      "Self.filter(Columns.\(mark.name) == nil)")
  }
}
