import SynclineNaming

/// The path `.`: it is for to-one relationships to rows that are objects, and must not return to the model from which it starts.
enum ObjectItselfRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
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
          // Such a path of a row that is a list is reported by `RowListRule`.
          target.isOfLists, !model.isOfLists
        {
          bag.error(
            .invalidObjectItself,
            "“\(property.name)” cannot be read from the object itself (“.”): rows of “\(target.name)” are lists",
            at: key.range)
        } else if property.unionPart == nil {
          checkChain(from: property, at: key, of: model, schema, &bag)
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

  /// Reports a chain of such paths that returns to the model where it starts, once for the first of its models.
  private static func checkChain(
    from property: Property, at key: Located<String>, of model: Model, _ schema: Schema,
    _ bag: inout DiagnosticBag
  ) {
    var chain = [model.name]
    var next = property.target
    while let name = next {
      if name == model.name {
        guard let first = schema.models.first(where: { chain.contains($0.name) }), first.name == name else {
          return
        }
        let way = (chain + [name]).map { "“\($0)”" }.joined(separator: ", then ")
        return bag.error(
          .invalidObjectItself, "the “.” paths form a cycle: \(way)", at: key.range)
      }
      guard !chain.contains(name) else { return }
      chain.append(name)
      next = schema.model(name)?.properties.first(where: \.isObjectItself)?.target
    }
  }
}

extension Model {
  /// Whether an attribute states a key of a property, which may be the path `.`.
  var mayHaveObjectItself: Bool {
    propertyAttributes.contains(.remoteKey) || propertyAttributes.contains(.primaryKey)
  }
}
