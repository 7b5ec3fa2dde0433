/// Generates a union: an enum with a case for each model or struct, and the code that selects a case.
struct UnionEmitter {
  let union: Union
  let names: TypeNames

  private var name: String { SwiftText.type(union.name) }
  private var access: String { names.schema.access.prefix }
  private var runtimeAccess: String { names.schema.access.runtimePrefix }

  // MARK: Interface for users

  func emitInterface(_ printer: inout CodePrinter) {
    printer.documentation(union.documentation)
    let conformance = union.isOfValues ? "SyncValueUnion" : "SyncUnion"
    // A value may contain another value of the union.
    let kind = union.isOfValues ? "indirect enum" : "enum"
    printer.block("\(access)nonisolated \(kind) \(name): Syncline.\(conformance)") { printer in
      for entry in union.cases {
        printer.documentation(entry.documentation)
        printer.line("case \(SwiftText.declared(entry.name))(\(names.type(entry.type)))")
      }
      if union.isOfValues {
        printer.line(
          "/// A value of a type that the schema does not know. It is stored, and exported unchanged.")
        printer.line("case unrecognized(Syncline.SyncJSON)")
      } else {
        printer.line("/// A row of a type that the schema does not know, with its type.")
        printer.line("case unrecognized(Swift.String)")
        printer.line()
        reference(&printer)
      }
    }
    guard union.isOfValues else { return }
    printer.line()
    names.columns(of: union.name, union.cases.map { ($0.name, names.type($0.type)) }, &printer)
  }

  /// The identity of a row of one of the models.
  private func reference(_ printer: inout CodePrinter) {
    printer.line("/// The identity of a row, with its case.")
    printer.block("\(access)enum Reference: Syncline.SyncUnionReference") { printer in
      for entry in union.cases {
        printer.documentation(entry.documentation)
        printer.line("case \(SwiftText.declared(entry.name))(Syncline.Reference<\(names.type(entry.type))>)")
      }
      printer.line("/// A row of a type that the schema does not know, with its type.")
      printer.line("case unrecognized(Swift.String)")
    }
  }

  // MARK: Conformance for the runtime

  func emitConformance(_ printer: inout CodePrinter) {
    printer.block("nonisolated extension \(name)") { printer in
      union.isOfValues ? values(&printer) : rows(&printer)
    }
    guard !union.isOfValues else { return }
    printer.line()
    printer.block("nonisolated extension \(names.type(union.name)).Reference") { printer in
      printer.line("/// The server's name for the type of the row.")
      printer.block("\(access)var type: Swift.String") { printer in
        printer.line("switch self {")
        for entry in union.cases { printer.choice(".\(entry.name)", SwiftText.literal(entry.tag)) }
        printer.line("case .unrecognized(let type): type")
        printer.line("}")
      }
    }
  }

  /// The table of tags and their cases.
  private func cases(of element: String) -> Code {
    let cases = union.cases.map { entry in
      Code.call(
        ".init", [.literal(entry.name), .text(names.metatype(entry.type)), "type: " + .literal(entry.tag)])
    }
    return .call(
      "\(runtimeAccess)static let syncCases = Syncline.SyncUnionCases<any \(element).Type>",
      [.literal(union.name), "on: " + .literal(union.key.value), .array(cases)])
  }

  private func rows(_ printer: inout CodePrinter) {
    printer.code(cases(of: "Syncline.SyncUpdatableModel"))
    printer.line()
    printer.line("/// The identity of the row, with its case.")
    printer.block("\(access)var id: Reference") { printer in
      printer.line("switch self {")
      for entry in union.cases {
        printer.line("case .\(entry.name)(let row): .\(entry.name)(Syncline.Reference(row))")
      }
      printer.line("case .unrecognized(let type): .unrecognized(type)")
      printer.line("}")
    }
  }

  private func values(_ printer: inout CodePrinter) {
    printer.code(cases(of: "Syncline.SyncScalar"))
    printer.line()
    printer.block("\(runtimeAccess)init?(syncCase index: Swift.Int, _ value: any Syncline.SyncScalar)") {
      printer in
      printer.line("switch index {")
      for (index, entry) in union.cases.enumerated() {
        printer.line("case \(index):")
        printer.line("  guard let value = value as? \(names.type(entry.type)) else { return nil }")
        printer.line("  self = .\(entry.name)(value)")
      }
      printer.line("default: return nil")
      printer.line("}")
    }
    printer.line()
    printer.block("\(runtimeAccess)var syncValue: (index: Swift.Int, value: any Syncline.SyncScalar)") {
      printer in
      printer.line("switch self {")
      for (index, entry) in union.cases.enumerated() {
        printer.line("case .\(entry.name)(let value): (\(index), value)")
      }
      printer.line("case .unrecognized(let json): (-1, json)")
      printer.line("}")
    }
  }
}
