/// Generates the interface of a property whose type is a union of models: the reference as one value, and the rows.
extension ModelEmitter {
  /// The relationships that represent a property of a union.
  private struct Parts {
    let name: String
    let union: String
    var cases: [(name: String, property: Property)]

    var isMany: Bool { cases.contains(where: \.property.isToMany) }
    var unrecognized: String { UnionPart.unrecognizedName(of: name) }
  }

  private var parts: [Parts] {
    var parts: [Parts] = []
    for property in model.properties {
      guard let part = property.unionPart, let caseName = part.caseName else { continue }
      if parts.last?.name == part.property {
        parts[parts.count - 1].cases.append((caseName, property))
      } else {
        parts.append(Parts(name: part.property, union: part.union, cases: [(caseName, property)]))
      }
    }
    return parts
  }

  func emitUnionProperties(_ printer: inout CodePrinter) {
    for parts in parts {
      if !parts.isMany {
        printer.line()
        reference(parts, &printer)
      }
      printer.line()
      fetch(parts, &printer)
    }
  }

  /// The property that reads the columns of all cases as one value, and writes it to them.
  private func reference(_ parts: Parts, _ printer: inout CodePrinter) {
    let type = "\(names.type(parts.union)).Reference"
    printer.documentation(parts.cases[0].property.documentation)
    printer.block("\(access)var \(SwiftText.declared(parts.name)): \(type)?") { printer in
      printer.block("get") { printer in
        for (caseName, property) in parts.cases {
          printer.block("if let row = self.\(property.name)") { printer in
            printer.line("return \(type).\(caseName)(row)")
          }
        }
        printer.code(.call("return \(type)", ["unrecognized: self.\(parts.unrecognized)"]))
      }
      printer.block("set") { printer in
        for (_, property) in parts.cases { printer.line("self.\(property.name) = nil") }
        printer.line("self.\(parts.unrecognized) = nil")
        printer.line("switch newValue {")
        for (caseName, property) in parts.cases {
          printer.choice(".\(caseName)(let row)?", "self.\(property.name) = row")
        }
        printer.choice(".unrecognized(let type)?", "self.\(parts.unrecognized) = type")
        printer.line("case nil: break")
        printer.line("}")
      }
    }
  }

  private func fetch(_ parts: Parts, _ printer: inout CodePrinter) {
    let union = names.type(parts.union)
    let name = "fetch\(parts.name.prefix(1).uppercased())\(parts.name.dropFirst())"
    printer.documentation([
      parts.isMany
        ? "The rows of `\(parts.name)`, case by case, each case ordered by identity."
        : "The row to which `\(parts.name)` refers; nil if it is not stored."
    ])
    printer.block(
      "\(access)func \(name)(_ db: GRDB.Database) throws -> \(parts.isMany ? "[\(union)]" : "\(union)?")"
    ) { printer in
      guard parts.isMany else {
        for (caseName, property) in parts.cases {
          printer.block("if let row = self.\(property.name)") { printer in
            let type = names.metatype(property.target ?? "")
            printer.code(.call("let found = try \(type).fetchOne", ["db", "id: row.id"]))
            printer.line("return found.map { .\(caseName)($0) }")
          }
        }
        printer.code(.call("let other = \(union).Reference", ["unrecognized: self.\(parts.unrecognized)"]))
        printer.line("return other.map { .unrecognized($0.type) }")
        return
      }
      printer.line("var rows: [\(union)] = []")
      for (caseName, property) in parts.cases {
        let order: Code = .call(".order", ["GRDB.Column(\(SwiftText.literal(identity(of: property))))"])
        printer.code("let \(caseName)Rows = try self.\(property.name)" + order + ".fetchAll(db)")
        printer.line("rows += \(caseName)Rows.map { .\(caseName)($0) }")
      }
      printer.line("return rows")
    }
  }

  private func identity(of property: Property) -> String {
    property.target.flatMap(names.schema.visibleModel)?.identityProperty?.name ?? "id"
  }
}
