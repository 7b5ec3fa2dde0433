/// Reports `@Offline` where edits could not be pushed.
enum OfflineRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    let models = schema.models.filter(\.isOffline)
    for model in models {
      for property in model.properties { check(property, of: model, schema, &bag) }
      checkParent(of: model, &bag)
    }
    for model in leadingToCycles(models, schema) {
      if let ring = ring(through: model, schema) { report(ring, of: model, &bag) }
    }
  }

  private static func check(
    _ property: Property, of model: Model, _ schema: Schema, _ bag: inout DiagnosticBag
  ) {
    guard case .column? = property.relationship?.storage, !property.isOptional,
      let target = property.target.flatMap(schema.visibleModel), !target.isOffline, !target.isIncomplete
    else { return }
    bag.error(
      .cannotBeOffline,
      "“\(model.name).\(property.name)” requires “\(target.name)”, which is not “@Offline”: a new “\(target.name)” could not be pushed before its “\(model.name)”",
      at: property.range,
      notes: [.init(message: "“\(target.name)” is here", range: target.range)],
      fixIts: model.places[.offline].map { [.remove($0)] } ?? [])
  }

  /// Checks that the parent is required if it is part of a row's identity, since edits are recorded by identity.
  private static func checkParent(of model: Model, _ bag: inout DiagnosticBag) {
    guard let scope = model.parentScope, case let parent = model.properties[scope], parent.isOptional else {
      return
    }
    bag.error(
      .cannotBeOffline,
      "“\(model.name).\(parent.name)” is optional, but part of the identity of “\(model.name)”: edits of a row without it could not be pushed",
      at: parent.range)
  }

  // MARK: Cycles

  /// The required relationships of a model to models with `@Offline`.
  private static func requirements(
    of model: Model, _ schema: Schema
  ) -> [(property: Property, target: Model)] {
    model.properties.compactMap { property in
      guard case .column? = property.relationship?.storage, !property.isOptional,
        let target = property.target.flatMap(schema.model), target.isOffline
      else { return nil }
      return (property: property, target: target)
    }
  }

  /// The models whose required relationships lead to a cycle. Only these are searched for cycles, since each search may visit
  /// all models.
  private static func leadingToCycles(_ models: [Model], _ schema: Schema) -> [Model] {
    var requiring: [String: [String]] = [:]
    // The number of required relationships whose targets may still lead to a cycle.
    var counts: [String: Int] = [:]
    for model in models {
      let requirements = requirements(of: model, schema)
      counts[model.name, default: 0] += requirements.count
      for requirement in requirements { requiring[requirement.target.name, default: []].append(model.name) }
    }
    var done = counts.filter { $0.value == 0 }.map(\.key)
    while let name = done.popLast() {
      for other in requiring[name] ?? [] {
        counts[other, default: 0] -= 1
        if counts[other] == 0 { done.append(other) }
      }
    }
    return models.filter { counts[$0.name] != 0 }
  }

  /// The required relationships that lead from a model back to it, through models with `@Offline`. Nil if there is no such cycle,
  /// or if another model of the cycle comes first in the schema.
  private static func ring(through start: Model, _ schema: Schema) -> [(model: Model, property: Property)]? {
    var steps: [String: (model: Model, property: Property)] = [:]
    var next = [start]
    while let model = next.popLast() {
      for (property, target) in requirements(of: model, schema) {
        if target.name == start.name {
          var ring = [(model: model, property: property)]
          while let first = ring.first, first.model.name != start.name, let step = steps[first.model.name] {
            ring.insert(step, at: 0)
          }
          let place = schema.position(of: start.name)
          return ring.allSatisfy { place <= schema.position(of: $0.model.name) } ? ring : nil
        }
        if steps[target.name] == nil {
          steps[target.name] = (model, property)
          next.append(target)
        }
      }
    }
    return nil
  }

  private static func report(
    _ ring: [(model: Model, property: Property)], of model: Model, _ bag: inout DiagnosticBag
  ) {
    guard let first = ring.first else { return }
    let path = ring.map { "“\($0.model.name).\($0.property.name)”" }.joined(separator: ", ")
    bag.error(
      .cannotBeOffline,
      ring.count == 1
        ? "\(path) requires a row of its own model: of two new rows that require each other, neither could be pushed first"
        : "\(path) require each other: none of the new rows could be pushed first",
      at: first.property.range)
  }
}
