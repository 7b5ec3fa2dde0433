import SynclineNaming

/// Checks the path `.`. It is allowed on to-one relationships to rows that are objects. A chain of such relationships must not
/// lead back to its first model.
enum ObjectItselfRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    var ended: Set<String> = []
    for model in schema.typesWithProperties where model.mayHaveObjectItself {
      for property in model.properties where !property.isIncomplete && property.orderedList == nil {
        guard let key = property.explicitKeys.first(where: { $0.value == RemotePath.itself }) else {
          continue
        }
        if let problem = problem(property) {
          bag.error(
            .invalidObjectItself,
            "the path “.” is allowed only on to-one relationships, which read another row from the same object; “\(property.schemaName)” is \(problem)",
            at: key.range)
        } else if let target = property.target.flatMap(schema.visibleModel),
          // `RowListRule` reports such a path if the row is itself an array.
          target.isOfLists, !model.isOfLists
        {
          bag.error(
            .invalidObjectItself,
            "“\(property.name)” cannot be read from the object itself (“.”): rows of “\(target.name)” are lists",
            at: key.range)
        } else if property.unionPart == nil {
          checkChain(from: property, at: key, of: model, schema, &ended, &bag)
        }
      }
    }
  }

  private static func problem(_ property: Property) -> String? {
    if property.unionPart != nil { return "of one of several models" }
    switch property.type {
    case .toOne, .invalid: return nil
    case .toMany, .value, .union: return property.typeText
    }
  }

  /// Reports a chain of `.` relationships that leads back to its first model. Each chain is reported once, for the first of its
  /// models.
  ///
  /// - Parameter ended: the models whose chains have an end, so that each model of a long chain is visited once.
  private static func checkChain(
    from property: Property, at key: Located<String>, of model: Model, _ schema: Schema,
    _ ended: inout Set<String>, _ bag: inout DiagnosticBag
  ) {
    var chain = [model.name]
    var visited: Set = [model.name]
    var next = property.target
    while let name = next, !ended.contains(name) {
      if name == model.name {
        guard let first = schema.models.first(where: { visited.contains($0.name) }), first.name == name else {
          return
        }
        let way = (chain + [name]).map { "“\($0)”" }.joined(separator: ", then ")
        return bag.error(
          .invalidObjectItself, "the “.” paths form a cycle: \(way)", at: key.range)
      }
      guard visited.insert(name).inserted else { return }
      chain.append(name)
      next = schema.model(name)?.properties.first(where: \.isObjectItself)?.target
    }
    // The model itself may have other paths that do not end.
    ended.formUnion(chain.dropFirst())
  }
}

extension Model {
  /// Whether an attribute specifies a key, which may be the path `.`.
  var mayHaveObjectItself: Bool {
    propertyAttributes.contains(.remoteKey) || propertyAttributes.contains(.primaryKey)
  }
}
