/// Writes how a row is read from and written to its columns.
struct StorageEmitter {
  let model: ModelEmitter

  func emit(_ printer: inout CodePrinter) {
    let stored = model.keyed.filter(\.isStored)
    printer.block("nonisolated extension \(model.name) {") { printer in
      printer.block("\(model.access) init(columns: Syncline.SyncColumnDecoder) throws {") { printer in
        for property in stored {
          let method = property.isOptional ? "decodeIfPresent" : "decode"
          printer.line(
            "self.\(SwiftText.name(property.name)) = try columns.\(method)(\(model.valueType(property)).self, \(model.key(property)))"
          )
        }
        for property in model.held where property.isTransient {
          printer.line(
            "self.\(SwiftText.name(property.name)) = \(model.defaultExpression(property) ?? "nil")")
        }
      }
      printer.line()
      printer.block("\(model.access) func encodeColumns(to encoder: Syncline.SyncColumnEncoder) {") {
        printer in
        for property in stored {
          printer.line("encoder.encode(self.\(SwiftText.name(property.name)), \(model.key(property)))")
        }
      }
    }
  }
}
