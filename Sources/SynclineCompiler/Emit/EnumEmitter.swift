/// Generates an enum: its cases, and one for unknown raw values.
struct EnumEmitter {
  let enumeration: Enumeration
  let access: String

  func emit(_ printer: inout CodePrinter) {
    let raw = "Swift.\(enumeration.rawType.rawValue)"
    printer.documentation(enumeration.documentation)
    printer.block("\(access)nonisolated enum \(SwiftText.type(enumeration.name)): Syncline.SyncEnum") {
      printer in
      for entry in enumeration.cases {
        printer.documentation(entry.documentation)
        printer.line("case \(SwiftText.declared(entry.name))")
      }
      printer.line("/// A raw value that the schema does not know. It is stored, and exported unchanged.")
      printer.line("case unrecognized(\(raw))")
      printer.line()
      printer.block("\(access)init(rawValue: \(raw))") { printer in
        printer.line("switch rawValue {")
        for entry in enumeration.cases {
          printer.choice(rawValue(entry), "self = .\(entry.name)")
        }
        printer.line("default: self = .unrecognized(rawValue)")
        printer.line("}")
      }
      printer.line()
      printer.block("\(access)var rawValue: \(raw)") { printer in
        printer.line("switch self {")
        for entry in enumeration.cases {
          printer.choice(".\(entry.name)", rawValue(entry))
        }
        printer.line("case .unrecognized(let rawValue): rawValue")
        printer.line("}")
      }
    }
  }

  private func rawValue(_ entry: Enumeration.Case) -> String {
    switch entry.rawValue {
    case .text(let text): SwiftText.literal(text)
    case .number(let digits): digits
    case .bool, .member, .list, .emptyMap, .null, .uuid: SwiftText.literal(entry.name)
    }
  }
}
