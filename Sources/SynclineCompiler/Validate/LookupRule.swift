/// Checks `@Relationship(by:)`: its values must identify at most one row.
enum LookupRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for (model, position, property, _) in schema.models.properties(with: .relationship) {
      guard let lookup = property.relationshipClause?.lookup else { continue }
      let name = "“\(model.name).\(property.schemaName)”"
      if let problem = problem(property, at: position, of: model, schema) {
        bag.error(
          .invalidLookup, "keys of \(name) cannot be looked up “by:” a property: \(problem)", at: lookup.range
        )
      } else if let target = property.target.flatMap(schema.visibleModel) {
        check(lookup.value, of: name, in: target, schema, &bag)
      }
    }
  }

  /// The reason why the relationship cannot have this argument.
  private static func problem(
    _ property: Property, at position: Int, of model: Model, _ schema: Schema
  ) -> String? {
    if property.unionPart != nil { return "a key does not state the model of its row" }
    if property.isObjectItself { return "with “.” the row is in the same object, so there is no foreign key" }
    if property.isOrdered { return "“@Ordered” stores the identities of the rows" }
    if model.identityParts.contains(where: { $0.position == position }) {
      return "it is part of the identity, so its link cannot be pending"
    }
    if let relationship = property.relationship, let target = property.target.flatMap(schema.visibleModel),
      ParentScopeRule.isOwnList(relationship, of: target)
    {
      return "a “\(target.name)” is identified within its parent"
    }
    return nil
  }

  private static func check(
    _ path: RelationshipClause.Path, of name: String, in target: Model, _ schema: Schema,
    _ bag: inout DiagnosticBag
  ) {
    if let root = path.root, root.value != target.name {
      return bag.error(
        .invalidLookup, "\(name) refers to rows of “\(target.name)”, not of “\(root.value)”", at: root.range,
        fixIts: [.write(target.name, for: root.range)])
    }
    // Relationships to rows that are identified within a parent are impossible, which another rule reports.
    guard !target.isIncomplete, target.places[.parentScoped] == nil else { return }
    guard let property = target.property(path.name.value) else {
      return bag.reportUnknownProperty(path.name, of: target)
    }
    if property.isIncomplete || property.isInvalid { return }
    if property.name == target.identityProperty?.name {
      return bag.error(
        .invalidLookup,
        "“by:” has no effect: “\(property.name)” is the identity, to which keys refer by default",
        at: path.name.range)
    }
    guard case .value(.scalar(let scalar)) = property.type, scalar.canBeIdentity, property.transform == nil
    else {
      return bag.error(
        .invalidLookup,
        "keys cannot be looked up by “\(target.name).\(property.name)”, which is \(property.typeText): a string, an integer or a UUID can be a key",
        at: path.name.range)
    }
    guard property.isUnique else {
      let isHere = schema.declaresModel(target.name)
      let place = property.range.file.range(property.declaration..<property.declaration)
      return bag.error(
        .invalidLookup,
        "several rows may have the same “\(target.name).\(property.name)”: it must be “@Unique”",
        at: path.name.range, notes: [.init(message: "“\(property.name)” is here", range: property.range)],
        fixIts: isHere
          ? [
            .init(
              message: "write “@Unique” before “\(property.name)”", range: place, replacement: "@Unique ")
          ] : [])
    }
  }
}
