/// Properties that would read or write the same place of the JSON.
enum KeyOverlapRule: ValidationRule {
  static func check(_ schema: Schema, imported: [Model], _ report: inout ValidationReport) {
    for model in schema.models {
      let properties = model.properties.filter { !$0.isTransient }
      for (index, first) in properties.enumerated() {
        for second in properties[(index + 1)...] { check(first, second, in: model, &report) }
      }
    }
  }

  private static func check(
    _ first: Property, _ second: Property, in model: Model, _ report: inout ValidationReport
  ) {
    let note = Diagnostic.Note(message: "“\(first.name)” is here", range: first.range)
    // A scalar beside a relationship may read the relationship's key.
    if first.isRelationship == second.isRelationship,
      let key = commonKey(first.snakeKeys, second.snakeKeys) ?? commonKey(first.camelKeys, second.camelKeys)
    {
      report.error(
        .sameKey, "“\(first.name)” and “\(second.name)” of “\(model.name)” have the same JSON key “\(key)”",
        second.range, notes: [note])
      return
    }
    for (outer, inner) in [(first, second), (second, first)] where !outer.isRelationship {
      guard let key = outer.snakeKeys.first(where: { key in inner.snakeKeys.contains { $0.hasPrefix(key + ".") } }) else {
        continue
      }
      report.error(
        .overlappingKeys,
        "“\(inner.name)” of “\(model.name)” is read from inside “\(key)”, which “\(outer.name)” reads as a whole",
        second.range, notes: [note])
      return
    }
  }

  private static func commonKey(_ first: [String], _ second: [String]) -> String? {
    first.first { second.contains($0) }
  }
}
