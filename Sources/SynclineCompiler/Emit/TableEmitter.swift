/// Writes the table: the keys, the columns, and the description that the runtime works by.
struct TableEmitter {
  let model: ModelEmitter

  func emit(_ printer: inout CodePrinter) {
    let access = model.access
    printer.block("nonisolated extension \(model.name) {") { printer in
      printer.line("/// The columns, for queries.")
      printer.block("\(access) enum Columns {") { printer in
        for property in model.keyed where property.isStored {
          printer.line(
            "\(access) static let \(SwiftText.name(property.name)) = GRDB.Column(\(SwiftText.literal(property.name)))"
          )
        }
      }
      printer.line()
      printer.line("/// The positions of the properties in the table.")
      printer.block("enum SyncKeys {") { printer in
        for (position, property) in model.keyed.enumerated() {
          printer.line("static let \(SwiftText.name(property.name)) = Syncline.SyncKey(\(position))")
        }
      }
      printer.line()
      table(&printer)
      notDeleted(&printer)
    }
  }

  /// The filter of models with `@SoftDelete`.
  private func notDeleted(_ printer: inout CodePrinter) {
    guard let mark = model.model.softDelete.map({ model.model.properties[$0] }),
      model.model.property("notDeleted") == nil
    else { return }
    printer.line()
    printer.line("/// A request for the rows that are not marked as deleted.")
    printer.block(
      "\(model.access) static var notDeleted: GRDB.QueryInterfaceRequest<\(model.name)> {"
    ) { printer in
      printer.line("filter(Columns.\(SwiftText.name(mark.name)) == nil)")
    }
  }

  private func table(_ printer: inout CodePrinter) {
    let schema = model.model
    guard let identity = schema.identityProperty else { return }
    func key(_ position: Int?) -> String? { position.map { model.key(schema.properties[$0]) } }
    var arguments = [
      SwiftText.literal(schema.name), "identity: \(model.key(identity))", "\(model.valueType(identity)).self",
    ]
    if let scope = key(schema.parentScope) { arguments.append("parentScope: \(scope)") }
    if let stamp = key(schema.updatedAt) { arguments.append("updatedAt: \(stamp)") }
    if let mark = key(schema.softDelete) { arguments.append("softDelete: \(mark)") }
    if !schema.indexes.isEmpty {
      let lists = schema.indexes.map {
        "[" + $0.properties.compactMap { key($0) }.joined(separator: ", ") + "]"
      }
      arguments.append("indexes: [\(lists.joined(separator: ", "))]")
    }
    // Keys are numbered with the columns first; exports keep the order of the schema.
    let declared = schema.properties.filter { property in model.keyed.contains { $0.name == property.name } }
    if declared.map(\.name) != model.keyed.map(\.name) {
      arguments.append("exportOrder: [\(declared.map(model.key).joined(separator: ", "))]")
    }
    printer.block("\(model.access) static let syncTable = Syncline.SyncTable(", closing: ")") { printer in
      printer.line(arguments.joined(separator: ", ") + ",")
      printer.block("properties: [", closing: "]") { printer in
        for property in model.keyed {
          printer.line(description(of: property) + ",")
        }
      }
    }
  }

  private func description(of property: Property) -> String {
    let keys = "snake: \(SwiftText.list(property.snakeKeys)), camel: \(SwiftText.list(property.camelKeys))"
    let name = SwiftText.literal(property.name)
    var text: String
    if let relationship = property.relationship, let target = property.target {
      let type = "\(model.typeName(target)).self"
      let optional = property.isOptional ? "" : "isOptional: false, "
      switch relationship.storage {
      case .column(let isUnique):
        text = ".toOne(\(name), \(type), \(optional)\(keys))" + (isUnique ? ".unique()" : "")
      case .inverse(let column):
        text =
          ".\(property.isToMany ? "toMany" : "toOne")(\(name), \(type), by: \(SwiftText.literal(column)), \(keys))"
      case .link(let table, let isSource):
        text =
          ".toMany(\(name), \(type), through: .\(isSource ? "source" : "target")(of: \(SwiftText.literal(table))), \(keys))"
      }
      if relationship.hasExplicitInverse { text += ".withExplicitInverse()" }
      if let rule = relationship.deleteRule { text += ".onDelete(.\(rule.rawValue))" }
      if let rule = relationship.missing { text += ".whenMissing(.\(rule.rawValue))" }
    } else {
      let optional = property.isOptional ? "isOptional: true, " : ""
      text = ".scalar(\(name), \(model.valueType(property)).self, \(optional)\(keys))"
      if property.defaultValue != nil { text += ".withDefault()" }
      if let format = property.dateFormat { text += ".dateFormat(\(SwiftText.literal(format.value)))" }
    }
    switch property.export {
    case .never: text += ".notExported()"
    case .identities: text += ".exportingIdentities()"
    case .objects: break
    }
    return text
  }
}
