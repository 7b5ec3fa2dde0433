/// Reports values that are nested too deeply. A store saves the structure of values, including nested structs, and can read only
/// a limited number of levels.
enum ValueDepthRule: ValidationRule {
  /// The maximum nesting of structs, lists and maps. `ValueShape` reads one more level, for the innermost scalar.
  private static let limit = 255

  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    // Fast path: nearly all schemas have too few structs to exceed the limit.
    let levels = schema.structs.reduce(0) { $0 + 1 + ($1.properties.map { lists(in: $0.type) }.max() ?? 0) }
    guard levels > limit - Parser.typeDepthLimit else { return }
    let members = Dictionary(
      schema.structs.map { ($0.name, storedTypes(of: $0)) }, uniquingKeysWith: { first, _ in first })
    for model in schema.models {
      for property in model.properties {
        guard case .value(let type) = property.type else { continue }
        var walk = Walk(members: members)
        guard walk.isTooDeep(type, at: 0) else { continue }
        // Other properties may contain the same structs, so only the first is reported.
        return bag.error(
          .tooDeep,
          "the structs in “\(property.name)” are nested more than \(limit) deep: make one of them “JSON”",
          at: property.typeRange)
      }
    }
  }

  /// The types of a struct's members, in stored order.
  private static func storedTypes(of structure: Model) -> [ValueType] {
    structure.properties.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.compactMap {
      if case .value(let type) = $0.type { type } else { nil }
    }
  }

  private static func lists(in type: Property.PropertyType) -> Int {
    guard case .value(var type) = type else { return 0 }
    var count = 0
    while true {
      switch type {
      case .list(let element), .map(let element): (type, count) = (element, count + 1)
      case .scalar, .enumeration, .structure, .union: return count
      }
    }
  }

  /// A traversal of the structs of one value. Each struct is stored once.
  private struct Walk {
    let members: [String: [ValueType]]
    var known: Set<String> = []

    mutating func isTooDeep(_ type: ValueType, at level: Int) -> Bool {
      guard level <= limit else { return true }
      switch type {
      case .scalar, .enumeration, .union: return false
      case .list(let element), .map(let element): return isTooDeep(element, at: level + 1)
      case .structure(let name):
        guard known.insert(name).inserted, let types = members[name] else { return false }
        for type in types where isTooDeep(type, at: level + 1) { return true }
        return false
      }
    }
  }
}
