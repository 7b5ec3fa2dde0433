/// Reports indexes that repeat a property or another index.
enum IndexRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models {
      var seen: [[Model.Index.Term]: SourceRange] = [:]
      for index in model.indexes where index.terms.allSatisfy({ model.properties[$0.property].isStored }) {
        if let double = index.terms.first(where: { one in index.terms.filter { $0 == one }.count > 1 }) {
          let name = ([model.properties[double.property].name] + double.path).joined(separator: ".")
          bag.error(.repeatedIndex, "“\(name)” is listed twice in an index", at: index.range)
        } else if let first = seen[index.terms] {
          bag.error(
            .repeatedIndex, "“\(model.name)” has this index already", at: index.range,
            notes: [.init(message: "the first is here", range: first)],
            fixIts: [.remove(index.range)])
        } else {
          seen[index.terms] = index.range
        }
      }
    }
  }
}
