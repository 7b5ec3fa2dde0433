/// Generates the code that reads a row from its columns and writes it to them.
struct StorageEmitter {
  let model: ModelEmitter

  func emit(_ printer: inout CodePrinter) {
    let decoded: [Code] = model.stored.filter { !$0.isComposite }.map { property in
      let method = property.isOptional ? "decodeIfPresent" : "decode"
      let arguments: [Code] = [.text(model.names.metatype(property)), .text(model.key(property))]
      return "self.\(property.name) = " + .call("try columns.\(method)", arguments)
    }
    let others: [Code] = model.held.filter(\.isTransient).map { property in
      "self.\(property.name) = " + (property.initialValue ?? "nil")
    }
    printer.body(
      of: "\(model.runtimeAccess)init(columns: Syncline.SyncColumnDecoder) throws", decoded + others)
    printer.line()
    printer.body(
      of: "\(model.runtimeAccess)func encodeColumns(to encoder: Syncline.SyncColumnEncoder)",
      model.stored.map { .call("encoder.encode", ["self.\($0.name)", .text(model.key($0))]) })
  }
}
