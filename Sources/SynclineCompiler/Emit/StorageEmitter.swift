/// Generates the code that reads a row from its columns and writes it to them.
struct StorageEmitter {
  let model: ModelEmitter

  func emit(_ printer: inout CodePrinter) {
    printer.block("\(model.access)init(columns: Syncline.SyncColumnDecoder) throws") { printer in
      for property in model.stored where !property.isComposite {
        let method = property.isOptional ? "decodeIfPresent" : "decode"
        printer.code(
          "self.\(property.name) = "
            + .call(
              "try columns.\(method)", [.text(model.names.metatype(property)), .text(model.key(property))]))
      }
      for property in model.held where property.isTransient {
        printer.code("self.\(property.name) = " + (property.initialValue ?? "nil"))
      }
    }
    printer.line()
    printer.block("\(model.access)func encodeColumns(to encoder: Syncline.SyncColumnEncoder)") { printer in
      for property in model.stored {
        printer.code(.call("encoder.encode", ["self.\(property.name)", .text(model.key(property))]))
      }
    }
  }
}
