/// Indexes that say something twice.
enum IndexRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models {
      var seen: [[Int]: SourceRange] = [:]
      for index in model.indexes where index.properties.allSatisfy({ model.properties[$0].isStored }) {
        if Set(index.properties).count < index.properties.count {
          let double = index.properties.first { one in index.properties.filter { $0 == one }.count > 1 } ?? 0
          bag.error(
            .repeatedIndex, "“\(model.properties[double].name)” stands twice in an index", at: index.range)
        } else if let first = seen[index.properties] {
          bag.error(
            .repeatedIndex, "“\(model.name)” has this index already", at: index.range,
            notes: [.init(message: "the first is here", range: first)],
            fixIts: [.remove(index.range)])
        } else {
          seen[index.properties] = index.range
        }
      }
    }
  }
}
