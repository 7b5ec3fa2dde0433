/// Generates the code that reads a row from its columns and writes it to them.
extension ModelEmitter {
  func emitStorage(_ printer: inout CodePrinter) {
    let decoded: [Code] = stored.filter { !$0.isComposite }.map { property in
      let method = property.isOptional ? "decodeIfPresent" : "decode"
      let arguments: [Code] = [.text(names.metatype(property)), .text(self.key(property))]
      return "self.\(property.name) = " + .call("try columns.\(method)", arguments)
    }
    let others: [Code] = held.filter(\.isTransient).map { property in
      "self.\(property.name) = " + (property.initialValue ?? "nil")
    }
    printer.body(
      of: "\(runtimeAccess)init(columns: Syncline.SyncColumnDecoder) throws", decoded + others)
    printer.line()
    printer.body(
      of: "\(runtimeAccess)func encodeColumns(to encoder: Syncline.SyncColumnEncoder)",
      stored.map { .call("encoder.encode", ["self.\($0.name)", .text(self.key($0))]) })
  }
}
