/// Reports `@Null(true)` and `@Null(false)` on a `Bool`: one of its two values could no longer be read.
enum NullRule: ModelRule {
  static func check(_ model: Model, _ bag: inout DiagnosticBag) {
    for property in model.properties where !property.isIncomplete && property.transform == nil {
      guard case .value(.scalar(.bool)) = property.type, let words = property.ownNulls,
        let range = property.places[.null]
      else { continue }
      let others = words.filter { if case .bool = $0.value { false } else { true } }.map(\.range.text)
      for word in words {
        guard case .bool = word.value else { continue }
        bag.error(
          .nullOfBool,
          "“\(property.name)” is a Bool: “\(word.range.text)” is an ordinary value of it, and cannot be read as null",
          at: word.range,
          fixIts: [
            others.isEmpty
              ? .remove(range) : .write("@Null(\(others.joined(separator: ", ")))", for: range)
          ])
      }
    }
  }
}
