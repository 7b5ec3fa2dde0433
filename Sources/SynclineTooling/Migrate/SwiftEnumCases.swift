import SynclineCompiler

/// The cases of a Swift enum, converted for a schema.
struct SwiftEnumCases {
  private(set) var cases: [SchemaDraft.Declaration.Case] = []
  /// Whether the enum has raw values. Otherwise the values are the names of the cases.
  let hasRawValues: Bool

  /// - Returns: nil if an enum of a schema cannot have these cases.
  init?(_ declaration: SwiftModels.Declaration) {
    guard !declaration.cases.isEmpty, !declaration.cases.contains(where: \.hasAssociatedValues) else {
      return nil
    }
    let inherited = declaration.inherited.words
    guard !inherited.contains("Double"), !inherited.contains("Float") else { return nil }
    let areNumbers = inherited.contains { ScalarType(rawValue: $0)?.integerRange != nil }
    hasRawValues = areNumbers || inherited.contains("String") || inherited.contains("Character")
    var (next, names, values): (Int64, Set<String>, Set<String>) = (0, [], [])
    for entry in declaration.cases {
      var raw = entry.name
      if areNumbers {
        guard let value = entry.rawValue.isEmpty ? next : entry.rawValue.integer else { return nil }
        next = value &+ 1
        raw = String(value)
      } else if case .text(let text)? = entry.rawValue.first {
        raw = text
      }
      let name = NameRule.isUsable(case: entry.name) ? entry.name : entry.name + "Case"
      guard names.insert(name).inserted, values.insert(raw).inserted else { continue }
      cases.append(SchemaDraft.Declaration.Case(name: name, rawValue: raw, isNumber: areNumbers))
    }
  }
}
